// Codex CLI 0.169: its hooks are Claude Code's in events, stdin and answer (developers.openai.com/codex/hooks). Its
// transcript is of another form, so memo does not read it: it remembers by itself what it gave.

import type { HookInput } from "../wire.ts";
import { type AgentWire, isOfSubagent } from "./agent.ts";

const ANSWERED = ["SessionStart", "UserPromptSubmit"];

export const codex: AgentWire = {
  toInputs({ transcript_path: _, ...event }) {
    const isAnswered = ANSWERED.includes(String(event["hook_event_name"])) && !isOfSubagent(event);
    return isAnswered ? [event as unknown as HookInput] : [];
  },
  toOutput: ([output]) => ({ ...output }),
};
