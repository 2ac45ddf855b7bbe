// Qwen Code 0.24: Claude Code's names and fields. What it is told at a start is in the system prompt of that process alone,
// so the titles come with the first prompt. It sends an empty prompt after each tool's result.

import { afterTool, type AgentWire, isOfSubagent, joined, usual } from "./agent.ts";

export const qwen: AgentWire = {
  toInputs(event, env) {
    const { prompt_id: _, ...input } = event; // its transcript does not have it
    if (event["prompt"] === "") return [];
    if (event["tool_name"] === undefined) return usual(input, env);
    return isOfSubagent(event) ? [] : afterTool(input, input);
  },
  toOutput: joined,
};
