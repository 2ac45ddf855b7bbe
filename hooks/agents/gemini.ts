// Gemini CLI 0.61: hooks of its own names with Claude Code's fields (docs/hooks/reference.md of google-gemini/gemini-cli).
// Without a terminal it puts what hooks of a session's start say before the prompt, and drops such messages when it
// resumes, the person's words with them. So the titles come with the first prompt, whose context survives.

import { appendFileSync, rmSync } from "node:fs";
import { afterTool, type AgentWire, type Foreign, joined, noteOf, usual } from "./agent.ts";
import { textAt } from "../../src/core/files/there.ts";

/** What other hooks of the session's start said stands before the first prompt where there is no terminal. */
const HOOK_CONTEXT = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

/** Claude Code's names of its events. */
const NAMES: Foreign = { BeforeAgent: "UserPromptSubmit", AfterAgent: "Stop" };

/** The tool that runs a subagent, whose own tools come with the session's id and nothing else. */
const RUNS_SUBAGENT = "invoke_agent";

export const gemini: AgentWire = {
  toInputs(event, env) {
    const name = String(event["hook_event_name"]);
    const runs = noteOf(event["session_id"], env, ".runs"); // a mark where a subagent starts or ends
    if (event["tool_name"] === RUNS_SUBAGENT) {
      appendFileSync(runs, name === "BeforeTool" ? "+" : "-", { mode: 0o600 });
      return [];
    }
    if (name === "AfterTool") {
      const marks = textAt(runs) ?? ""; // none has run since the prompt
      if (marks.split("+").length > marks.split("-").length) return []; // whose it is nobody says
      return afterTool(event, { output: (event["tool_response"] as Foreign)["llmContent"] });
    }
    // With a prompt no subagent runs any more, whatever became of it.
    if (name === "BeforeAgent") rmSync(runs, { force: true });
    const hook_event_name = NAMES[name] ?? name;
    const prompt = String(event["prompt"] ?? "").replace(HOOK_CONTEXT, "");
    const last_assistant_message = event["prompt_response"];
    return usual({ ...event, hook_event_name, prompt, last_assistant_message }, env);
  },
  toOutput: joined,
};
