// OpenCode 1.18 and Kilo CLI 7.7, which comes from it, have no hooks that run a command: memo's plugin
// (`src/features/install/agents/opencode.ts`) sends each prompt, and each turn's end, as Claude Code's JSON. They have a process for
// each run, and keep conversations, and what was given to them, in a database.

import { unquoted } from "../../src/core/text/paste.ts";
import { afterTool, type AgentWire, joined, noteStart, usual } from "./agent.ts";

export const [opencode, kilo] = [wireOf("opencode"), wireOf("kilo")];

function wireOf(name: string): AgentWire {
  return {
    toInputs(event, env) {
      const { session_id, tool_response, exit, is_first } = event;
      // Where programs keep their data (XDG Base Directory Specification).
      const data = env["XDG_DATA_HOME"] || `${env["HOME"] || env["USERPROFILE"]}/.local/share`;
      const transcript_path = `${data}/${name}/${name}.db/${session_id}`;
      const prompt = unquoted(String(event["prompt"] ?? ""));
      const input = { ...event, transcript_path, prompt };
      if (event["hook_event_name"] === "PostToolUse") {
        return afterTool(input, { error: exit ? tool_response : undefined });
      }
      if (is_first) noteStart({ ...event, hook_event_name: "SessionStart", source: "resume" }, env);
      return usual(input, env);
    },
    toOutput: joined,
  };
}
