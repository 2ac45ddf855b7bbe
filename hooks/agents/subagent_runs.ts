import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { type Env, pathsFor } from "../../src/paths.ts";
import { fileOf } from "../../src/core/recall/session.ts";
import type { Foreign } from "./agent.ts";

/** Notes that the tool which runs a subagent starts (`+`) or ends (`-`). */
export function noteRun(event: Foreign, env: Env, mark: "+" | "-"): void {
  appendFileSync(runsOf(event, env), mark, { mode: 0o600 });
}

/** Whether a subagent of a session's runs now, for an agent whose events do not say whose they are. */
export function isRunning(event: Foreign, env: Env): boolean {
  try {
    const marks = readFileSync(runsOf(event, env), "utf8");
    return marks.split("+").length > marks.split("-").length;
  } catch {
    return false; // none has run since the prompt
  }
}

/** With a prompt no subagent runs any more, whatever became of it. */
export function forgetRuns(event: Foreign, env: Env): void {
  rmSync(runsOf(event, env), { force: true });
}

/** Beside the session's state, which is swept by age. */
function runsOf(event: Foreign, env: Env): string {
  return fileOf(pathsFor(env).sessions, String(event["session_id"]), ".runs");
}
