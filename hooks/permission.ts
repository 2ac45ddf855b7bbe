// Whether one of memo's own tools may run. The hook decides that by itself: a daemon that is busy would turn a tool
// that acts at once into a question.

import { writesMemories } from "../src/core/link/tools.ts";
import { MEMO_TOOLS } from "./events.ts";
import type { HookInputs, HookOutput, Unchecked } from "./wire.ts";

const OWN_TOOL = new RegExp(`^${MEMO_TOOLS}$`);
/** Where a server of memo's is registered; one that a repository brings may only have its name. */
const OWN_SOURCES: readonly unknown[] = ["user", "plugin", "local"];

/**
 * Allows a call of memo's own tools without asking the user; undefined for any other. Capture writes memories unasked
 * too, and every change can be taken back. A subagent, whose conversation nobody reads, may look things up only, and
 * a tool that this build does not know is left to the user. The user's own rules count more than this. `off`: why memo
 * is off in the session's folder, where no call of them runs.
 */
export function permissionFor(
  input: Unchecked<HookInputs["PreToolUse"]>,
  off?: string,
): HookOutput | undefined {
  const { tool_name: tool, mcp_server: server, agent_id: agent } = input;
  if (typeof tool !== "string" || !OWN_TOOL.test(tool)) return undefined;
  if (off !== undefined) return decision("deny", off);
  const source = (server as { readonly source?: unknown } | null | undefined)?.source;
  const writes = writesMemories(tool);
  const isUnknown = !OWN_SOURCES.includes(source) || writes === undefined;
  if (isUnknown || writes && agent !== undefined) return {};
  return decision("allow", "memo's own memories; `memo undo` reverts a change");
}

function decision(
  permissionDecision: "allow" | "deny",
  permissionDecisionReason: string,
): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason,
    },
  };
}
