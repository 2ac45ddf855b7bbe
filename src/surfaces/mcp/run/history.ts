import {
  historyFolders,
  indexHistory,
  type PastHit,
  searchHistory,
} from "../../../features/history/mod.ts";
import { expandCommand, kindWord, transcriptCommand } from "../../../core/memory/memory.ts";
import { JOURNAL_IS } from "../../../core/memory/provenance.ts";
import { neutralise } from "../../../core/text/neutralise.ts";
import type { ToolContext } from "../methods.ts";
import { cut, NOTE, withoutSecrets } from "../present.ts";
import type { InputOf } from "../tools.ts";

/** Of a longer entry the best passage is given. */
const ENTRY_CHARS = 600;
/** Maximum characters of all entries; of those that have no room the first line is given. */
const LIST_CHARS = 3000, LINE_CHARS = 120;

/** `memory_history`: entries of the journal, and kept conversations. */
export async function history(
  { query, since, until, limit }: InputOf<"memory_history">,
  context: ToolContext,
): Promise<string> {
  const { paths, config, embed, now, withIndex } = context;
  const days = since === undefined && until === undefined
    ? undefined
    : { from: since ?? "0000-01-01", to: until ?? "9999-12-31" };
  const folders = historyFolders(context.folders);
  const hits = await withIndex(async (index) => {
    await indexHistory(index, folders, { paths, config });
    const where = { index, folders, now: now(), embed };
    return await searchHistory({ text: query, days, limit }, where);
  });
  if (hits.length === 0) return "No matching entries.";
  // Journal and conversations are kept without secrets; commits say what their authors wrote.
  const safe = await Promise.all(hits.map(async (hit) => {
    if (hit.entry.kind !== "commit") return hit;
    const { text } = (await withoutSecrets({ text: hit.entry.text }, context)).value;
    const passage = hit.passage === hit.entry.text ? text : cut(text, ENTRY_CHARS);
    return { ...hit, entry: { ...hit.entry, text }, passage };
  }));
  return [NOTE, ...told(safe)].join("\n\n");
}

function told(hits: readonly PastHit[]): string[] {
  let room = LIST_CHARS;
  return hits.map(({ entry, passage }) => {
    const whole = neutralise(entry.text.length <= ENTRY_CHARS ? entry.text : passage);
    const text = cut(whole, room > 0 ? ENTRY_CHARS : LINE_CHARS);
    room -= text.length;
    const { day, time, kind } = entry;
    const when = time === "" ? day : `${day} ${time}`;
    const isTurns = kind === "journal" && time !== ""; // what has no time, a person wrote
    const what = isTurns ? `, ${JOURNAL_IS}` : kind === "journal" ? "" : `, ${kindWord(kind)}`;
    const more = transcriptCommand(entry) ?? expandCommand(entry);
    return `### ${when}${what} (${more})\n${text}`;
  });
}
