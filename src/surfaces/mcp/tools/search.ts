import * as z from "zod";
import { listing, NOTE } from "../present.ts";
import { limit, query, tag } from "../schemas.ts";
import { searchHere } from "../search_here.ts";
import { defineTool } from "../tool.ts";

/**
 * Who searches wants more than a prompt is given: so much below the threshold of its type a memory still comes with its
 * text, as the best one always does, and so much with its name alone.
 */
const TEXT_BELOW = 0.1, NAME_BELOW = 0.2;
/** Memories that are given if none is as near as that. */
const NEAREST = 3;
/** Said where no memory reaches the threshold of its type. */
const UNSURE = "None of these may be about it; they are the nearest.";

/** `memory_search`: the best matches for a query. */
export const search = defineTool({
  name: "memory_search",
  title: "Search memories",
  description:
    "Searches the user's memories by meaning and words. Call it before you ask the user what they may have said in " +
    "an earlier session, when they refer to one (“as we decided”), and before a decision that may have been made before.",
  input: z.object({
    query,
    limit: limit(10),
    type: z.string().max(50).optional(), // the types stand in memory_save
    tag: tag.optional(),
  }),
  writes: false,
  isAlwaysLoaded: true,
  async run({ query, ...selection }, context) {
    const { typeSettings } = await import("../../../core/settings/config.ts");
    const { hits } = await searchHere(query, selection, context);
    const scored = hits.map((hit, i) => {
      const below = typeSettings(context.config, hit.memory.type).threshold - hit.score;
      return { ...hit, below, isNamed: i > 0 && below > TEXT_BELOW };
    });
    const near = scored.filter(({ below }) => below <= NAME_BELOW);
    const isSure = scored.some(({ below }) => below <= 0);
    return listing(near.length > 0 ? near : scored.slice(0, NEAREST), {
      intro: isSure ? NOTE : `${NOTE} ${UNSURE}`,
      nothing: "No memory fits. Try other words, or memory_history.",
      now: context.now,
    });
  },
});
