import * as z from "zod";
import { revision } from "../../change/change.ts";
import type { Memory } from "../../memory/memory.ts";
import { LIMITS } from "../../memory/limits.ts";
import { oneLine } from "../../text/one_line.ts";
import { changeAs, type Changed, idsSchema, ownMemories } from "../memories/changing.ts";
import { defineCall } from "./call.ts";

const word = z.string().transform(oneLine).pipe(z.string().min(1).max(LIMITS.tag));
const words = z.array(word).max(LIMITS.tags).default([]);

/** `retag {ids, add, remove, type?}`: changes tags and type of memories. */
export const retag = defineCall({
  name: "retag",
  writes: true,
  params: z.strictObject({ ids: idsSchema, add: words, remove: words, type: word.optional() }),
  async run({ ids, add, remove, type }, context): Promise<Changed> {
    const changed = ownMemories(ids, "change", context).flatMap((found) => {
      const { memory } = found;
      const fields: Partial<Memory> = {
        tags: [...new Set([...memory.tags, ...add])].filter((tag) => !remove.includes(tag)),
        type: type ?? memory.type,
      };
      const isSame = fields.type === memory.type &&
        fields.tags!.join("\n") === memory.tags.join("\n");
      return isSame ? [] : [{ found, fields }];
    });
    if (changed.length === 0) return { said: "They are so already" };
    const { said, group } = await changeAs(
      "Changed",
      (group) =>
        changed.map(({ found, fields }) => revision(found, fields, { what: "edit", group })),
      context,
    );
    return { said, group };
  },
});
