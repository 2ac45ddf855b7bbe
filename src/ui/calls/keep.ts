import * as z from "zod";
import { revision } from "../../change/change.ts";
import { released } from "../../capture/suspect.ts";
import { changeAs, type Changed, idsSchema, ownMemories } from "../memories/changing.ts";
import { defineCall } from "./call.ts";

/** `keep {ids}`: lets memories in that were held back. */
export const keep = defineCall({
  name: "keep",
  writes: true,
  params: z.strictObject({ ids: idsSchema }),
  async run({ ids }, context): Promise<Changed> {
    const found = ownMemories(ids, "keep", context);
    const { said, group } = await changeAs(
      "Kept",
      (group) =>
        found.map((each) => {
          const { body, tags, confidence } = released(each.memory);
          return revision(each, { body, tags, confidence }, { what: "edit", group });
        }),
      context,
    );
    return { said, group: group! };
  },
});
