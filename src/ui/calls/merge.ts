import * as z from "zod";
import { changeAs, type Changed, idSchema } from "../memories/changing.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `merge {id}`: merges memories that say the same, as a dream would. */
export const merge = defineCall({
  name: "merge",
  writes: true,
  params: z.strictObject({ id: idSchema }),
  async run({ id }, context): Promise<Changed> {
    const { steps } = itemOf(id, context, "merge");
    const { said, group } = await changeAs(
      "Merged",
      (group) => steps.map((step) => ({ ...step, group })),
      context,
    );
    return { said, group: group! };
  },
});
