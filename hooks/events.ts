// The hook events that memo acts on: one row each, which determines everything that depends on the event — the
// client's deadlines, the entries of `memo init`, the queue of capture, the handlers in `src/core/events/mod.ts`.
// The hot path loads this file, so it imports nothing.

/** memo's policy for a hook event. */
export interface HookEventRow {
  readonly name: string;
  /** memo's use of it, in a few words: versions of Claude Code without the event lack this. */
  readonly purpose: string;
  /** Maximum time that the hook may delay Claude Code, in milliseconds; well under `TIMEOUT_SECONDS`. */
  readonly deadlineMs: number;
  /** The first version of Claude Code with the event. */
  readonly since: string;
  /** The tools that it is heard for; default: all. */
  readonly tools?: readonly WatchedTools[];
  /** Its `additionalContext` reaches the model without another request. */
  readonly takesContext?: true;
  /** Queues the transcript for capture; the hook itself does so if the daemon does not take it in time. */
  readonly queued?: QueuedTurn;
  /** The share of that time in which it waits for a daemon to start. */
  readonly patience?: number;
  /** A daemon that has not even read the request after this share of it hangs; default: `ALIVE_SHARE`. */
  readonly aliveShare?: number;
  /** Without an answer from the daemon, the hook answers by itself. */
  readonly answersOffline?: true;
  /** Nothing may be printed but what the handler has to say, not even `{}`. */
  readonly isMute?: true;
  /** Some of its inputs are answered by the hook, without the daemon (`hooks/permission.ts`). */
  readonly isOwnAnswer?: true;
  /** A Claude Code without it lacks so little that `memo init` and `memo doctor` do not say so. */
  readonly isExtra?: true;
  /** Installed only if a strategy delivers late. */
  readonly isForPrefetch?: true;
}

/** The kinds of moments: a file is read, a tool fails, a guarded tool is about to run. */
export const MOMENTS = ["file", "error", "guard"] as const;
export type Moment = typeof MOMENTS[number];

/** Tools that an event is heard for. */
export interface WatchedTools {
  /** Names with `|` between them, or a regular expression. */
  readonly names: string;
  /**
   * Watched for this kind of moment: heard only if that kind is wanted, and answered by the hook itself where the project
   * has nothing for it (`src/core/link/moments.ts`).
   */
  readonly moment?: Moment;
  /** The first version of Claude Code in which memo's answer reaches the model; default: that of the event. */
  readonly since?: string;
}

/** The state of the transcript's last turn after an event. */
export interface QueuedTurn {
  /** Whether the turn is over. */
  readonly isOver: boolean;
  /** Whether a short turn may wait for more: every extraction repeats the same long instructions. */
  readonly mayWait?: boolean;
}

/** The tools of `memo mcp` as Claude Code names them, registered by memo's install or by its plugin; a pattern. */
export const MEMO_TOOLS = "mcp__(?:plugin_memo_)?memo__memory_\\w+";

/** The tools of all other MCP servers; a pattern. */
const OTHER_SERVERS = "mcp__(?!(?:plugin_memo_)?memo__).*";

/** Those of them that by their name change what they are given; a pattern. */
export const CHANGING_TOOLS =
  `${OTHER_SERVERS}__.*(?:[Ww]rite|[Ee]dit|[Cc]reat|[Uu]pdat|[Dd]elet|[Rr]emov|[Mm]ov|[Rr]enam|[Cc]opy|[Aa]ppend|` +
  "[Ii]nsert|[Rr]eplac|[Pp]atch|[Pp]ush|[Ss]ave).*";

/** Seconds after which Claude Code, or another agent, gives up on a hook of memo's, for every event. */
export const TIMEOUT_SECONDS = 5;

/**
 * The table, in the order of a session. There is no row for compactions: Claude Code prints a line on screen for each of
 * their hooks, and `SessionStart` comes after each one.
 */
const ROWS = [
  {
    name: "SessionStart",
    purpose: "the block at session start",
    deadlineMs: 1300,
    since: "1.0.62",
    takesContext: true,
    patience: 0.75,
    aliveShare: 0.3, // it may still be starting, and busy
    answersOffline: true,
  },
  {
    name: "UserPromptSubmit",
    purpose: "memories for each prompt",
    deadlineMs: 1200,
    since: "1.0.54",
    takesContext: true,
    patience: 0.5,
    answersOffline: true,
  },
  {
    name: "PreToolUse",
    purpose: "memories about a file, a subagent's task, memo's tools without a permission prompt",
    deadlineMs: 300,
    since: "1.0.38",
    tools: [
      { names: "Agent|Task" },
      { names: MEMO_TOOLS },
      // its text reaches the model with the file's, before any edit
      { names: "Read", moment: "file", since: "2.1.9" },
      {
        names: `Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|${CHANGING_TOOLS}`,
        moment: "guard",
      },
    ],
    takesContext: true,
    isOwnAnswer: true,
    isMute: true,
  },
  {
    name: "PreSkillShellCommand",
    purpose: "guards for a skill's shell commands",
    deadlineMs: 300,
    since: "2.1.332",
    tools: [{ names: "Bash|PowerShell", moment: "guard" }],
    isMute: true,
    isExtra: true,
  },
  {
    name: "SubagentStart",
    purpose: "memories for subagents",
    deadlineMs: 1500,
    since: "2.0.43",
    takesContext: true,
  },
  {
    name: "PostToolUse",
    purpose: "indexing memories Claude writes, telling subagents apart",
    deadlineMs: 500,
    since: "1.0.38",
    tools: [{ names: "Write|Edit|MultiEdit|Agent|Task" }],
    takesContext: true,
  },
  {
    name: "PostToolUseFailure",
    purpose: "memories about an error",
    deadlineMs: 600,
    since: "2.0.60",
    // tools that search and edit fail by their own arguments, which no memory knows
    tools: [{ names: `Bash|PowerShell|WebFetch|${OTHER_SERVERS}`, moment: "error" }],
    takesContext: true,
  },
  {
    name: "PostToolBatch",
    purpose: "memories a language model picks late",
    deadlineMs: 300,
    since: "2.1.118",
    takesContext: true,
    isForPrefetch: true,
  },
  {
    name: "Stop",
    purpose: "capture after each turn",
    deadlineMs: 600,
    since: "1.0.38",
    queued: { isOver: true, mayWait: true },
  },
  {
    name: "SessionEnd",
    purpose: "capture at session end",
    deadlineMs: 600,
    since: "1.0.85",
    queued: { isOver: true },
  },
] as const satisfies readonly HookEventRow[];

type EventRow = typeof ROWS[number];

/** The name of a hook event that memo acts on. */
export type HookEventName = EventRow["name"];

/** The hook events through which memo can put text before the model. */
export type ContextEventName = Extract<EventRow, { readonly takesContext: true }>["name"];

/** The hook events that queue the transcript for capture. */
export type QueuedEventName = Extract<EventRow, { readonly queued: QueuedTurn }>["name"];

/** Every hook event that memo acts on, in the order of a session. */
export const HOOK_EVENTS: readonly (HookEventRow & { readonly name: HookEventName })[] = ROWS;

/** The kinds of moments that a call of a tool is heard for; none if it is heard for something else too. */
export function momentsOf({ tools = [] }: HookEventRow, tool: unknown): readonly Moment[] {
  const heard = tools.filter(({ names }) => new RegExp(`^(?:${names})$`).test(String(tool)));
  const moments = heard.flatMap(({ moment }) => moment ?? []);
  return moments.length === heard.length ? moments : [];
}

/** The row of an event; undefined for one that memo does not act on. */
export function hookEvent(name: unknown): typeof HOOK_EVENTS[number] | undefined {
  return HOOK_EVENTS.find((row) => row.name === name);
}
