import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "../../src/errors.ts";
import { type Env, pathsFor } from "../../src/paths.ts";
import { fileOf } from "../../src/recall/session.ts";
import type { Foreign } from "./agent.ts";

/** Whether a session of an agent has not asked for its titles yet, in any of its processes; from now on it has. */
export function isFirstPrompt(session: string, env: Env): boolean {
  try {
    mkdirSync(pathsFor(env).sessions, { recursive: true, mode: 0o700 });
    writeFileSync(markerOf(session, env), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return codeOf(error) !== "EEXIST";
  }
}

/** Where a session's start says so, it has an empty conversation again. */
export function noteStart(event: Foreign, env: Env): void {
  if (event["hook_event_name"] !== "SessionStart" || event["source"] === "resume") return;
  rmSync(markerOf(String(event["session_id"]), env), { force: true });
}

/** Beside the session's state, which is swept by age. */
function markerOf(session: string, env: Env): string {
  return fileOf(pathsFor(env).sessions, session, ".begun");
}
