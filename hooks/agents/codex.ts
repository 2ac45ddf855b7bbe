// Codex CLI 0.169: its hooks are Claude Code's in events, stdin and answer (developers.openai.com/codex/hooks).

import type { HookInput } from "../wire.ts";
import { type AgentWire, isOfSubagent } from "./agent.ts";

const HEARD = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

export const codex: AgentWire = {
  toInputs(event) {
    if (!HEARD.includes(String(event["hook_event_name"])) || isOfSubagent(event)) return [];
    return [{ ...event, prompt_id: event["turn_id"] } as unknown as HookInput];
  },
  toOutput: ([output]) => ({ ...output }),
};
