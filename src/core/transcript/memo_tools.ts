import { MEMO_TOOLS } from "../../../hooks/events.ts";
import { writesMemories } from "../link/tools.ts";

const MEMO_TOOL = new RegExp(`^${MEMO_TOOLS}$`);

/** Whether a tool is one of `memo mcp`. */
export function isMemoTool(name: string): boolean {
  return MEMO_TOOL.test(name);
}

/** Whether a call has saved, changed or forgotten a memory. */
export function changesMemory({ name, failed }: { name: string; failed: boolean }): boolean {
  return !failed && isMemoTool(name) && writesMemories(name) === true;
}
