import { readFileSync } from "node:fs";
import { analyze } from "../text/analyze.ts";
import {
  journalDays,
  type JournalEntry,
  journalFile,
  journalOf,
  readEntries,
} from "../journal/journal.ts";
import { transcriptCommand } from "../transcript/command.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** `memory_history`: entries of the journal. */
export function run(
  { query, since = "", until = "9999", limit }: InputOf<"memory_history">,
  { folders }: ToolContext,
): Promise<ToolResult<OutputOf<"memory_history">>> {
  const journal = journalOf(folders)?.path;
  const days = journal === undefined ? [] : journalDays(journal)
    .filter((day) => day >= since && day <= until).reverse();
  const all = days.flatMap((date) =>
    entriesOf(journalFile(journal!, date)).reverse().map((entry) => ({ date, ...entry }))
  );
  const found = query === undefined ? all : fitting(query, all);
  const entries = found.slice(0, limit).map(({ date, time, bullets, anchor }) => ({
    date,
    time,
    bullets: bullets.map(neutraliseLine),
    ...anchor === undefined ? {} : {
      session: anchor.session,
      transcript: transcriptCommand(anchor),
    },
  }));
  return Promise.resolve({ data: { entries }, text: textOf(entries) });
}

function entriesOf(path: string): JournalEntry[] {
  try {
    return readEntries(readFileSync(path, "utf8"));
  } catch {
    return []; // deleted since
  }
}

/** The entries with words of the query, those with the most of them first; equal ones stay newest first. */
function fitting<Entry extends JournalEntry>(query: string, entries: readonly Entry[]): Entry[] {
  const terms = new Set(analyze(query));
  return entries.map((entry) => {
    const words = new Set(analyze(entry.bullets.join("\n")));
    return { entry, score: [...terms].filter((term) => words.has(term)).length };
  }).filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function textOf(entries: OutputOf<"memory_history">["entries"]): string {
  if (entries.length === 0) return "The journal has no such entry.";
  return entries.map(({ date, time, bullets, transcript }) => {
    const lines = bullets.map((bullet) => `- ${bullet}`);
    return [`### ${date} ${time}${transcript === undefined ? "" : ` (${transcript})`}`, ...lines]
      .join("\n");
  }).join("\n\n");
}
