// GitHub Copilot CLI 1.0: under Claude Code's names of events it sends Claude Code's stdin, also for the hooks of a trusted
// folder's `.claude/settings.json`. It reads `additionalContext` at the top of the answer alone.

import { join } from "node:path";
import { type Env, pathsFor } from "../../src/paths.ts";
import type { HookInput } from "../wire.ts";
import { afterTool } from "./after_tool.ts";
import { type AgentWire, contextOf, type Foreign, isOfSubagent, joined } from "./agent.ts";

const HEARD = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

export const copilot: AgentWire = {
  toInputs(event, env) {
    const name = String(event["hook_event_name"]);
    if (isOfSubagent(event)) return [];
    if (name === "PostToolUse") {
      const { text_result_for_llm: output } = event["tool_result"] as Foreign;
      return afterTool(event, { output });
    }
    if (!HEARD.includes(name)) return [];
    // A session that is resumed has lost what its start was told; a prompt has no source of Claude Code's.
    const source = name === "SessionStart" ? "startup" : undefined;
    const transcript_path = transcriptOf(event["session_id"], env);
    return [{ transcript_path, ...event, source } as unknown as HookInput];
  },
  toOutput(outputs, event) {
    const context = contextOf(outputs[0]!);
    return {
      ...joined(outputs, event),
      ...context === undefined ? {} : { additionalContext: context },
    };
  },
};

/** Where a session's transcript is, which its end does not say. */
function transcriptOf(session: unknown, env: Env): string | undefined {
  if (!/^[\w-]+$/.test(String(session))) return undefined;
  const folder = env["COPILOT_HOME"] || join(pathsFor(env).home, ".copilot");
  return join(folder, "session-state", String(session), "events.jsonl");
}
