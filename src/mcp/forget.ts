import { archive } from "../memory/store.ts";
import { findOwn, follow, tell, undoCommand } from "./change.ts";
import { referenceTo } from "./present.ts";
import type { ToolContext, ToolResult } from "./tool.ts";
import type { InputOf, OutputOf } from "./schemas.ts";

/** `memory_forget`: moves a memory to the archive. */
export async function run(
  { name }: InputOf<"memory_forget">,
  context: ToolContext,
): Promise<ToolResult<OutputOf<"memory_forget">>> {
  const { memory, folder } = findOwn(name, context, "forget");
  const archived = archive(memory.path, folder, { what: "forget", now: context.now() });
  await follow(folder, context);
  tell("forgot", { memory, folder }, context);
  const undo = undoCommand(memory);
  const data = { ...referenceTo(memory, context), outcome: "Forgotten", archived, undo };
  return { data, text: `Forgot “${data.name}”. The user can take it back with \`${undo}\`.` };
}
