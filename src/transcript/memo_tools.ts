import { MEMO_TOOLS } from "../../hooks/events.ts";

const MEMO_TOOL = new RegExp(`^${MEMO_TOOLS}$`);
const CHANGING = /__memory_(?:save|update|forget)$/;

/** Whether a tool is one of `memo mcp`. */
export function isMemoTool(name: string): boolean {
  return MEMO_TOOL.test(name);
}

/** Whether a call has saved, changed or forgotten a memory. */
export function changesMemory({ name, failed }: { name: string; failed: boolean }): boolean {
  return !failed && isMemoTool(name) && CHANGING.test(name);
}
