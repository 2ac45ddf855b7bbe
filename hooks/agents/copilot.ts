// GitHub Copilot CLI 1.0: under Claude Code's names of events it sends Claude Code's stdin, also for the hooks of a trusted
// folder's `.claude/settings.json`. It reads `additionalContext` at the top of the answer alone.

import { join } from "node:path";
import { type Env, pathsFor } from "../../src/paths.ts";
import type { HookInput } from "../wire.ts";
import { type AgentWire, contextOf, isOfSubagent } from "./agent.ts";

const HEARD = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

export const copilot: AgentWire = {
  toInputs(event, env) {
    if (!HEARD.includes(String(event["hook_event_name"])) || isOfSubagent(event)) return [];
    // A session that is resumed has lost what its start was told; a prompt has no source of Claude Code's.
    const source = event["hook_event_name"] === "SessionStart" ? "startup" : undefined;
    const transcript_path = transcriptOf(event["session_id"], env);
    return [{ transcript_path, ...event, source } as unknown as HookInput];
  },
  toOutput([output]) {
    const context = contextOf(output!);
    return { ...output, ...context === undefined ? {} : { additionalContext: context } };
  },
};

/** Where a session's transcript is, which its end does not say. */
function transcriptOf(session: unknown, env: Env): string | undefined {
  if (!/^[\w-]+$/.test(String(session))) return undefined;
  const folder = env["COPILOT_HOME"] || join(pathsFor(env).home, ".copilot");
  return join(folder, "session-state", String(session), "events.jsonl");
}
