import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileOf, resetSession } from "../../src/core/recall/session.ts";
import { codeOf } from "../../src/errors.ts";
import { type Env, pathsFor } from "../../src/paths.ts";
import type { HookInput } from "../wire.ts";
import { type Foreign, isOfSubagent } from "./agent.ts";

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

/** Whether a session has not asked for its titles yet since it began or was resumed; from now on it has. */
function isFirstPrompt(session: string, env: Env): boolean {
  try {
    mkdirSync(pathsFor(env).sessions, { recursive: true, mode: 0o700 });
    writeFileSync(markerOf(session, env), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return codeOf(error) !== "EEXIST";
  }
}

/** Notes where a session starts: its next prompt is the first, and unless it is resumed its conversation is empty. */
export function noteStart({ hook_event_name, source, session_id }: Foreign, env: Env): void {
  if (hook_event_name !== "SessionStart") return;
  const session = String(session_id), { sessions } = pathsFor(env);
  rmSync(markerOf(session, env), { force: true });
  if (source !== "resume") resetSession(sessions, session);
}

/** Beside the session's state, which is swept by age. */
function markerOf(session: string, env: Env): string {
  return fileOf(pathsFor(env).sessions, session, ".begun");
}
