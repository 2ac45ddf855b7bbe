import { statSync } from "node:fs";
import type { HookOutput } from "../../hooks/wire.ts";
import { recall } from "../recall/recall.ts";
import { FRESH_SESSION } from "../recall/session.ts";
import { linesOf } from "../transcript/lines.ts";
import { additionalContext, type EventContext, type HookEvent, SILENT, textOf } from "./event.ts";
import { leaveRecallReceipt } from "./receipt.ts";

/** A subagent gets fewer memories than its session: its task is narrow. */
const MEMORIES = 3;
/** The task stands near the end of the transcript, in the call that starts the subagent. */
const TAIL_BYTES = 256 * 1024;

/** A subagent begins; it sees nothing of what its session was shown, and is given what fits its task. */
export async function subagentStart(event: HookEvent, context: EventContext): Promise<HookOutput> {
  const task = await taskOf(event);
  const projects = context.folders.filter((folder) => folder.scope === "project");
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
async function taskOf({ fields }: HookEvent): Promise<string | undefined> {
  const transcript = textOf(fields["transcript_path"]);
  const type = textOf(fields["agent_type"]);
  if (transcript === undefined || type === undefined) return undefined;
  let task: string | undefined;
  try {
    const from = Math.max(0, statSync(transcript).size - TAIL_BYTES);
    for await (const { text } of linesOf(transcript, { from, holding: ['"tool_use"'] })) {
      task = taskIn(text, type) ?? task;
    }
  } catch {
    // there is no transcript yet
  }
  return task;
}

function taskIn(line: string, type: string): string | undefined {
  try {
    const blocks: { type?: string; name?: string; input?: Record<string, unknown> }[] =
      JSON.parse(line).message.content;
    const call = blocks.findLast(({ type, name }) =>
      type === "tool_use" && (name === "Agent" || name === "Task")
    );
    const asked = textOf(call?.input?.["subagent_type"]) ?? "general-purpose";
    return asked === type ? textOf(call?.input?.["prompt"]) : undefined;
  } catch {
    return undefined; // the first line of the tail is rarely whole
  }
}
