// Joins two edits of one memory that have a common ancestor. Nothing that a person or memo has written is lost: what does
// not become the current text is kept.

import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, parseDocument } from "yaml";
import { parseMemory } from "../memory/file.ts";

/** Three versions of one file; undefined: there is none. */
export interface Versions {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** The result of a merge. */
export interface Merged {
  /** The file from now on; undefined: it is gone. */
  readonly text: string | undefined;
  /** A version to be kept in the archive. */
  readonly kept?: string;
  /** Another file that has the same path by chance: it gets a name of its own. */
  readonly sibling?: string;
  /** What could not be merged. */
  readonly note?: "both edited it" | "edited here, deleted there" | "two memories of one name";
}

/** When a memory was last changed, by its own word; 0 if it does not say. */
export function changeOf(text: string): number {
  const { updated, created } = parseMemory(text, { fallbackName: "" }).memory;
  return Date.parse(updated ?? created ?? "") || 0;
}

/** Merges two edits of a memory: field by field, and the newer body; the other version is kept if that loses words. */
export function mergeMemories(
  { base, ours, theirs }: Versions & { readonly ours: string; readonly theirs: string },
): Merged {
  const of = (text: string) => parseMemory(text, { fallbackName: "" }).memory;
  const [before, mine, other] = [base, ours, theirs].map((text) =>
    text === undefined ? undefined : of(text)
  );
  const isSame = mine!.name === other!.name && mine!.type === other!.type;
  if (before === undefined && !isSame) {
    return { text: ours, sibling: theirs, note: "two memories of one name" };
  }
  const isTheirs = changeOf(theirs) > changeOf(ours);
  const [winner, loser] = isTheirs ? [theirs, ours] : [ours, theirs];
  const [won, lost] = isTheirs ? [other!, mine!] : [mine!, other!];
  const matter = mergeMatter(base ?? "", { winner, loser });
  if (matter === undefined) return { text: winner, kept: loser, note: "both edited it" };
  const body = pick(before?.body, won.body, lost.body);
  const text = `---\n${matter.text}---\n${body === "" ? "" : body + "\n"}`;
  const isLossy = matter.isLossy || isConflict(before?.body, won.body, lost.body);
  return isLossy ? { text, kept: loser, note: "both edited it" } : { text };
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
  const fields = (of: Document | undefined): Record<string, unknown> => of?.toJS() ?? {};
  const before = fields(matterOf(base));
  const won = fields(document);
  const lost = fields(other);
  let isLossy = false;
  for (const key of new Set([...Object.keys(lost), ...Object.keys(won)])) {
    const was = before[key];
    const a = won[key];
    const b = lost[key];
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
  if (key === "created" && typeof won === "string" && typeof lost === "string") {
    return won < lost ? won : lost;
  }
  if (key === "updated" && typeof won === "string" && typeof lost === "string") {
    return won > lost ? won : lost;
  }
  return pick(was, won, lost);
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
