import * as z from "zod";
import { referenceTo } from "../present.ts";
import { changed, name } from "../schemas.ts";
import { defineTool } from "../tool.ts";

/** `memory_forget`: moves a memory to the archive. */
export const forget = defineTool({
  name: "memory_forget",
  title: "Forget a memory",
  description:
    "Moves a memory to the archive, from which the user can restore it; no later session gets it. Call it at once " +
    "when the user asks you to forget something; search for its name first if you do not know it.",
  input: z.object({ name }),
  output: changed,
  writes: true,
  annotations: { destructiveHint: true },
  async run({ name }, context) {
    const { archival } = await import("../../change/change.ts");
    const { changeOne, findOwn, undoCommand } = await import("../change.ts");
    const found = findOwn(name, context, "forget");
    const { memory } = found;
    const { archived } = await changeOne(archival(found, { what: "forget" }), context);
    const undo = undoCommand(memory);
    const data = { ...referenceTo(memory, context), outcome: "Forgotten", archived, undo };
    return { data, text: `Forgot “${data.name}”. The user can undo this with \`${undo}\`.` };
  },
});
