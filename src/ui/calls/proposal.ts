import * as z from "zod";
import { idSchema } from "../memories/changing.ts";
import { partsOf } from "../review/proposal.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `proposal {id}`: what a dream would make of memories that say the same, line by line. */
export const proposal = defineCall({
  name: "proposal",
  writes: false,
  params: z.strictObject({ id: idSchema }),
  run: ({ id }, context) => Promise.resolve({ parts: partsOf(itemOf(id, context, "merge").steps) }),
});
