import * as z from "zod";
import { idSchema } from "../memories/changing.ts";
import { partsOf, versionsOf } from "../review/proposal.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `proposal {id}`: what a merge would change, or how the two versions of a memory differ, line by line. */
export const proposal = defineCall({
  name: "proposal",
  writes: false,
  params: z.strictObject({ id: idSchema }),
  run({ id }, context) {
    const item = itemOf(id, context, "merge", "conflict");
    const parts = item.kind === "merge" ? partsOf(item.steps) : versionsOf(item.conflict);
    return Promise.resolve({ parts });
  },
});
