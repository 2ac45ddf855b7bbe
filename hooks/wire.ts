// Claude Code's hook JSON as it is on the wire, as far as memo reads it; types only: the stdin of its hooks, and the stdout
// that it reads from them. Observed with Claude Code 2.1.329 (`test/fixtures/hooks/`). A client of another version may
// leave out or add fields: `src/core/events/event.ts` checks them, once.

import type { ContextEventName, HookEventName } from "./events.ts";

/** The fields of every hook event. */
export interface HookInputBase {
  readonly session_id: string;
  /** The session's JSONL file; it does not exist yet at the first prompt. */
  readonly transcript_path: string;
  readonly cwd: string;
  /** Absent before the first prompt. */
  readonly prompt_id?: string;
  /** Present only inside a subagent. */
  readonly agent_id?: string;
  readonly agent_type?: string;
}

/** A session starts, resumes, or loses its context (`clear`, `compact`). */
export interface SessionStartInput extends HookInputBase {
  readonly hook_event_name: "SessionStart";
  readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
  /** Comes with `resume` and `fork`. */
  readonly seconds_since_last_response?: number;
}

/** A prompt is about to go to the model; this includes machine-made ones (`<task-notification>`). */
export interface UserPromptSubmitInput extends HookInputBase {
  readonly hook_event_name: "UserPromptSubmit";
  readonly prompt: string;
  readonly source?: "user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event";
}

/** A call of a tool. */
interface ToolInput extends HookInputBase {
  readonly tool_name: string;
  /**
   * As the model wrote it: `file_path` for the tools of files, `command` for a shell; for the tool that starts a
   * subagent `prompt` and, optionally, `subagent_type`.
   */
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
  /** The server of an MCP tool, and where it is registered: `user`, `project`, `plugin`, … */
  readonly mcp_server?: { readonly name: string; readonly source: string };
}

/** A tool is about to run. */
export interface PreToolUseInput extends ToolInput {
  readonly hook_event_name: "PreToolUse";
}

/** A shell line of a skill (`` !`git log` ``) is about to run while its text is loaded; no tool call. */
interface PreSkillShellCommandInput extends ToolInput {
  readonly hook_event_name: "PreSkillShellCommand";
}

/** A tool has run. */
interface PostToolUseInput extends ToolInput {
  readonly hook_event_name: "PostToolUse";
  /** For the tool that starts a subagent an object with its `agentId`: at its start, or at its end if waited for. */
  readonly tool_response: unknown;
}

/** A tool has failed; a call that a permission refused sends nothing. */
interface PostToolUseFailureInput extends ToolInput {
  readonly hook_event_name: "PostToolUseFailure";
  /** What the model reads: for a shell the exit code and the output. */
  readonly error: string;
  readonly is_interrupt?: boolean;
}

/** All tools of one reply have run. */
interface PostToolBatchInput extends HookInputBase {
  readonly hook_event_name: "PostToolBatch";
}

/** The model has finished a turn. */
interface StopInput extends HookInputBase {
  readonly hook_event_name: "Stop";
  /** May not be in the transcript yet. */
  readonly last_assistant_message?: string;
}

/** A subagent starts. */
interface SubagentStartInput extends HookInputBase {
  readonly hook_event_name: "SubagentStart";
  readonly agent_id: string;
  readonly agent_type: string;
}

/** A session ends normally; a killed one sends nothing. */
interface SessionEndInput extends HookInputBase {
  readonly hook_event_name: "SessionEnd";
}

/** The input of each event of the table in `hooks/events.ts`. */
export interface HookInputs {
  readonly SessionStart: SessionStartInput;
  readonly UserPromptSubmit: UserPromptSubmitInput;
  readonly PreToolUse: PreToolUseInput;
  readonly PreSkillShellCommand: PreSkillShellCommandInput;
  readonly SubagentStart: SubagentStartInput;
  readonly PostToolUse: PostToolUseInput;
  readonly PostToolUseFailure: PostToolUseFailureInput;
  readonly PostToolBatch: PostToolBatchInput;
  readonly Stop: StopInput;
  readonly SessionEnd: SessionEndInput;
}

/** A hook's stdin. */
export type HookInput = HookInputs[HookEventName];

/** The same before any check: every field may be missing or of another type. */
export type Unchecked<Input> = { readonly [Field in keyof Input]?: unknown };

/**
 * The output of a memo hook: one JSON object and no other byte. `hookEventName` must be the event's own
 * name, or Claude Code drops the text.
 */
export type HookOutput = (NoHookOutput | ContextHookOutput | PermissionHookOutput) & {
  /** One line for the user; the model never sees it. */
  readonly systemMessage?: string;
};

/** The output without text for the model. */
export type NoHookOutput = { readonly hookSpecificOutput?: never };

/** Text for the model, at most 10,000 UTF-16 units. */
export interface ContextHookOutput {
  readonly hookSpecificOutput: {
    readonly hookEventName: ContextEventName;
    readonly additionalContext: string;
  };
}

/** The answer to whether a tool may run; the user's own rules count more. A skill's line cannot be asked about: it does not run. */
export interface PermissionHookOutput {
  readonly hookSpecificOutput: {
    readonly hookEventName: "PreToolUse" | "PreSkillShellCommand";
    readonly permissionDecision: "allow" | "ask" | "deny";
    readonly permissionDecisionReason: string;
  };
}

/** One handler in settings or in a plugin's `hooks.json`. */
export interface CommandHandler {
  readonly type: "command";
  /** An executable if there are `args`, else a shell command line. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Seconds. */
  readonly timeout: number;
}

/** Handlers with a common matcher; no matcher matches everything. */
export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly CommandHandler[];
}

/** The `hooks` key of settings and of a plugin's `hooks.json`. */
export type HookGroups = Readonly<Record<string, readonly HookGroup[]>>;
