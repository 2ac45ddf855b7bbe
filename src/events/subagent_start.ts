import { statSync } from "node:fs";
import type { HookOutput } from "../../hooks/wire.ts";
import { recall } from "../recall/recall.ts";
import { FRESH_SESSION } from "../recall/session.ts";
import { linesOf } from "../transcript/lines.ts";
import { additionalContext, type EventContext, type HookEvent, SILENT } from "./event.ts";
import { leaveRecallReceipt } from "./receipt.ts";

/** A subagent gets fewer memories than its session: its task is narrow. */
const MEMORIES = 3;
/** The task stands near the end of the transcript, in the call that starts the subagent. */
const TAIL_BYTES = 256 * 1024;

/** A subagent begins; it sees nothing of what its session was shown, and is given what fits its task. */
export async function subagentStart(
  event: HookEvent<"SubagentStart">,
  context: EventContext,
): Promise<HookOutput> {
  const task = await taskOf(event);
  const projects = context.folders.filter((folder) => ["project", "shared"].includes(folder.scope));
  if (task === undefined || projects.length === 0) return SILENT;
  const config = { ...context.config, "recall.max_memories": MEMORIES };
  const result = await context.withIndex((index) =>
    recall({ prompt: task, folders: projects, session: FRESH_SESSION }, {
      index,
      config,
      now: context.now(),
      embed: context.embed,
    })
  );
  leaveRecallReceipt(event, context, result);
  return additionalContext("SubagentStart", result.block);
}

/** The prompt of the last call of the transcript that starts a subagent of this type. */
async function taskOf(
  { transcript, agentType }: HookEvent<"SubagentStart">,
): Promise<string | undefined> {
  if (transcript === undefined || agentType === undefined) return undefined;
  let task: string | undefined;
  try {
    const from = Math.max(0, statSync(transcript).size - TAIL_BYTES);
    for await (const { text } of linesOf(transcript, { from, holding: ['"tool_use"'] })) {
      task = taskIn(text, agentType) ?? task;
    }
  } catch {
    // there is no transcript yet
  }
  return task;
}

function taskIn(line: string, type: string): string | undefined {
  try {
    const blocks: { type?: string; name?: string; input?: Record<string, string> }[] =
      JSON.parse(line).message.content;
    const call = blocks.findLast(({ type, name }) =>
      type === "tool_use" && (name === "Agent" || name === "Task")
    );
    const asked = call?.input?.["subagent_type"] ?? "general-purpose";
    return asked === type ? call?.input?.["prompt"] : undefined;
  } catch {
    return undefined; // the first line of the tail is rarely whole
  }
}
