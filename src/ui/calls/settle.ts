import * as z from "zod";
import { type Changed, idsSchema } from "../memories/changing.ts";
import { DECISIONS, settle as settleAll } from "../review/conflicts.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/**
 * `settle {ids, keep}`: decides about memories that a sync has kept twice: the version that applies stays, or the other
 * one, or both as two memories, or one with the lines of both.
 */
export const settle = defineCall({
  name: "settle",
  writes: true,
  params: z.strictObject({ ids: idsSchema, keep: z.enum(DECISIONS) }),
  run: ({ ids, keep }, context): Promise<Changed> => {
    const all = [...new Set(ids)].map((id) => itemOf(id, context, "conflict").conflict);
    return settleAll(all, keep, context);
  },
});
