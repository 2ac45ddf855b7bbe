// Gemini CLI 0.61: hooks of its own names with Claude Code's fields (docs/hooks/reference.md of google-gemini/gemini-cli).
// Without a terminal it puts what hooks of a session's start say before the prompt, and drops such messages when it
// resumes, the person's words with them. So the titles come with the first prompt, whose context survives.

import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { fileOf } from "../../src/core/recall/session.ts";
import { type Env, pathsFor } from "../../src/paths.ts";
import { afterTool, type AgentWire, type Foreign, joined, usual } from "./agent.ts";

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

/** Notes that the tool which runs a subagent starts (`+`) or ends (`-`). */
function noteRun(event: Foreign, env: Env, mark: "+" | "-"): void {
  appendFileSync(runsOf(event, env), mark, { mode: 0o600 });
}

/** Whether a subagent of a session's runs now: the events do not say whose they are. */
function isRunning(event: Foreign, env: Env): boolean {
  try {
    const marks = readFileSync(runsOf(event, env), "utf8");
    return marks.split("+").length > marks.split("-").length;
  } catch {
    return false; // none has run since the prompt
  }
}

/** With a prompt no subagent runs any more, whatever became of it. */
function forgetRuns(event: Foreign, env: Env): void {
  rmSync(runsOf(event, env), { force: true });
}

/** Beside the session's state, which is swept by age. */
function runsOf(event: Foreign, env: Env): string {
  return fileOf(pathsFor(env).sessions, String(event["session_id"]), ".runs");
}
