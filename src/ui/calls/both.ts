import * as z from "zod";
import { tellApart } from "../../memory/apart.ts";
import { newChangeId } from "../../memory/change_log.ts";
import { type Changed, idSchema } from "../memories/changing.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `both {id}`: notes that memories which are alike are several, so that they are not asked about again. */
export const both = defineCall({
  name: "both",
  writes: true,
  params: z.strictObject({ id: idSchema }),
  run({ id }, context): Promise<Changed> {
    const { memories } = itemOf(id, context, "merge", "pair");
    const group = newChangeId();
    tellApart(memories, { group, now: context.now() });
    const names = memories.map(({ memory }) => `“${memory.name}”`).join(" and ");
    return Promise.resolve({ said: `Kept both ${names}`, group });
  },
});
