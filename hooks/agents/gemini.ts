// Gemini CLI 0.61: hooks of its own names with Claude Code's fields (docs/hooks/reference.md of google-gemini/gemini-cli).
// Without a terminal it puts what hooks of a session's start say before the prompt, and drops such messages when it
// resumes, the person's words with them. So the titles come with the first prompt, whose context survives.

import { afterTool } from "./after_tool.ts";
import { type AgentWire, type Foreign, joined } from "./agent.ts";
import { forgetRuns, isRunning, noteRun } from "./subagent_runs.ts";
import { usual } from "./usual.ts";

/** What other hooks of the session's start said stands before the first prompt where there is no terminal. */
const HOOK_CONTEXT = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

/** Claude Code's names of its events. */
const NAMES: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
};

/** The tool that runs a subagent, whose own tools come with the session's id and nothing else. */
const RUNS_SUBAGENT = "invoke_agent";

export const gemini: AgentWire = {
  toInputs(event, env) {
    const name = event["hook_event_name"];
    if (event["tool_name"] === RUNS_SUBAGENT) {
      noteRun(event, env, name === "BeforeTool" ? "+" : "-");
      return [];
    }
    if (name === "AfterTool") {
      const output = (event["tool_response"] as Foreign)["llmContent"];
      return isRunning(event, env) ? [] : afterTool(event, { output });
    }
    if (name === "BeforeAgent") forgetRuns(event, env);
    const hook_event_name = NAMES[String(name)] ?? name;
    const prompt = String(event["prompt"] ?? "").replace(HOOK_CONTEXT, "");
    const last_assistant_message = event["prompt_response"];
    return usual({ ...event, hook_event_name, prompt, last_assistant_message }, env);
  },
  toOutput: joined,
};
