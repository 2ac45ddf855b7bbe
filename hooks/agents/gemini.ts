// Gemini CLI 0.61: hooks of its own names with Claude Code's fields (docs/hooks/reference.md of google-gemini/gemini-cli).

import type { HookInput } from "../wire.ts";
import type { AgentWire } from "./agent.ts";

const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: "SessionStart",
  BeforeAgent: "UserPromptSubmit",
};

/** What hooks of the session's start said stands before the first prompt where there is no terminal. */
const HOOK_CONTEXT = /^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/;

export const gemini: AgentWire = {
  toInput({ transcript_path: _, ...event }) {
    const name = EVENTS[String(event["hook_event_name"])];
    if (name === undefined) return undefined;
    const prompt = String(event["prompt"] ?? "").replace(HOOK_CONTEXT, "");
    return { ...event, hook_event_name: name, prompt } as unknown as HookInput;
  },
  toOutput({ hookSpecificOutput, ...output }, event) {
    if (hookSpecificOutput === undefined) return output;
    const hookEventName = event["hook_event_name"];
    return { ...output, hookSpecificOutput: { ...hookSpecificOutput, hookEventName } };
  },
};
