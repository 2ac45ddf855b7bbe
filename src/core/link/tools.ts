// The tools of `memo mcp` by name: what hooks, install and capture know of them without loading their schemas.

/** Whether each tool writes memories, in the order in which clients list them. */
const WRITES = {
  memory_search: false,
  memory_related: false,
  memory_expand: false,
  memory_ask: false,
  memory_history: false,
  memory_save: true,
  memory_update: true,
  memory_forget: true,
} as const satisfies Readonly<Record<`memory_${string}`, boolean>>;

/** The name of a tool. */
export type ToolName = keyof typeof WRITES;

/** Whether a tool writes memories, as a type: the tool's own file has to say the same. */
export type WritesOf<Name extends ToolName> = typeof WRITES[Name];

/** Every tool, in the order in which clients list them. */
export const TOOL_NAMES = Object.keys(WRITES) as readonly ToolName[];

/** Whether a tool writes memories, by its own name or Claude Code's (`mcp__memo__…`); undefined for any other. */
export function writesMemories(tool: string): boolean | undefined {
  const name = tool.replace(/^mcp__(?:plugin_memo_)?memo__/, "");
  return TOOL_NAMES.find((each) => each === name) && WRITES[name as ToolName];
}
