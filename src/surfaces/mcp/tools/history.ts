import * as z from "zod";
import { ownPatterns } from "../../../core/redact/mod.ts";
import type { PastHit } from "../../../features/history/mod.ts";
import { JOURNAL_IS } from "../../../core/memory/provenance.ts";
import type { Config } from "../../../core/settings/config.ts";
import { neutralise } from "../../../core/text/neutralise.ts";
import { expandCommand, kindWord, transcriptCommand } from "../../../core/memory/memory.ts";
import { cut, NOTE } from "../present.ts";
import { limit, query } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** Of a longer entry the best passage is given. */
const ENTRY_CHARS = 600;
/** Maximum characters of all entries; of those that have no room the first line is given. */
const LIST_CHARS = 3000, LINE_CHARS = 120;

/** `memory_history`: entries of the journal, and kept conversations. */
export const history = defineTool({
  name: "memory_history",
  title: "Search history",
  description:
    "Looks up what happened in this project, from its journal, its commits and, where they are kept, its conversations: " +
    "newest first, or the entries that fit a query best. For “what did we do on Tuesday?” and “what " +
    "did we decide about the port in March?”.",
  input: z.object({
    query: query.optional().describe("What to look for; its days go into since and until"),
    since: z.iso.date().optional().describe("First day, YYYY-MM-DD"),
    until: z.iso.date().optional().describe("Last day, YYYY-MM-DD"),
    limit: limit(10),
  }),
  writes: false,
  async run({ query, since, until, limit }, { folders, paths, config, embed, now, withIndex }) {
    const { historyFolders, indexHistory } = await import("../../../features/history/mod.ts");
    const { latest, searchHistory } = await import("../../../features/history/mod.ts");
    const days = since === undefined && until === undefined
      ? undefined
      : { from: since ?? "0000-01-01", to: until ?? "9999-12-31" };
    const own = historyFolders(folders);
    const hits = await withIndex(async (index) => {
      await indexHistory(index, own, { paths, config });
      const context = { index, folders: own, now: now(), embed };
      if (query === undefined) return await latest({ days, limit }, context);
      return await searchHistory({ text: query, days, limit }, context);
    });
    return hits.length === 0
      ? "No such entry."
      : [NOTE, ...told(await withoutSecrets(hits, config))].join("\n\n");
  },
});

/** Journal and conversations are kept without secrets; commits say what their authors wrote. */
async function withoutSecrets(hits: readonly PastHit[], config: Config): Promise<PastHit[]> {
  const { redactTexts } = await import("../../../core/redact/texts.ts"); // its rules load slowly
  const own = ownPatterns(config["redact.patterns"]);
  return await Promise.all(hits.map(async (hit) => {
    if (hit.entry.kind !== "commit") return hit;
    const { text } = (await redactTexts({ text: hit.entry.text }, own)).value;
    const passage = hit.passage === hit.entry.text ? text : cut(text, ENTRY_CHARS);
    return { ...hit, entry: { ...hit.entry, text }, passage };
  }));
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
