// Codex CLI 0.169: its hooks are Claude Code's in events, stdin and answer (developers.openai.com/codex/hooks).

import { statSync } from "node:fs";
import { readPart } from "../../src/core/files/bounded.ts";
import type { HookInput } from "../wire.ts";
import { afterTool, type AgentWire, type Foreign, isOfSubagent, joined } from "./agent.ts";

const HEARD = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

/** A command that prints a file: Codex has no tool that reads one. */
const PRINTS = /^(?:cat|nl|head|tail|sed)(?: -[\w-]+| \d+| '[\d,$]+p')* ([^\s'"`|;&<>()$*?]+)$/;

export const codex: AgentWire = {
  toInputs(event) {
    if (isOfSubagent(event)) return [];
    const name = String(event["hook_event_name"]);
    // With a compaction at a resume both come: what its file does not have then, the second finds on its way.
    const source = event["source"] === "compact" ? "resume" : event["source"];
    const input = { ...event, source, prompt_id: event["turn_id"] };
    if (name === "PostToolUse") return afterCommand(input);
    return HEARD.includes(name) ? [input as unknown as HookInput] : [];
  },
  toOutput: joined,
};

function afterCommand(event: Foreign): readonly HookInput[] {
  const { command } = event["tool_input"] as Foreign;
  if (hasFailed(event)) return afterTool(event, { error: event["tool_response"] });
  const file_path = PRINTS.exec(String(command))?.[1];
  if (file_path === undefined) return [];
  return afterTool({ ...event, tool_name: "Read", tool_input: { file_path } }, {});
}

/** A command's line ends with its output, of which the model gets less. */
const TAIL_BYTES = 256 * 1024;

/** Whether a command has failed, which its session's file tells alone: it has the exit code before the hook runs. */
function hasFailed({ transcript_path, tool_use_id }: Foreign): boolean {
  try {
    const path = String(transcript_path), from = Math.max(0, statSync(path).size - TAIL_BYTES);
    const line = readPart(path, TAIL_BYTES, from).toString().split("\n").findLast((line) =>
      line.includes(`"type":"CommandExecution","id":${JSON.stringify(tool_use_id)}`)
    );
    return /"exit_code":(?!0\b)-?\d/.test(line ?? "");
  } catch {
    return false; // it keeps no file
  }
}
