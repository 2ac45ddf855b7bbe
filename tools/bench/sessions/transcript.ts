import { createHash } from "node:crypto";
import type { Conversation, Step } from "./conversation.ts";

/** Seconds between two lines of a conversation. */
const PACE_S = 20;

/** A conversation as Claude Code writes it: JSONL, one block of a reply a line, chained by `parentUuid`. */
export function transcriptOf(conversation: Conversation, { cwd }: {
  /** The project's folder. */
  readonly cwd: string;
}): string {
  const session = sessionOf(conversation);
  const lines: string[] = [];
  let parent: string | null = null, time = Date.parse(conversation.at);
  const add = (fields: Readonly<Record<string, unknown>>) => {
    const uuid = uuidOf(`${conversation.id} ${lines.length}`);
    lines.push(JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp: new Date(time).toISOString(),
      cwd,
      sessionId: session,
      version: "2.1.329",
      gitBranch: "main",
    }));
    parent = uuid;
    time += PACE_S * 1000;
  };
  for (const [number, { user, steps }] of conversation.turns.entries()) {
    const promptId = promptIdOf(conversation, number);
    add({
      type: "user",
      promptId,
      turnOrigin: "human",
      message: { role: "user", content: user.trim() },
    });
    for (const [i, step] of steps.entries()) {
      const id = `${conversation.id}-${number}-${i}`;
      for (const line of linesOf(step, id)) add({ ...line, promptId });
    }
  }
  return lines.join("\n") + "\n";
}

/** The session's id: the same for the same conversation, so that a recorded question stays the same. */
export function sessionOf({ id }: Pick<Conversation, "id">): string {
  return uuidOf(id);
}

/** What hooks call the prompt of a turn, counted from 0. */
export function promptIdOf({ id }: Pick<Conversation, "id">, turn: number): string {
  return uuidOf(`${id} prompt ${turn}`);
}

function linesOf(step: Step, id: string): Readonly<Record<string, unknown>>[] {
  const reply = (block: unknown, stop_reason: string) => ({
    type: "assistant",
    message: { id: `msg_${id}`, type: "message", role: "assistant", content: [block], stop_reason },
  });
  if ("say" in step) return [reply({ type: "text", text: step.say.trim() }, "end_turn")];
  const use = `toolu_${id}`;
  return [
    reply({ type: "tool_use", id: use, name: step.tool, input: step.input }, "tool_use"),
    {
      type: "user",
      message: {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: use,
          content: step.result.trim(),
          ...step.failed && { is_error: true },
        }],
      },
    },
  ];
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ]
    .join("-");
}
