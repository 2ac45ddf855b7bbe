// Qwen Code 0.24: Claude Code's names and fields. What it is told at a start is in the system prompt of that process alone,
// so the titles come with the first prompt. It sends an empty prompt after each tool's result.

import type { HookInput } from "../wire.ts";
import { type AgentWire, isOfSubagent, joined, titlesBefore } from "./agent.ts";
import { forgetFirstPrompt } from "./first_prompt.ts";

export const qwen: AgentWire = {
  toInputs(event, env) {
    if (isOfSubagent(event)) return [];
    const { prompt_id: _, ...input } = event; // its transcript does not have it
    const { hook_event_name: name, source } = event;
    if (name === "SessionStart" && source !== "resume") {
      forgetFirstPrompt(String(event["session_id"]), env);
    }
    if (name === "UserPromptSubmit" && event["prompt"] !== "") return titlesBefore(input, env);
    return name === "Stop" || name === "SessionEnd" ? [input as unknown as HookInput] : [];
  },
  toOutput: (outputs) => ({ ...joined(outputs) }),
};
