// GitHub Copilot CLI 1.0: under Claude Code's names of events it sends Claude Code's stdin, also for the hooks of a trusted
// folder's `.claude/settings.json`. It reads `additionalContext` at the top of the answer alone, and that of a start not where
// a session is resumed: so the titles come with the first prompt, and stay with it.

import { join } from "node:path";
import { type Env, pathsFor } from "../../src/paths.ts";
import {
  afterTool,
  type AgentWire,
  contextOf,
  type Foreign,
  isOfSubagent,
  joined,
  usual,
} from "./agent.ts";

export const copilot: AgentWire = {
  toInputs(event, env) {
    const input = { transcript_path: transcriptOf(event["session_id"], env), ...event };
    if (event["hook_event_name"] !== "PostToolUse") return usual(input, env);
    const { text_result_for_llm: output } = event["tool_result"] as Foreign;
    return isOfSubagent(event) ? [] : afterTool(input, { output });
  },
  toOutput(outputs, event) {
    const answer = joined(outputs, event), additionalContext = contextOf(answer);
    return { ...answer, ...additionalContext === undefined ? {} : { additionalContext } };
  },
};

/** Where a session's transcript is, which its end does not say. */
function transcriptOf(session: unknown, env: Env): string | undefined {
  if (!/^[\w-]+$/.test(String(session))) return undefined;
  const folder = env["COPILOT_HOME"] || join(pathsFor(env).home, ".copilot");
  return join(folder, "session-state", String(session), "events.jsonl");
}
