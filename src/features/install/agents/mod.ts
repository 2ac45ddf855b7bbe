import type { AgentName } from "../../../../hooks/agents/mod.ts";
import type { Agent } from "./agent.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { kilo, opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

const BY_NAME: { readonly [Name in AgentName]: Agent<Name> } = {
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  kilo,
  cursor,
};

/** Every other agent whose own settings memo can be put into, in display order; the rest can use `memo mcp`. */
export const AGENTS: readonly Agent[] = Object.values(BY_NAME);

/** The agent of a name. */
export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
