import * as z from "zod";
import { revision } from "../../change/change.ts";
import { mayRead } from "../../memory/trust.ts";
import { changeAs, type Changed, idsSchema, ownMemories } from "../memories/changing.ts";
import { defineCall } from "./call.ts";

/** `pin {ids, on}`: keeps the titles of memories in every start block, or no longer. */
export const pin = defineCall({
  name: "pin",
  writes: true,
  params: z.strictObject({ ids: idsSchema, on: z.boolean() }),
  async run({ ids, on }, context): Promise<Changed> {
    const found = ownMemories(ids, "pin", context).filter(({ memory }) => memory.pinned !== on);
    if (found.length === 0) return { said: on ? "Pinned already" : "Not pinned" };
    const { said, group } = await changeAs(
      on ? "Pinned" : "Unpinned",
      (group) =>
        found.map((each) => {
          const change = revision(each, { pinned: on }, { what: on ? "pin" : "unpin", group });
          const keepsTrust = !mayRead(each.folder, each.memory.digest);
          return keepsTrust ? { ...change, keepsTrust } : change;
        }),
      context,
    );
    return { said, group };
  },
});
