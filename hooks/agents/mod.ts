import type { AgentWire } from "./agent.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** The other agents whose hooks memo answers, by the name in `memo hook --agent NAME`. */
export const AGENT_WIRES: Readonly<Record<string, AgentWire>> = {
  codex,
  gemini,
  cursor,
  opencode,
};
