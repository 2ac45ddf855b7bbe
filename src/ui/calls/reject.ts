import * as z from "zod";
import { decide } from "../../team/decide.ts";
import { memoryOf } from "../../team/entry.ts";
import { type Changed, idSchema } from "../memories/changing.ts";
import { refuseModel } from "../review/consent.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `reject {id}`: decides about a proposal to a team, on its server; there `memo log` and `undo` have no say. */
export const reject = defineCall({
  name: "reject",
  writes: true,
  params: z.strictObject({ id: idSchema }),
  async run({ id }, context): Promise<Changed> {
    refuseModel(context, "decide about a team's notes");
    const { decided } = itemOf(id, context, "note");
    await decide(decided, "rejected", context.now());
    const { name } = memoryOf(decided.version.proposal);
    return { said: `Rejected “${name}” in ${decided.member.name}` };
  },
});
