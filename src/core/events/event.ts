// A hook's stdin, narrowed once: handlers see these types, and no other file reads Claude Code's field names.

import { type ContextEventName, hookEvent, type HookEventName } from "../../../hooks/events.ts";
import type { HookInputBase, HookInputs, HookOutput, Unchecked } from "../../../hooks/wire.ts";
import type { ChangedFolder } from "../change/follow.ts";
import type { Index } from "../index/mod.ts";
import type { Here } from "../settings/config.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Place } from "../memory/project.ts";
import type { LiveBranches } from "../transcript/live_branch.ts";
import type { DeliveryClaims, Prefetches, Tasks } from "../recall/pending.ts";
import { cutPaste } from "../text/paste.ts";
import type { Ask } from "../../../strategies/strategy.ts";
import { fieldsOf } from "../link/parse.ts";
import { textOf } from "../transcript/lines.ts";

/** The fields of every hook event, checked. */
export interface EventBase {
  /** undefined if the client sent none. */
  readonly session: string | undefined;
  readonly promptId: string | undefined;
  readonly cwd: string;
  /** The session's JSONL file, which may not exist yet. */
  readonly transcript: string | undefined;
  /** Whether it happened in a subagent, or in the agent that summarises for a compaction, not in the conversation. */
  readonly isSubagent: boolean;
  /** The subagent that it happened in. */
  readonly inAgent: string | undefined;
}

const SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const satisfies readonly (
  HookInputs["SessionStart"]["source"]
)[];

/** The other fields of each event, checked; fields that memo does not use are left out. */
const DETAILS = {
  SessionStart: ({ source, seconds_since_last_response: seconds }) => ({
    source: SOURCES.find((known) => known === source),
    /** Seconds since the model's last answer, in a resumed conversation. */
    sinceAnswer: typeof seconds === "number" ? seconds : undefined,
  }),
  UserPromptSubmit: ({ prompt, source }) => ({
    /** Cut if it holds a long paste. */
    prompt: cutPaste(textOf(prompt) ?? ""),
    source: textOf(source),
  }),
  /** A tool call that is about to run: on a file, a command, or a subagent with its task. */
  PreToolUse: ({ tool_name, tool_input, tool_use_id }) => ({
    call: textOf(tool_use_id),
    ...toolCallOf(tool_name, tool_input),
    input: fieldsOf(tool_input),
    agentType: textOf(fieldsOf(tool_input)["subagent_type"]),
    task: cutTextOf(fieldsOf(tool_input)["prompt"]),
  }),
  /** A shell line of a skill that is about to run. */
  PreSkillShellCommand: ({ tool_name, tool_input }) => ({
    ...toolCallOf(tool_name, tool_input),
    input: fieldsOf(tool_input),
  }),
  SubagentStart: ({ agent_id, agent_type }) => ({
    agent: textOf(agent_id),
    agentType: textOf(agent_type),
  }),
  /** The file that a tool wrote, or the subagent that it started. */
  PostToolUse: ({ tool_input, tool_use_id, tool_response }) => ({
    call: textOf(tool_use_id),
    file: textOf(fieldsOf(tool_input)["file_path"]),
    agent: textOf(fieldsOf(tool_response)["agentId"]),
  }),
  /** A tool call that failed, and what the model reads of it. */
  PostToolUseFailure: ({ tool_name, tool_input, error, is_interrupt }) => ({
    ...toolCallOf(tool_name, tool_input),
    error: textOf(error),
    /** The user has ended it. */
    isInterrupted: is_interrupt === true,
  }),
  PostToolBatch: () => ({}),
  /** The model's last message, which may not be in the transcript yet. */
  Stop: ({ last_assistant_message }) => ({ said: textOf(last_assistant_message) }),
  SessionEnd: () => ({}),
} satisfies { readonly [Name in HookEventName]: (input: Unchecked<HookInputs[Name]>) => object };

type Details<Name extends HookEventName> = ReturnType<typeof DETAILS[Name]>;

/** A hook event that memo acts on; `HookEvent<"Stop">` is one kind of it. */
export type HookEvent<Name extends HookEventName = HookEventName> = {
  readonly [Kind in Name]: EventBase & { readonly name: Kind } & Readonly<Details<Kind>>;
}[Name];

/** Parses a hook's stdin; undefined for events that memo does not act on. */
export function readEvent(input: unknown): HookEvent | undefined {
  const row = hookEvent(fieldsOf(input)["hook_event_name"]);
  if (row === undefined) return undefined;
  const fields = input as Unchecked<HookInputBase>;
  const details = DETAILS[row.name] as (input: unknown) => object;
  return {
    name: row.name,
    session: textOf(fields.session_id),
    promptId: textOf(fields.prompt_id),
    cwd: textOf(fields.cwd) ?? process.cwd(),
    transcript: textOf(fields.transcript_path),
    inAgent: textOf(fields.agent_id),
    isSubagent: fields.agent_id !== undefined || fields.agent_type === "",
    ...details(input),
  } as HookEvent;
}

/** The tool of a call, and the file or the command that it is about. */
function toolCallOf(tool: unknown, input: unknown) {
  const { file_path, notebook_path, command } = fieldsOf(input);
  return {
    tool: textOf(tool),
    file: textOf(file_path) ?? textOf(notebook_path),
    command: cutTextOf(command),
  };
}

/** The same of a prompt, which may hold a long paste. */
function cutTextOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text && cutPaste(text);
}

/** The facts that capture can only know from a hook. */
export interface CaptureNews {
  /** The model's last message in a transcript, which may not have it yet. */
  readonly said?: { readonly transcript: string; readonly text: string } | undefined;
  /** Whether to retry failed work now. */
  readonly isFresh?: boolean;
}

/** The context of an event's handler. */
export interface EventContext extends Here {
  /** The folder that Claude Code runs in; the model may have changed the working directory since. */
  readonly projectDir: string;
  /** Runs work on the index, and rebuilds a damaged one. */
  withIndex<T>(work: (index: Index) => Promise<T>): Promise<T>;
  /** Embeds a text; undefined if there is no time to load a model. */
  readonly embed: ((text: string) => Promise<Float32Array>) | undefined;
  /** Whether Claude Code knows memo's tools. */
  readonly hasTools: boolean;
  /** Removes secrets from a text. */
  redact(text: string, own: readonly RegExp[]): Promise<string>;
  /** Asks a language model; undefined if none may be asked. */
  readonly ask: Ask | undefined;
  /** Prefetches of earlier prompts that were not delivered yet. */
  readonly prefetches: Prefetches;
  /** The tool calls whose subagents have not started yet. */
  readonly tasks: Tasks;
  /** What is on its way to conversations. */
  readonly told: DeliveryClaims;
  /** What features answer; none in a hook that answers by itself, which has no time for them. */
  readonly answers: Answers;
  /** The conversations, read from their transcripts. */
  readonly branches: LiveBranches;
  /** Says what a project may have been before, and takes up what certainly is its own; none in a hook by itself. */
  readonly arrive?: ((place: Place) => Promise<string | undefined>) | undefined;
  /** Updates the index from a folder. */
  sync(folder: MemoryFolder): Promise<unknown>;
  /** Brings index and `MEMORY.md` in step with files that were changed; `warn` takes failures. */
  follow(changed: readonly ChangedFolder[], warn: (message: string) => void): Promise<unknown>;
  /** Updates the index from folders, as far as a prompt can wait for it. */
  freshen(folders: readonly MemoryFolder[]): Promise<void>;
  /** Loads the vectors of folders into memory before the next prompt needs them. */
  warm(folders: readonly MemoryFolder[]): Promise<void>;
  /** Starts to capture the queue. */
  captureSoon(news?: CaptureNews): void;
  /** Claude Code's own process, if the hook could find it. */
  readonly pid: number | undefined;
  /** Whether the session is known to have no login and no settings of its own. */
  readonly isPlain: boolean;
  /** Runs work after the answer, so that the prompt does not wait for it; the work learns whether the hook took it. */
  defer(work: (isTaken: boolean) => unknown): void;
}

/** The answer without text. */
export const SILENT: HookOutput = {};

/** Text for the model, in the one form that reaches it after every event; undefined for none. */
export function additionalContext(event: ContextEventName, text: string | undefined): HookOutput {
  if (text === undefined) return SILENT;
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}

/** Answers hook events of one kind; if it throws, the hook prints no memory, and the log has the reason. */
export type EventHandler<Name extends HookEventName = HookEventName> = (
  event: HookEvent<Name>,
  context: EventContext,
) => Promise<HookOutput>;

/** Answers events of one kind for a feature, beside the core; `isPaused`: the user has paused memo in the session. */
export type EventAnswer<Name extends HookEventName = HookEventName> = (
  event: HookEvent<Name>,
  context: EventContext,
  isPaused: boolean,
) => Promise<HookOutput>;

/** What features answer, by event. */
export type Answers = { readonly [Name in HookEventName]?: EventAnswer<Name> };

/**
 * What a person types as a prompt to memo itself, such as `memo pause`; the plugin has `/memo:pause` too, and `memo undo`
 * may name a memory.
 */
export const SPOKEN = ["pause", "undo"] as const;

const COMMAND = /^\s*(?:\/memo:|memo )(?:(pause)|(undo)(?:\s+(\S.*?))?)[.!]?\s*$/i;

/** The command that a prompt is, and what follows it; undefined: it is a prompt for the model. */
export function spokenIn(
  event: HookEvent,
): { readonly command: typeof SPOKEN[number]; readonly rest: string } | undefined {
  if (event.name !== "UserPromptSubmit" || event.isSubagent) return undefined;
  const [match, pause, , rest = ""] = COMMAND.exec(event.prompt) ?? [];
  return match === undefined ? undefined : { command: pause ? "pause" : "undo", rest };
}

/** Tells model and person what came of a command: `state` goes on from `memo `, as in `memo is paused`. */
export function answerSpoken(state: string): HookOutput {
  return {
    ...additionalContext(
      "UserPromptSubmit",
      `memo, the user's memory across sessions, ${state}. Say so in one sentence, and do nothing else.`,
    ),
    systemMessage: `memo ${state}`,
  };
}
