import * as z from "zod";
import { neverFor } from "../../change/never.ts";
import { redact } from "../../redact/redact.ts";
import { ownPatterns } from "../../redact/own_patterns.ts";
import { changeAs, type Changed, idSchema, ownMemories } from "../memories/changing.ts";
import { defineCall } from "./call.ts";

/** Of a longer prompt its beginning says what it is about. */
const LONGEST = 20_000;

/** `never {id, prompt}`: keeps a memory away from a prompt, and from others like it. */
export const never = defineCall({
  name: "never",
  writes: true,
  params: z.strictObject({ id: idSchema, prompt: z.string().min(1).max(LONGEST) }),
  async run({ id, prompt }, context): Promise<Changed> {
    const [found] = ownMemories([id], "change", context);
    const patterns = ownPatterns(context.engine.config(context.place)["redact.patterns"]);
    const { text } = await redact(prompt, patterns);
    const { name } = found!.memory;
    if (neverFor(found!, text) === undefined) return { said: `“${name}” is away already` };
    const { group } = await changeAs(
      "Changed",
      (group) => [neverFor(found!, text, group)!],
      context,
    );
    return { said: `“${name}” stays away from prompts like this one`, group };
  },
});
