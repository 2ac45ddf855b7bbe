import { type Env, pathsFor } from "../../src/paths.ts";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileOf, resetSession } from "../../src/core/recall/session.ts";
import { claudeCall, FAILED } from "../../src/core/transcript/formats/tools.ts";
import { codeOf } from "../../src/errors.ts";
import { hookEvent, momentsOf } from "../events.ts";
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

/**
 * Claude Code's event for a tool that has run: what it sends before it reads a file, or where a tool fails. None for a call
 * that memo has no note at. `error` is what a call that failed said; of a command its output may tell.
 */
export function afterTool(
  event: Foreign,
  { output, error }: { readonly output?: unknown; readonly error?: unknown },
): readonly HookInput[] {
  const { name, input } = claudeCall(event["tool_name"], event["tool_input"]);
  const isFailed = name === "Bash" && typeof output === "string" && FAILED.test(output);
  const said = isFailed ? output : error;
  const [hook_event_name, moment] = said === undefined
    ? ["PreToolUse", "file"] as const
    : ["PostToolUseFailure", "error"] as const;
  if (!momentsOf(hookEvent(hook_event_name)!, name).includes(moment)) return [];
  const call = { ...event, hook_event_name, tool_name: name, tool_input: input, error: said };
  return [call as unknown as HookInput];
}

/**
 * What events under Claude Code's names come to: what its transcript does not have of a session's titles with its first
 * prompt, and capture after a turn and at the end. A subagent's prompt is the model's, and comes to nothing.
 */
export function usual(event: Foreign, env: Env): readonly HookInput[] {
  if (isOfSubagent(event)) return [];
  noteStart(event, env);
  const { hook_event_name: name, session_id, cwd, transcript_path } = event;
  const isPrompt = name === "UserPromptSubmit";
  if (!isPrompt && name !== "Stop" && name !== "SessionEnd") return [];
  const isFirst = isPrompt && typeof session_id === "string" && isFirstPrompt(session_id, env);
  const at = { session_id, cwd, transcript_path };
  const start = { hook_event_name: "SessionStart", source: "resume", ...at };
  return (isFirst ? [start, event] : [event]) as unknown as HookInput[];
}

/** Whether a session has not asked for its titles yet since it began or was resumed; from now on it has. */
function isFirstPrompt(session: string, env: Env): boolean {
  try {
    mkdirSync(pathsFor(env).sessions, { recursive: true, mode: 0o700 });
    writeFileSync(noteOf(session, env, ".begun"), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return codeOf(error) !== "EEXIST";
  }
}

/** Notes where a session starts: its next prompt is the first, and unless it is resumed its conversation is empty. */
export function noteStart({ hook_event_name, source, session_id }: Foreign, env: Env): void {
  if (hook_event_name !== "SessionStart") return;
  rmSync(noteOf(session_id, env, ".begun"), { force: true });
  if (source !== "resume") resetSession(pathsFor(env).sessions, String(session_id));
}

/** Beside the session's state, which is swept by age. */
export function noteOf(session: unknown, env: Env, ending: ".begun" | ".runs"): string {
  return fileOf(pathsFor(env).sessions, String(session), ending);
}
