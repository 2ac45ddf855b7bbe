// Codex CLI 0.169: its hooks are Claude Code's in events, stdin and answer (developers.openai.com/codex/hooks). Its
// transcript is of another form, so memo does not read it: it remembers by itself what it gave.

import type { HookInput } from "../wire.ts";
import type { AgentWire } from "./agent.ts";

const ANSWERED = ["SessionStart", "UserPromptSubmit"];

export const codex: AgentWire = {
  toInput({ transcript_path: _, ...event }) {
    const isAnswered = ANSWERED.includes(String(event["hook_event_name"]));
    return isAnswered ? event as unknown as HookInput : undefined;
  },
  toOutput: (output) => ({ ...output }),
};
