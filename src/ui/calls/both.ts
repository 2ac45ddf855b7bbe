import * as z from "zod";
import { tellApart } from "../../memory/apart.ts";
import { newChangeId } from "../../memory/change_log.ts";
import { counted } from "../../text/counted.ts";
import { type Changed, idsSchema } from "../memories/changing.ts";
import { itemOf } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `both {ids}`: notes that memories which are alike are several, so that they are not asked about again. */
export const both = defineCall({
  name: "both",
  writes: true,
  params: z.strictObject({ ids: idsSchema }),
  run({ ids }, context): Promise<Changed> {
    const all = [...new Set(ids)].map((id) => itemOf(id, context, "merge", "pair").memories);
    const group = newChangeId();
    for (const memories of all) tellApart(memories, { group, now: context.now() });
    const what = all.length === 1
      ? `both ${all[0]!.map(({ memory }) => `“${memory.name}”`).join(" and ")}`
      : `all of ${counted(all.length, "group")}`;
    return Promise.resolve({ said: `Kept ${what}`, group });
  },
});
