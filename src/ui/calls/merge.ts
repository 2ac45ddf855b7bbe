import * as z from "zod";
import { changeAs, type Changed, idsSchema } from "../memories/changing.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `merge {ids}`: merges memories that say the same, as a dream would. */
export const merge = defineCall({
  name: "merge",
  writes: true,
  params: z.strictObject({ ids: idsSchema }),
  async run({ ids }, context): Promise<Changed> {
    const all = [...new Set(ids)].map((id) => itemOf(id, context, "merge").steps);
    const { said, group } = await changeAs(
      "Merged",
      (group) => all.flat().map((step) => ({ ...step, group })),
      context,
    );
    return { said, group: group! };
  },
});
