import type { HookInput, HookOutput } from "../wire.ts";

/** The JSON of another agent's hook, unchecked. */
export type Foreign = Readonly<Record<string, unknown>>;

/** Another agent's hooks, told in the terms of Claude Code's. */
export interface AgentWire {
  /** Claude Code's event for what arrived on stdin; undefined for one that memo has no answer to. */
  readonly toInput: (event: Foreign) => HookInput | undefined;
  /** memo's answer as this agent reads it. */
  readonly toOutput: (output: HookOutput, event: Foreign) => Foreign;
}

/** The text that goes to the model. */
export function contextOf({ hookSpecificOutput: specific }: HookOutput): string | undefined {
  return specific !== undefined && "additionalContext" in specific
    ? specific.additionalContext
    : undefined;
}
