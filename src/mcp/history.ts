import { historyFolders, indexHistory } from "../history/mod.ts";
import { latest, type PastHit, searchHistory } from "../history/search.ts";
import { neutralise } from "../text/neutralise.ts";
import { expandCommand, transcriptCommand } from "../transcript/command.ts";
import { NOTE } from "./present.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** Of a longer entry the best passage is given. */
const ENTRY_CHARS = 1200;

/** `memory_history`: entries of the journal, and kept conversations. */
export async function run(
  { query, since, until, limit }: InputOf<"memory_history">,
  { folders, paths, embed, now, withIndex }: ToolContext,
): Promise<ToolResult<OutputOf<"memory_history">>> {
  const days = since === undefined && until === undefined
    ? undefined
    : { from: since ?? "0000-01-01", to: until ?? "9999-12-31" };
  const own = historyFolders(folders);
  const hits = await withIndex(async (index) => {
    await indexHistory(index, own, { paths });
    const context = { index, folders: own, now: now(), embed };
    if (query === undefined) return await latest({ days, limit }, context);
    return (await searchHistory({ text: query, days, limit }, context)).hits;
  });
  const entries = hits.map(toEntry);
  return { data: { note: NOTE, entries }, text: textOf(entries) };
}

function toEntry({ entry, passage }: PastHit): OutputOf<"memory_history">["entries"][number] {
  const { day: date, time, kind, session } = entry;
  const text = entry.text.length <= ENTRY_CHARS ? entry.text : passage.slice(0, ENTRY_CHARS);
  const transcript = transcriptCommand(entry);
  return {
    ...{ date, time, kind, text: neutralise(text.toWellFormed()), expand: expandCommand(entry) },
    ...session === undefined ? {} : { session },
    ...transcript === undefined ? {} : { transcript },
  };
}

function textOf(entries: OutputOf<"memory_history">["entries"]): string {
  if (entries.length === 0) return "There is no such entry.";
  const told = entries.map(({ date, time, kind, text, transcript, expand }) => {
    const what = kind === "turn" ? ", conversation" : "";
    return `### ${date} ${time}${what} (${transcript ?? expand})\n${text}`;
  });
  return [NOTE, ...told].join("\n\n");
}
