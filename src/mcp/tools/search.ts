import * as z from "zod";
import { listing, NOTE, shown } from "../present.ts";
import { found, limit, note, query, tag, type } from "../schemas.ts";
import { searchHere } from "../search_here.ts";
import { defineTool } from "../tool.ts";

/** `memory_search`: the best matches for a query. */
export const search = defineTool({
  name: "memory_search",
  title: "Search memories",
  description:
    "Searches the user's long-term memory by meaning and by words: decisions and their reasons, preferences, " +
    "corrections, conventions, traps, where things are. Call it before you ask the user something they may have " +
    "said in an earlier session, when they refer to one (“as we decided”, “like last time”), and before a decision " +
    "that may have been made already. Memories that fit a prompt are often in the conversation already.",
  input: z.object({
    query: query.describe("A question or keywords, in any language"),
    limit: limit(10),
    type: type.optional(),
    tag: tag.optional().describe("Only memories with this tag"),
  }),
  output: z.object({ note, memories: z.array(found.extend({ score: z.number() })) }),
  writes: false,
  isAlwaysLoaded: true,
  async run({ query, ...selection }, context) {
    const { hits } = await searchHere(query, selection, context);
    const memories = hits.map(({ memory, passage, score }) => ({
      ...shown(memory, passage, context),
      score: Math.round(score * 1000) / 1000,
    }));
    return {
      data: { note: NOTE, memories },
      text: listing(memories, "No memory fits. Try other words, or memory_history."),
    };
  },
});
