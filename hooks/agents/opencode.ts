// OpenCode 1.18 has no hooks that run a command: memo's plugin (`src/install/agents/opencode.ts`) sends each prompt as
// Claude Code's JSON. It has a process for each run, and keeps in its database what was given to a session.

import { type AgentWire, joined, titlesBefore } from "./agent.ts";

/** `opencode run` puts the prompt into quotes. */
const QUOTED = /^"([\s\S]*)"\s*$/;

export const opencode: AgentWire = {
  toInputs(event, env) {
    if (event["hook_event_name"] !== "UserPromptSubmit") return [];
    const prompt = String(event["prompt"] ?? "").replace(QUOTED, "$1");
    return titlesBefore({ ...event, prompt }, env);
  },
  toOutput: (outputs) => ({ ...joined(outputs) }),
};
