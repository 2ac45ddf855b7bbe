import * as z from "zod";
import { decide } from "../../team/decide.ts";
import { memoryOf } from "../../team/entry.ts";
import { type Changed, idSchema } from "../memories/changing.ts";
import { refuseModel } from "../review/consent.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `approve {id}`: decides about a proposal to a team, on its server; there `memo log` and `undo` have no say. */
export const approve = defineCall({
  name: "approve",
  writes: true,
  params: z.strictObject({ id: idSchema }),
  async run({ id }, context): Promise<Changed> {
    refuseModel(context, "decide about a team's notes");
    const { decided } = itemOf(id, context, "note");
    await decide(decided, "approved", context.now());
    const { name } = memoryOf(decided.version.proposal);
    return { said: `Approved “${name}” in ${decided.member.name}` };
  },
});
