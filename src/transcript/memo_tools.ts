/** The tools of `memo mcp` as Claude Code names them, registered by memo's install or by its plugin. */
const MEMO_TOOL = /^mcp__(?:plugin_memo_)?memo__/;
const CHANGING = /__memory_(?:save|update|forget)$/;

/** Whether a tool is one of `memo mcp`. */
export function isMemoTool(name: string): boolean {
  return MEMO_TOOL.test(name);
}

/** Whether a call has saved, changed or forgotten a memory, or would. */
export function changesMemory(
  { name, failed = false }: { name: string; failed?: boolean },
): boolean {
  return !failed && isMemoTool(name) && CHANGING.test(name);
}
