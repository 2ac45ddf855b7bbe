import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "../../src/errors.ts";
import { type Env, pathsFor } from "../../src/paths.ts";
import { fileOf, resetSession } from "../../src/core/recall/session.ts";
import type { Foreign } from "./agent.ts";

/** Whether a session has not asked for its titles yet since it began or was resumed; from now on it has. */
export function isFirstPrompt(session: string, env: Env): boolean {
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
