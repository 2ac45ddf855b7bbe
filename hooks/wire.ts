// Claude Code's hook JSON exactly as it is on the wire, types only: the stdin of its hooks, and the stdout that it
// reads from them. Observed with Claude Code 2.1.329 (`test/fixtures/hooks/`). A client of another version
// may leave out or add fields: `src/core/events/event.ts` checks them, once.

import type { ContextEventName, HookEventName } from "./events.ts";

/** The fields of every hook event. */
export interface HookInputBase {
  readonly session_id: string;
  /** The session's JSONL file; it does not exist yet at the first prompt. */
  readonly transcript_path: string;
  readonly cwd: string;
  /** Absent before the first prompt. */
  readonly prompt_id?: string;
  readonly permission_mode?: string;
  /** Present only inside a subagent. */
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly effort?: { readonly level: string };
  readonly scratchpad_dir?: string;
}

/** A session starts, resumes, or loses its context (`clear`, `compact`). */
export interface SessionStartInput extends HookInputBase {
  readonly hook_event_name: "SessionStart";
  readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
  readonly model?: string;
  readonly session_title?: string;
  /** These four come with `resume` and `fork`. */
  readonly seconds_since_last_response?: number;
  readonly context_tokens?: number;
  readonly prompt_cache_likely_expired?: boolean;
  readonly estimated_cache_write_usd?: number;
}

/** A prompt is about to go to the model; this includes machine-made ones (`<task-notification>`). */
export interface UserPromptSubmitInput extends HookInputBase {
  readonly hook_event_name: "UserPromptSubmit";
  readonly prompt: string;
  readonly source?: "user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event";
  readonly session_title?: string;
}

/** A tool is about to run. */
export interface PreToolUseInput extends HookInputBase {
  readonly hook_event_name: "PreToolUse";
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

/** A shell line of a skill (`` !`git log` ``) is about to run while its text is loaded; no tool call. */
export interface PreSkillShellCommandInput extends Omit<PreToolUseInput, "hook_event_name"> {
  readonly hook_event_name: "PreSkillShellCommand";
  readonly command_name: string;
  readonly command_source?: string;
  readonly invoked_by: "user" | "claude" | "other";
}

/** A tool has run. */
export interface PostToolUseInput extends HookInputBase {
  readonly hook_event_name: "PostToolUse";
  readonly tool_name: string;
  /** As the model wrote it; `file_path` for the tools that edit a file. */
  readonly tool_input: Readonly<Record<string, unknown>>;
  /** For the tool that starts a subagent an object with its `agentId`: at its start, or at its end if waited for. */
  readonly tool_response: unknown;
  readonly tool_use_id: string;
  readonly duration_ms?: number;
  readonly mcp_server?: { readonly name: string; readonly source: string };
}

/** A tool has failed; a call that a permission refused sends nothing. */
export interface PostToolUseFailureInput extends HookInputBase {
  readonly hook_event_name: "PostToolUseFailure";
  readonly tool_name: string;
  /** As the model wrote it; `command` for a shell. */
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
  /** What the model reads: for a shell the exit code and the output. */
  readonly error: string;
  readonly is_interrupt?: boolean;
  readonly duration_ms?: number;
  readonly mcp_server?: { readonly name: string; readonly source: string };
}

/** All tools of one reply have run. */
export interface PostToolBatchInput extends HookInputBase {
  readonly hook_event_name: "PostToolBatch";
  readonly tool_calls: readonly {
    readonly tool_name: string;
    readonly tool_input: Readonly<Record<string, unknown>>;
    readonly tool_use_id: string;
    /** The text that the model sees. */
    readonly tool_response: unknown;
  }[];
}

/** The model has finished a turn. */
export interface StopInput extends HookInputBase {
  readonly hook_event_name: "Stop";
  /** True if a Stop hook already made this turn continue. */
  readonly stop_hook_active: boolean;
  /** May not be in the transcript yet. */
  readonly last_assistant_message?: string;
  readonly background_tasks?: readonly unknown[];
  readonly session_crons?: readonly unknown[];
}

/** A subagent starts. */
export interface SubagentStartInput extends HookInputBase {
  readonly hook_event_name: "SubagentStart";
  readonly agent_id: string;
  readonly agent_type: string;
}

/** A session ends normally; a killed one sends nothing. */
export interface SessionEndInput extends HookInputBase {
  readonly hook_event_name: "SessionEnd";
  readonly reason: "clear" | "resume" | "logout" | "prompt_input_exit" | "other";
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
