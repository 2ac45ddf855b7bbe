// Gemini CLI 0.61: hooks of its own names with Claude Code's fields (docs/hooks/reference.md of google-gemini/gemini-cli).
// Without a terminal it puts what hooks of a session's start say before the prompt, and drops such messages when it
// resumes, the person's words with them. So the titles come with the first prompt, whose context survives.

import type { HookInput } from "../wire.ts";
import { type AgentWire, joined, titlesBefore } from "./agent.ts";
import { forgetFirstPrompt } from "./first_prompt.ts";

/** What other hooks of the session's start said stands before the first prompt where there is no terminal. */
const HOOK_CONTEXT = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

export const gemini: AgentWire = {
  toInputs({ hook_event_name: name, ...event }, env) {
    if (name === "SessionStart" && event["source"] !== "resume") {
      forgetFirstPrompt(String(event["session_id"]), env);
    }
    if (name === "AfterAgent") {
      const said = event["prompt_response"];
      return [{
        ...event,
        hook_event_name: "Stop",
        last_assistant_message: said,
      }] as unknown as HookInput[];
    }
    if (name === "SessionEnd") {
      return [{ ...event, hook_event_name: name }] as unknown as HookInput[];
    }
    if (name !== "BeforeAgent") return [];
    const prompt = String(event["prompt"] ?? "").replace(HOOK_CONTEXT, "");
    const input = { ...event, hook_event_name: "UserPromptSubmit", prompt };
    return titlesBefore(input, env);
  },
  toOutput(outputs, event) {
    const { hookSpecificOutput, ...output } = joined(outputs);
    if (hookSpecificOutput === undefined) return output;
    const hookEventName = event["hook_event_name"];
    return { ...output, hookSpecificOutput: { ...hookSpecificOutput, hookEventName } };
  },
};
