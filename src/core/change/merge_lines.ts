// Joins two versions of a file that grows: the log of changes, a day of the journal.

import { byTime, inOrder } from "../ledger/change_log.ts";
import { type Day, joinDay, readAnchor, splitDay } from "../journal/journal.ts";

/** Three versions of one text; an absent one is empty. */
interface Texts {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/**
 * Every line of both. A line that one of them has rewritten is the rewritten one, and one that was overwritten with
 * blanks is gone; a line that is only missing comes back, because a log loses nothing by itself.
 */
export function mergeLines({ base = "", ours = "", theirs = "" }: Partial<Texts>): string {
  const [before, mine, other] = [base, ours, theirs].map(linesOf);
  const isBlanked = (line: string, { blanks }: Lines) => blanks.has(Buffer.byteLength(line));
  const pick = (key: string): string | undefined => {
    const [was, a, b] = [before!, mine!, other!].map(({ byKey }) => byKey.get(key));
    if (a !== undefined && b !== undefined) return a === was ? b : a;
    const line = (a ?? b)!;
    return line === was && isBlanked(line, a === undefined ? mine! : other!) ? undefined : line;
  };
  const keys = new Set([...mine!.byKey.keys(), ...other!.byKey.keys()]);
  const times = new Map([...timesOf(other!), ...timesOf(mine!)]);
  const lines = [...keys].flatMap((key) => {
    const line = pick(key);
    return line === undefined ? [] : { line, at: times.get(key)! };
  }).sort(byTime).map(({ line }) => line);
  const blanks = mine!.blanks.union(other!.blanks);
  // A text that has it all already stays as it is, in its order.
  const whole = [ours, theirs].find((text) => {
    const has = linesOf(text);
    return has.byKey.size === lines.length && lines.every((line) => has.lines.has(line)) &&
      blanks.isSubsetOf(has.blanks);
  });
  return whole ??
    [...lines, ...[...blanks].map((length) => " ".repeat(length))].map((line) => line + "\n").join(
      "",
    );
}

/** When each line was written, by its key. */
function timesOf({ byKey }: Lines): [key: string, at: string][] {
  return inOrder([...byKey], ([, line]) => /"at":"([^"]*)"/.exec(line)?.[1] ?? "")
    .map(({ value: [key], at }) => [key, at]);
}

interface Lines {
  readonly lines: ReadonlySet<string>;
  /** By the id in it, or the line itself. */
  readonly byKey: ReadonlyMap<string, string>;
  /** The lengths of lines that were overwritten. */
  readonly blanks: ReadonlySet<number>;
}

function linesOf(text: string): Lines {
  const all = text.split("\n").filter((line) => line !== "");
  const lines = new Set(all.filter((line) => line.trim() !== ""));
  const blanks = new Set(all.filter((line) => line.trim() === "").map((line) => line.length));
  const keyOf = (line: string) => /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? line;
  return { lines, byKey: new Map([...lines].map((line) => [keyOf(line), line])), blanks };
}

/** The entries of both days, by their time; of an entry that both have, the one that was changed, or both. */
export function mergeDays({ base = "", ours = "", theirs = "" }: Partial<Texts>): string {
  const [was, mine, other] = [base, ours, theirs].map(splitDay);
  const keyOf = (text: string, line: string | undefined) => {
    const anchor = line === undefined ? undefined : readAnchor(line);
    return anchor === undefined ? text.trim() : `${anchor.session} ${anchor.turn}`;
  };
  const byKey = (day: Day) => {
    const entries = new Map<string, Day["entries"][number]>();
    for (const entry of day.entries) {
      let key = keyOf(entry.text, entry.line);
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
  const timeOf = (text: string) => /^### (\d\d:\d\d)/.exec(text)?.[1] ?? "";
  const entries = [...mine!.entries, ...other!.entries]
    .filter((entry) => picked.has(entry))
    .map((entry, i) => ({ entry, i }))
    .sort((a, b) => timeOf(a.entry.text).localeCompare(timeOf(b.entry.text)) || a.i - b.i)
    .map(({ entry }) => entry);
  return joinDay({ head, entries });
}
