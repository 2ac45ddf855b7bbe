import { type Entry, readable } from "./entry.ts";
import {
  broken,
  databaseOf,
  type Fields,
  linesOf,
  type LinesOptions,
  parse,
  storedLines,
} from "./lines.ts";
import { HOLDING, readEntry } from "./formats/claude.ts";
import type { LineReader, TranscriptFormat } from "./formats/format.ts";
import { formatOf } from "./formats/mod.ts";

export type { Entry } from "./entry.ts";
export { formatOf } from "./formats/mod.ts";

/** The entries of a transcript from a byte on, in file order: of all lines, or of summaries alone. */
export async function* entriesOf(
  path: string,
  from = 0,
  what: "all" | "summaries" = "all",
): AsyncGenerator<Entry> {
  const format = formatOf(path), isAll = what === "all";
  if (format !== undefined) {
    if (isAll) yield* entriesIn(path, from, format); // the others write no summaries
    return;
  }
  const holding = isAll ? HOLDING : ['"isCompactSummary"'];
  for await (const { text, end } of linesOf(path, { from, holding })) {
    yield* readable(end, () => [readEntry(text, end) ?? []].flat());
  }
}

async function* entriesIn(
  path: string,
  from: number,
  { holding, isAmended, reader }: TranscriptFormat,
): AsyncGenerator<Entry> {
  let read: LineReader | undefined;
  for await (const { line, end } of linesIn(path, { from: isAmended ? 0 : from, holding })) {
    if (line !== undefined) read ??= reader(line, path);
    if (read === undefined) return;
    for (const entry of readable(end, () => read!(line ?? broken(), end))) {
      if (entry.end > from) yield entry;
    }
  }
}

/** The first line of another client's transcript, and those after a position in it; undefined for a damaged one. */
export async function* linesIn(
  path: string,
  { from = 0, holding }: LinesOptions,
): AsyncGenerator<{ readonly line: Fields | undefined; readonly end: number }> {
  if (databaseOf(path) !== undefined) return yield* storedLines(path, from);
  let rest = from;
  for await (const { text, end } of linesOf(path, { holding: ["{"] })) {
    const line = parse(text);
    if (line === undefined) return;
    yield { line, end };
    rest = Math.max(from, end);
    break;
  }
  for await (const { text, end } of linesOf(path, { from: rest, holding })) {
    yield { line: parse(text), end };
  }
}
