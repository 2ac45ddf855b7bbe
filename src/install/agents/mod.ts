import type { Agent } from "./agent.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** Every other agent whose own settings memo can be put into, in display order; the rest can use `memo mcp`. */
export const AGENTS: readonly Agent[] = [codex, gemini, cursor, opencode];

/** The agent of a name. */
export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
