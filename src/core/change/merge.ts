// Joins two edits of one memory that have a common ancestor. Nothing that a person or memo has written is lost: what does
// not become the current text is kept.

import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, parseDocument } from "yaml";
import { parseMemory } from "../memory/file.ts";
import { byTime, inOrder } from "../ledger/change_log.ts";
import { type Day, joinDay, type JournalEntry, readDay } from "../journal/journal.ts";

/** Two versions of one file, and what both were made from, if anything. */
export interface Versions {
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** The result of a merge. */
export interface MergeResult {
  /** The file from now on. */
  readonly text: string;
  /** A version to be kept in the archive. */
  readonly kept?: string;
  /** Another file that has the same path by chance: it gets a name of its own. */
  readonly sibling?: string;
}

/** When a memory was last changed, by its own word; 0 if it does not say. */
export function changeOf(text: string): number {
  const { updated, created } = parseMemory(text, { fallbackName: "" }).memory;
  return Date.parse(updated ?? created ?? "") || 0;
}

/** Merges two edits of a memory: field by field, and the newer body; the other version is kept if that loses words. */
export function mergeMemories({ base, ours, theirs }: Versions): MergeResult {
  const of = (text: string) => parseMemory(text, { fallbackName: "" }).memory;
  const [before, mine, other] = [base, ours, theirs].map((text) =>
    text === undefined ? undefined : of(text)
  );
  const isSame = mine!.name === other!.name && mine!.type === other!.type;
  if (before === undefined && !isSame) return { text: ours, sibling: theirs };
  const isTheirs = changeOf(theirs) > changeOf(ours);
  const [winner, loser] = isTheirs ? [theirs, ours] : [ours, theirs];
  const [won, lost] = isTheirs ? [other!, mine!] : [mine!, other!];
  const matter = mergeMatter(base ?? "", { winner, loser });
  if (matter === undefined) return { text: winner, kept: loser };
  const body = pick(before?.body, won.body, lost.body);
  const text = `---\n${matter.text}---\n${body === "" ? "" : body + "\n"}`;
  const isLossy = matter.isLossy || isConflict(before?.body, won.body, lost.body);
  return isLossy ? { text, kept: loser } : { text };
}

/** Fields that both may change without a word being lost. */
const QUIET: readonly string[] = ["updated", "created", "confidence", "source", "metadata"];

/** The fields of both, each as it was changed; undefined if one of the texts has no sound front matter. */
function mergeMatter(
  base: string,
  { winner, loser }: { readonly winner: string; readonly loser: string },
): { readonly text: string; readonly isLossy: boolean } | undefined {
  const document = matterOf(winner);
  const other = matterOf(loser);
  if (document === undefined || other === undefined) return undefined;
  const [before = {}, won = {}, lost = {}] = [matterOf(base), document, other]
    .map((of): Record<string, unknown> | undefined => of?.toJS());
  let isLossy = false;
  for (const key of new Set([...Object.keys(lost), ...Object.keys(won)])) {
    const [was, a, b] = [before, won, lost].map((fields) => fields[key]);
    const value = merged(key, was, a, b);
    if (value === undefined) document.delete(key);
    else if (!isDeepStrictEqual(value, a)) document.set(key, document.createNode(value));
    const isList = Array.isArray(a) && Array.isArray(b);
    if (!isList && !QUIET.includes(key) && isConflict(was, a, b)) isLossy = true;
  }
  return { text: document.toString({ lineWidth: 0, directives: false }), isLossy };
}

function merged(key: string, was: unknown, won: unknown, lost: unknown): unknown {
  if (Array.isArray(won) && Array.isArray(lost)) return mergeLists(was, won, lost);
  const isDate = key === "created" || key === "updated";
  if (!isDate || typeof won !== "string" || typeof lost !== "string") return pick(was, won, lost);
  return (won < lost) === (key === "created") ? won : lost;
}

/** Both lists, without what one of them has removed. */
function mergeLists(was: unknown, won: readonly unknown[], lost: readonly unknown[]): unknown[] {
  const before = Array.isArray(was) ? was : [];
  const all = [...won, ...lost.filter((item) => !won.includes(item))];
  return all.filter((item) =>
    !before.includes(item) || (won.includes(item) && lost.includes(item))
  );
}

/** The one that was changed; if both were, the first. */
function pick<T>(was: unknown, won: T, lost: T): T {
  return isDeepStrictEqual(was, won) ? lost : won;
}

function isConflict(was: unknown, a: unknown, b: unknown): boolean {
  return ![[a, b], [was, a], [was, b]].some(([left, right]) => isDeepStrictEqual(left, right));
}

const MATTER = /^\ufeff?---[ \t]*\r?\n([^]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** The front matter of a text; undefined unless it is a map without aliases. */
function matterOf(text: string): Document | undefined {
  const [, matter] = MATTER.exec(text.slice(0, 64 * 1024)) ?? [];
  if (matter === undefined || !/^\ufeff?---/.test(text)) return undefined;
  const document: Document = parseDocument(matter, { schema: "core", logLevel: "silent" });
  const isSound = document.errors.length === 0 && isMap(document.contents) &&
    !/(?:^|[\s[{,:-])[*&]\w/m.test(matter);
  return isSound ? document : undefined;
}

// Joins two versions of a file that grows: the log of changes, a day of the journal.
/**
 * Every line of both. A line that one of them has rewritten is the rewritten one, and one that was overwritten with
 * blanks is gone; a line that is only missing comes back, because a log loses nothing by itself.
 */
export function mergeLines({ base = "", ours = "", theirs = "" }: Partial<Versions>): string {
  const [before, mine, other] = [base, ours, theirs].map(linesOf);
  const isBlanked = (line: string, { blanks }: LineSet) => blanks.has(Buffer.byteLength(line));
  const pick = (key: string): string | undefined => {
    const [was, a, b] = [before!, mine!, other!].map(({ byKey }) => byKey.get(key));
    if (a !== undefined && b !== undefined) return a === was ? b : a;
    const line = (a ?? b)!;
    return line === was && isBlanked(line, a === undefined ? mine! : other!) ? undefined : line;
  };
  const keys = new Set([...mine!.byKey.keys(), ...other!.byKey.keys()]);
  const times = new Map([...timesOf(other!), ...timesOf(mine!)]);
  const lines = [...keys].map((key) => ({ line: pick(key), at: times.get(key)! })).sort(byTime)
    .flatMap(({ line }) => line ?? []);
  const blanks = mine!.blanks.union(other!.blanks);
  // A text that has it all already stays as it is, in its order.
  const whole = [ours, theirs].find((text) => {
    const has = linesOf(text);
    return has.byKey.size === lines.length && lines.every((line) => has.lines.has(line)) &&
      blanks.isSubsetOf(has.blanks);
  });
  const blanked = [...blanks].map((length) => " ".repeat(length));
  return whole ?? [...lines, ...blanked].map((line) => line + "\n").join("");
}

function timesOf({ byKey }: LineSet): [key: string, at: string][] {
  return inOrder([...byKey], ([, line]) => /"at":"([^"]*)"/.exec(line)?.[1] ?? "")
    .map(({ value: [key], at }) => [key, at]);
}

type LineSet = ReturnType<typeof linesOf>;

/** The lines of a text, also by the id in each or else itself, and the lengths of those that were overwritten. */
function linesOf(text: string) {
  const all = text.split("\n").filter((line) => line !== "");
  const lines = new Set(all.filter((line) => line.trim() !== ""));
  const blanks = new Set(all.filter((line) => line.trim() === "").map((line) => line.length));
  const keyOf = (line: string) => /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? line;
  return { lines, byKey: new Map([...lines].map((line) => [keyOf(line), line])), blanks };
}

/** The entries of both days, by their time; of an entry that both have, the one that was changed, or both. */
export function mergeDays({ base = "", ours = "", theirs = "" }: Partial<Versions>): string {
  const [was, mine, other] = [base, ours, theirs].map(readDay);
  const keyOf = ({ text, anchor }: JournalEntry) =>
    anchor === undefined ? text.trim() : `${anchor.session} ${anchor.turn}`;
  const byKey = (day: Day) => {
    const entries = new Map<string, JournalEntry>();
    for (const entry of day.entries) {
      let key = keyOf(entry);
      while (entries.has(key)) key += "+"; // both had changed it before, say
      entries.set(key, entry);
    }
    return entries;
  };
  const [before, left, right] = [was!, mine!, other!].map(byKey);
  const picked = new Set<{ readonly text: string }>();
  for (const key of new Set([...left!.keys(), ...right!.keys()])) {
    const [old, a, b] = [before!, left!, right!].map((entries) => entries.get(key));
    if (a?.text === b?.text || b?.text === old?.text) { if (a) picked.add(a); }
    else if (a?.text === old?.text) { if (b) picked.add(b); }
    else for (const each of [a, b]) if (each) picked.add(each);
  }
  const extra = other!.head.split("\n").filter((line) => !mine!.head.split("\n").includes(line));
  const head = extra.some((line) => line.trim() !== "")
    ? `${mine!.head.trimEnd()}\n${extra.join("\n").trim()}\n\n`.trimStart()
    : mine!.head;
  const entries = [...mine!.entries, ...other!.entries]
    .filter((entry) => picked.has(entry))
    .sort((a, b) => a.time.localeCompare(b.time));
  return joinDay({ head, entries });
}
