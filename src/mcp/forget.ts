import { archival } from "../change/change.ts";
import { changeOne, findOwn, undoCommand } from "./change.ts";
import { referenceTo } from "./present.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** `memory_forget`: moves a memory to the archive. */
export async function run(
  { name }: InputOf<"memory_forget">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_forget">>> {
  const found = findOwn(name, context, "forget");
  const { memory } = found;
  const { archived } = await changeOne(archival(found, { what: "forget" }), context);
  const undo = undoCommand(memory);
  const data = { ...referenceTo(memory, context), outcome: "Forgotten", archived, undo };
  return { data, text: `Forgot “${data.name}”. The user can take it back with \`${undo}\`.` };
}
