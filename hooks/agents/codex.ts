// Codex CLI 0.169: its hooks are Claude Code's in events, stdin and answer (developers.openai.com/codex/hooks).

import type { HookInput } from "../wire.ts";
import { afterTool } from "./after_tool.ts";
import { type AgentWire, type Foreign, isOfSubagent, joined } from "./agent.ts";

const HEARD = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

/** A command that prints a file: Codex has no tool that reads one. */
const PRINTS = /^(?:cat|nl|head|tail|sed)(?: -[\w-]+| \d+| '[\d,$]+p')* ([^\s'"`|;&<>()$*?]+)$/;

export const codex: AgentWire = {
  toInputs(event) {
    if (isOfSubagent(event)) return [];
    const name = String(event["hook_event_name"]);
    const input = { ...event, prompt_id: event["turn_id"] };
    if (name === "PostToolUse") return whatIsRead(input);
    return HEARD.includes(name) ? [input as unknown as HookInput] : [];
  },
  toOutput: joined,
};

/** It does not tell whether a command failed. */
function whatIsRead(event: Foreign): readonly HookInput[] {
  const { command } = event["tool_input"] as Foreign;
  const file_path = PRINTS.exec(String(command))?.[1];
  if (file_path === undefined) return [];
  return afterTool({ ...event, tool_name: "Read", tool_input: { file_path } }, {});
}
