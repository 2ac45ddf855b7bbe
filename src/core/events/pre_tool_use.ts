import type { HookOutput } from "../../../hooks/wire.ts";
import { type EventContext, type HookEvent, SILENT } from "./event.ts";

/** The model may be about to start a subagent: keeps its task for `SubagentStart`, which does not include it. */
export function preToolUse(
  { session, promptId, call, agentType, task }: HookEvent<"PreToolUse">,
  { tasks, now }: EventContext,
): Promise<HookOutput> {
  if (session !== undefined && call !== undefined && task !== undefined) {
    tasks.add({ session, promptId, call, type: agentType, prompt: task }, now().getTime());
  }
  return Promise.resolve(SILENT);
}
