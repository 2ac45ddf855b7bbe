import type { Env } from "../../src/paths.ts";
import type { HookInput } from "../wire.ts";
import { type Foreign, isOfSubagent } from "./agent.ts";
import { isFirstPrompt, noteStart } from "./first_prompt.ts";

/**
 * What events under Claude Code's names come to: what its transcript does not have of a session's titles with its first
 * prompt, and capture after a turn and at the end. A subagent's prompt is the model's, and comes to nothing.
 */
export function usual(event: Foreign, env: Env): readonly HookInput[] {
  if (isOfSubagent(event)) return [];
  noteStart(event, env);
  const { hook_event_name: name, session_id, cwd, transcript_path } = event;
  const isPrompt = name === "UserPromptSubmit";
  if (!isPrompt && name !== "Stop" && name !== "SessionEnd") return [];
  const isFirst = isPrompt && typeof session_id === "string" && isFirstPrompt(session_id, env);
  const at = { session_id, cwd, transcript_path };
  const start = { hook_event_name: "SessionStart", source: "resume", ...at };
  return (isFirst ? [start, event] : [event]) as unknown as HookInput[];
}
