// Qwen Code 0.24: Claude Code's names and fields. What it is told at a start is in the system prompt of that process alone,
// so the titles come with the first prompt. It sends an empty prompt after each tool's result.

import type { HookInput } from "../wire.ts";
import { afterTool } from "./after_tool.ts";
import { type AgentWire, isOfSubagent, joined, titlesBefore } from "./agent.ts";
import { noteStart } from "./first_prompt.ts";

export const qwen: AgentWire = {
  toInputs(event, env) {
    if (isOfSubagent(event)) return [];
    noteStart(event, env);
    const { prompt_id: _, ...input } = event; // its transcript does not have it
    const name = event["hook_event_name"];
    if (name === "UserPromptSubmit" && event["prompt"] !== "") return titlesBefore(input, env);
    if (name === "PostToolUse" || name === "PostToolUseFailure") return afterTool(input, input);
    return name === "Stop" || name === "SessionEnd" ? [input as unknown as HookInput] : [];
  },
  toOutput: joined,
};
