import type { HookOutput } from "../../hooks/wire.ts";
import { changesMemory, isMemoTool } from "../transcript/memo_tools.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";

/**
 * A tool is about to run. For one that starts a subagent, keeps its task for `SubagentStart`, which does not include it;
 * one of memo's own is allowed.
 */
export function preToolUse(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  const { session, promptId, call, tool, agentType, task } = event;
  if (tool !== undefined && isMemoTool(tool)) return Promise.resolve(permission(event));
  if (session !== undefined && call !== undefined && task !== undefined) {
    const asked = { session, promptId, call, type: agentType, prompt: task };
    context.tasks.add(asked, context.now().getTime());
  }
  return Promise.resolve(SILENT);
}

/** Where a server of memo's is registered; one that a repository brings may only have its name. */
const OWN_SOURCES = ["user", "plugin", "local"];

/**
 * Allows a call without asking the user: capture writes memories unasked too, and every change can be taken back. A
 * subagent, whose conversation nobody reads, may look things up only. The user's own rules count more than this.
 */
function permission({ tool, serverSource, isSubagent }: HookEvent<"PreToolUse">): HookOutput {
  if (serverSource === undefined || !OWN_SOURCES.includes(serverSource)) return SILENT;
  if (isSubagent && changesMemory({ name: tool! })) return SILENT;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "memo's own memories; `memo undo` takes a change back",
    },
  };
}
