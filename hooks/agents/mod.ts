import type { AgentWire } from "./agent.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { kilo, opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** The other agents whose hooks memo answers, in display order. `src/features/install/agents/mod.ts` has a row for each. */
const WIRES = { codex, gemini, qwen, copilot, opencode, kilo, cursor } as const satisfies Readonly<
  Record<string, AgentWire>
>;

/** The name of an agent, as in `memo hook --agent NAME`. */
export type AgentName = keyof typeof WIRES;

/** The hooks of an agent; undefined for one that this memo does not know. */
export function wireOf(name: string): AgentWire | undefined {
  const all: Readonly<Record<string, AgentWire>> = WIRES;
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
