// GitHub Copilot CLI 1.0 runs the hooks of a trusted folder's `.claude/settings.json` with Claude Code's stdin, and reads
// `additionalContext` at the top of the answer alone. Its transcript is of another form.

import type { HookInput } from "../wire.ts";
import { type AgentWire, contextOf, isOfSubagent } from "./agent.ts";

const ANSWERED = ["SessionStart", "UserPromptSubmit"];

export const copilot: AgentWire = {
  toInputs({ transcript_path: _, ...event }) {
    if (!ANSWERED.includes(String(event["hook_event_name"])) || isOfSubagent(event)) return [];
    // A session that is resumed has lost what its start was told; a prompt has no source of Claude Code's.
    const source = event["hook_event_name"] === "SessionStart" ? "startup" : undefined;
    return [{ ...event, source } as unknown as HookInput];
  },
  toOutput([output]) {
    const context = contextOf(output!);
    return { ...output, ...context === undefined ? {} : { additionalContext: context } };
  },
};
