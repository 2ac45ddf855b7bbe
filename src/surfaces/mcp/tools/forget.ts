import * as z from "zod";
import { neutraliseLine } from "../../../core/text/neutralise.ts";
import { name } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** `memory_forget`: moves a memory to the archive. */
export const forget = defineTool({
  name: "memory_forget",
  title: "Forget a memory",
  description:
    "Moves a memory to the archive, from which the user can restore it; no later session gets it. Call it at once " +
    "when the user asks you to forget something; search for its name first if you do not know it.",
  input: z.object({ name }),
  writes: true,
  annotations: { destructiveHint: true },
  async run({ name }, context) {
    const { forget } = await import("../../../features/verbs/edit.ts");
    const { findOwn, undoCommand } = await import("../find_named.ts");
    const found = findOwn(name, context, "forget");
    const { said } = await forget([found], context.surroundings);
    return `${neutraliseLine(said)}. The user can undo this with \`${undoCommand(found.memory)}\`.`;
  },
});
