// Cursor: `sessionStart` takes context, `beforeSubmitPrompt` can only block (cursor.com/docs/agent/hooks), so a session
// starts with the titles, and the rest is asked for over MCP.

import type { HookInput } from "../wire.ts";
import { type AgentWire, contextOf } from "./agent.ts";

export const cursor: AgentWire = {
  toInputs(event) {
    if (event["hook_event_name"] !== "sessionStart") return [];
    const { conversation_id, session_id = conversation_id, workspace_roots } = event;
    const [cwd = process.cwd()] = Array.isArray(workspace_roots) ? workspace_roots : [];
    const input = { hook_event_name: "SessionStart", session_id, cwd, source: "startup" };
    return [input as unknown as HookInput];
  },
  toOutput([output]) {
    const context = contextOf(output!);
    return context === undefined ? {} : { additional_context: context };
  },
};
