import type { Env } from "../../src/paths.ts";
import type { HookInput, HookOutput } from "../wire.ts";

/** The JSON of another agent's hook, unchecked. */
export type Foreign = Readonly<Record<string, unknown>>;

/** Another agent's hooks, told in the terms of Claude Code's. */
export interface AgentWire {
  /** Claude Code's events for what arrived on stdin, in their order; none for one that memo has no answer to. */
  readonly toInputs: (event: Foreign, env: Env) => readonly HookInput[];
  /** memo's answers to them, one at least, as this agent reads them. */
  readonly toOutput: (outputs: readonly HookOutput[], event: Foreign) => Foreign;
}

/** The text that goes to the model. */
export function contextOf({ hookSpecificOutput: specific }: HookOutput): string | undefined {
  return specific !== undefined && "additionalContext" in specific
    ? specific.additionalContext
    : undefined;
}

/** Several answers to an event as one, in Claude Code's form. */
export function joined(outputs: readonly HookOutput[], event: Foreign): Foreign {
  const texts = outputs.flatMap((output) => contextOf(output) ?? []);
  const lines = outputs.flatMap(({ systemMessage }) => systemMessage ?? []);
  const additionalContext = texts.join("\n\n"), hookEventName = event["hook_event_name"];
  return {
    ...texts.length === 0 ? {} : { hookSpecificOutput: { hookEventName, additionalContext } },
    ...lines.length === 0 ? {} : { systemMessage: lines.join("\n") },
  };
}

/** Whether an event is a subagent's: what it calls a prompt is the model's, and never the person's word. */
export function isOfSubagent(event: Foreign): boolean {
  return event["agent_id"] !== undefined || event["parent_agent_id"] !== undefined;
}
