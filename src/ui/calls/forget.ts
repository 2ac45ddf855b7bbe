import * as z from "zod";
import { archival } from "../../change/change.ts";
import { changeAs, type Changed, idsSchema, ownMemories } from "../memories/changing.ts";
import { defineCall } from "./call.ts";

/** `forget {ids}`: moves memories to the archive. */
export const forget = defineCall({
  name: "forget",
  writes: true,
  params: z.strictObject({ ids: idsSchema }),
  async run({ ids }, context): Promise<Changed> {
    const found = ownMemories(ids, "forget", context);
    const { said, group } = await changeAs(
      "Forgot",
      (group) => found.map((each) => archival(each, { what: "forget", group })),
      context,
    );
    const isShared = found.some(({ folder }) => folder.scope === "shared");
    return { said: said + (isShared ? "; commit the deletion to forget it for all" : ""), group };
  },
});
