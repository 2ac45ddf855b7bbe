// Gemini CLI 0.61: hooks of its own names with Claude Code's fields (docs/hooks/reference.md of google-gemini/gemini-cli).
// Without a terminal it puts what hooks of a session's start say before the prompt, and drops such messages when it
// resumes, the person's words with them. So the titles come with the first prompt, whose context survives.

import type { HookInput } from "../wire.ts";
import { afterTool } from "./after_tool.ts";
import { type AgentWire, type Foreign, joined, titlesBefore } from "./agent.ts";
import { noteStart } from "./first_prompt.ts";
import { forgetRuns, isRunning, noteRun } from "./subagent_runs.ts";

/** What other hooks of the session's start said stands before the first prompt where there is no terminal. */
const HOOK_CONTEXT = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

/** The tool that runs a subagent, whose own tools come with the session's id and nothing else. */
const RUNS_SUBAGENT = "invoke_agent";

export const gemini: AgentWire = {
  toInputs(event, env) {
    noteStart(event, env);
    const name = event["hook_event_name"];
    if (name === "SessionEnd") return [event as unknown as HookInput];
    if (name === "AfterAgent") {
      const said = { hook_event_name: "Stop", last_assistant_message: event["prompt_response"] };
      return [{ ...event, ...said } as unknown as HookInput];
    }
    if (event["tool_name"] === RUNS_SUBAGENT) {
      noteRun(event, env, name === "BeforeTool" ? "+" : "-");
      return [];
    }
    if (name === "AfterTool" && !isRunning(event, env)) {
      return afterTool(event, { output: (event["tool_response"] as Foreign)["llmContent"] });
    }
    if (name !== "BeforeAgent") return [];
    forgetRuns(event, env);
    const prompt = String(event["prompt"] ?? "").replace(HOOK_CONTEXT, "");
    return titlesBefore({ ...event, hook_event_name: "UserPromptSubmit", prompt }, env);
  },
  toOutput: joined,
};
