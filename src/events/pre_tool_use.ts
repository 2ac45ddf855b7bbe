import type { HookOutput } from "../../hooks/wire.ts";
import { atCommand } from "./at_command.ts";
import { atFile } from "./at_file.ts";
import type { EventContext, HookEvent } from "./event.ts";
import { guardCall } from "./guard_call.ts";

/** A tool is about to run. */
export async function preToolUse(
  event: HookEvent<"PreToolUse">,
  context: EventContext,
): Promise<HookOutput> {
  keepTask(event, context);
  const stopped = guardCall(event, context);
  if (stopped !== undefined) return stopped;
  return event.tool === "Read" ? await atFile(event, context) : await atCommand(event, context);
}

/** The model is about to start a subagent: keeps its task for `SubagentStart`, which does not include it. */
function keepTask(
  { session, promptId, call, agentType, task }: HookEvent<"PreToolUse">,
  { tasks, now }: EventContext,
): void {
  if (session === undefined || call === undefined || task === undefined) return;
  tasks.add({ session, promptId, call, type: agentType, prompt: task }, now().getTime());
}
