import * as z from "zod";
import type { PastHit } from "../../history/search.ts";
import { neutralise } from "../../text/neutralise.ts";
import { expandCommand, transcriptCommand } from "../../transcript/command.ts";
import { NOTE } from "../present.ts";
import { limit, note, query } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** Of a longer entry the best passage is given. */
const ENTRY_CHARS = 1200;

const entry = z.object({
  date: z.string(),
  time: z.string(),
  kind: z.enum(["journal", "turn"]).describe("turn: what was said, where that is kept"),
  text: z.string(),
  session: z.string().optional(),
  expand: z.string().describe("The command that shows the entry whole"),
  transcript: z.string().optional().describe("The command that shows the conversation"),
});
type Entry = z.infer<typeof entry>;

/** `memory_history`: entries of the journal, and kept conversations. */
export const history = defineTool({
  name: "memory_history",
  title: "Search history",
  description:
    "Looks up what happened in earlier sessions of this project, from its journal and, where they are kept, its " +
    "conversations: newest first, or the entries that fit a query best. For “what did we do on Tuesday?” and “what " +
    "did we decide about the port in March?”.",
  input: z.object({
    query: query.optional().describe(
      "What to look for; days in it (“in March”, “last week”, “2026-03-04”) come first",
    ),
    since: z.iso.date().optional().describe("First day, YYYY-MM-DD"),
    until: z.iso.date().optional().describe("Last day, YYYY-MM-DD"),
    limit: limit(20),
  }),
  output: z.object({ note, entries: z.array(entry) }),
  writes: false,
  async run({ query, since, until, limit }, { folders, paths, embed, now, withIndex }) {
    const { historyFolders, indexHistory } = await import("../../history/mod.ts");
    const { latest, searchHistory } = await import("../../history/search.ts");
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
  },
});

function toEntry({ entry, passage }: PastHit): Entry {
  const { day: date, time, kind, session } = entry;
  const text = entry.text.length <= ENTRY_CHARS ? entry.text : passage.slice(0, ENTRY_CHARS);
  const transcript = transcriptCommand(entry);
  return {
    ...{ date, time, kind, text: neutralise(text.toWellFormed()), expand: expandCommand(entry) },
    ...session === undefined ? {} : { session },
    ...transcript === undefined ? {} : { transcript },
  };
}

function textOf(entries: readonly Entry[]): string {
  if (entries.length === 0) return "No such entry.";
  const told = entries.map(({ date, time, kind, text, transcript, expand }) => {
    const what = kind === "turn" ? ", conversation" : "";
    return `### ${date} ${time}${what} (${transcript ?? expand})\n${text}`;
  });
  return [NOTE, ...told].join("\n\n");
}
