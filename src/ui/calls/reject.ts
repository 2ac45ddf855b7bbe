import * as z from "zod";
import { type Changed, idsSchema } from "../memories/changing.ts";
import { decideAll } from "../review/deciding.ts";
import { defineCall } from "./call.ts";

/** `reject {ids}`: decides about proposals to teams, on their servers; there `memo log` and `undo` have no say. */
export const reject = defineCall({
  name: "reject",
  writes: true,
  params: z.strictObject({ ids: idsSchema }),
  run: ({ ids }, context): Promise<Changed> => decideAll(ids, "rejected", context),
});
