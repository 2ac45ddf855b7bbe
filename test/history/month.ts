// A month of journals of a made-up shop's back end, with a few days of the months beside it, and questions about it.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { appendEntry, journalEntry } from "../../src/core/journal/journal.ts";
import { readRows } from "../support/fixtures.ts";

/** When something happened, by its local day and time, and what. */
type Happened = readonly [day: string, time: string, ...bullets: string[]];

/** What the questions are about. */
const TOLD = readRows("history/told.txt").map(([line]): Happened => {
  const [, day, time, bullets] = /^(\S+) (\S+) (.*)$/.exec(line!)!;
  return [day!, time!, ...bullets!.split(" / ")];
});

/** What happens every day and answers none of the questions. */
const DAILY = readRows("history/daily.txt").map(([line]) => line!);
const DAILY_TIMES = ["09:05", "11:55", "13:05", "14:55", "17:30"];

/** A question, and the day and time of the entry that answers it. */
export const QUESTIONS = readRows("history/questions.tsv").map((
  [question = "", at = "", from, to = ""],
) => [question, at, from === undefined ? undefined : { from, to }] as const);

/** The id of the turn of an entry. */
export function turnAt(day: string, time: string): string {
  const digits = `${day.slice(5)}${time}`.replace(/\D/g, "");
  return `${digits}-${day.slice(0, 4)}-4000-8000-000000000000`;
}

/** Writes the month into a folder's journal, as capture does. */
export async function writeMonth(folder: MemoryFolder): Promise<void> {
  const journal = { path: join(folder.path, "journal"), folder };
  mkdirSync(journal.path, { recursive: true });
  for (const [day, time, ...bullets] of [...TOLD, ...daily()].sort()) {
    const turn = { id: turnAt(day, time), session: `session-${day}` };
    const transcript = `/transcripts/session-${day}.jsonl`;
    const at = new Date(`${day}T${time}`);
    await appendEntry(journalEntry(turn, { bullets, transcript, journal, at })!);
  }
}

function daily(): Happened[] {
  return Array.from({ length: 31 }, (_, i) => `2026-03-${String(i + 1).padStart(2, "0")}`)
    .flatMap((day, i) =>
      DAILY_TIMES.map((time, j): Happened => [
        day,
        time,
        DAILY[(i * 5 + j * 3) % DAILY.length]!,
        DAILY[(i + j * 7 + 1) % DAILY.length]!,
      ])
    );
}
