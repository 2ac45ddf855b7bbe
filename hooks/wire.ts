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

/** What each event of the table in `hooks/events.ts` has besides. */
interface HookDetails {
  /** A session starts, resumes, or loses its context (`clear`, `compact`). */
  readonly SessionStart: {
    readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
    /** Comes with `resume` and `fork`. */
    readonly seconds_since_last_response?: number;
  };
  /** A prompt is about to go to the model; this includes machine-made ones (`<task-notification>`). */
  readonly UserPromptSubmit: {
    readonly prompt: string;
    readonly source?: "user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event";
  };
  /** A tool is about to run. */
  readonly PreToolUse: ToolCall;
  /** A shell line of a skill (`` !`git log` ``) is about to run while its text is loaded; no tool call. */
  readonly PreSkillShellCommand: ToolCall;
  /** A subagent starts. */
  readonly SubagentStart: { readonly agent_id: string; readonly agent_type: string };
  readonly PostToolUse: ToolCall & {
    /** For the tool that starts a subagent an object with its `agentId`: at its start, or at its end if waited for. */
    readonly tool_response: unknown;
  };
  /** A tool has failed; a call that a permission refused sends nothing. */
  readonly PostToolUseFailure: ToolCall & {
    /** What the model reads: for a shell the exit code and the output. */
    readonly error: string;
    readonly is_interrupt?: boolean;
  };
  /** All tools of one reply have run. */
  readonly PostToolBatch: object;
  /** The model has finished a turn; its last message may not be in the transcript yet. */
  readonly Stop: { readonly last_assistant_message?: string };
  /** A session ends normally; a killed one sends nothing. */
  readonly SessionEnd: object;
}

/** A call of a tool. */
interface ToolCall {
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

/** The input of each event. */
export type HookInputs = {
  readonly [Name in HookEventName]: HookInputBase & HookDetails[Name] & {
    readonly hook_event_name: Name;
  };
};

/** A hook's stdin. */
export type HookInput = HookInputs[HookEventName];

/** The same before any check: every field may be missing or of another type. */
export type Unchecked<Input> = { readonly [Field in keyof Input]?: unknown };

/**
 * The output of a memo hook: one JSON object and no other byte. `hookEventName` must be the event's own
 * name, or Claude Code drops the text.
 */
export interface HookOutput {
  readonly hookSpecificOutput?: Context | Permission;
  /** One line for the user; the model never sees it. */
  readonly systemMessage?: string;
}

/** Text for the model, at most 10,000 UTF-16 units. */
interface Context {
  readonly hookEventName: ContextEventName;
  readonly additionalContext: string;
}

/** Whether a tool may run; the user's own rules count more. A skill's line cannot be asked about: it does not run. */
interface Permission {
  readonly hookEventName: "PreToolUse" | "PreSkillShellCommand";
  readonly permissionDecision: "allow" | "ask" | "deny";
  readonly permissionDecisionReason: string;
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

/**
 * The `hooks` key of settings and of a plugin's `hooks.json`: by event handlers with a common matcher; no matcher matches
 * everything.
 */
export type HookGroups = Readonly<
  Record<
    string,
    readonly { readonly matcher?: string; readonly hooks: readonly CommandHandler[] }[]
  >
>;
