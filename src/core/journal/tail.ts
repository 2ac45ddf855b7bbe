import { textAt } from "../files/there.ts";
import {
  type Anchor,
  journalDays,
  journalFile,
  journalOf,
  readAnchor,
  readSummary,
} from "./journal.ts";
import { READ_BULLET } from "../memory/provenance.ts";
import type { MemoryFolder } from "../memory/memory.ts";

const DAYS = 2;
const LINES = 30;
/** An earlier day is left out if it is further back than this: rules that it tells of may have changed since. */
const NEAR_MS = 7 * 86_400_000;

export interface TailOptions {
  /** Leaves out entries by their anchor, such as those of the conversation that reads the journal. */
  readonly without?: (anchor: Anchor) => boolean;
}

/** The last 30 lines of the 2 newest days, if near each other, of the applicable journal: the project's, else the user's. */
export function journalTail(
  folders: readonly MemoryFolder[],
  { without = () => false }: TailOptions = {},
): string[] {
  const folder = journalOf(folders)?.path;
  if (folder === undefined) return [];
  const days = journalDays(folder).slice(-DAYS);
  const newest = Date.parse(days.at(-1) ?? "");
  return days.filter((day) => newest - Date.parse(day) <= NEAR_MS).flatMap((day) => {
    const text = textAt(journalFile(folder, day)) ?? ""; // deleted since
    const lines = linesWithout(text.trimEnd(), without).slice(-LINES);
    return lines.some((line) => line !== "") ? [day, ...lines] : [];
  });
}

/** A day's visible lines, without some entries and without session headings that have no entry left. */
function linesWithout(text: string, without: (anchor: Anchor) => boolean): string[] {
  const sessions = text.split(/^(?=## )/m).map((session) => {
    const [heading, ...entries] = session.split(/^(?=### )/m);
    const kept = entries.filter((entry) => {
      const anchor = entry.split("\n").map(readAnchor).find((anchor) => anchor !== undefined);
      return anchor === undefined || !without(anchor);
    });
    return kept.length === 0 && entries.length > 0 ? "" : heading + kept.join("");
  });
  return sessions.join("").trimEnd().split("\n").filter(mayStand);
}

/**
 * Whether to show a line: not anchors, which are for programs, and not text that was only read, which must not open a
 * session.
 */
function mayStand(line: string): boolean {
  return readAnchor(line) === undefined && readSummary(line) === undefined &&
    !line.startsWith(`- ${READ_BULLET}`);
}
