// A hook's stdin, narrowed once: handlers see these types, and nothing else reads Claude Code's field names.

import { type ContextEventName, hookEvent, type HookEventName } from "../../hooks/events.ts";
import type {
  HookInputBase,
  HookInputs,
  HookOutput,
  SessionStartInput,
  Unchecked,
} from "../../hooks/wire.ts";
import type { Config } from "../settings/config.ts";
import type { Index } from "../index/memory_index.ts";
import type { Log } from "../files/log.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Paths } from "../paths.ts";
import type { LiveBranches } from "../transcript/live_branch.ts";
import type { Prefetches } from "../recall/prefetch.ts";
import type { Tasks } from "../recall/tasks.ts";
import type { Ask } from "../../strategies/strategy.ts";

/** What every hook event tells, checked. */
export interface EventBase {
  /** undefined when the client sent none. */
  readonly session: string | undefined;
  readonly promptId: string | undefined;
  readonly cwd: string;
  /** The session's JSONL file, which need not exist yet. */
  readonly transcript: string | undefined;
  /** It happened inside a subagent, or in the agent that writes a compaction's summary, and not in the conversation. */
  readonly isSubagent: boolean;
}

const SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const satisfies readonly (
  SessionStartInput["source"]
)[];

/** What each event tells besides, checked; what memo does not use is left out. */
const DETAILS = {
  SessionStart: ({ source, seconds_since_last_response: seconds }) => ({
    source: SOURCES.find((known) => known === source),
    /** Seconds since the model's last answer, when a conversation goes on. */
    sinceAnswer: typeof seconds === "number" ? seconds : undefined,
  }),
  UserPromptSubmit: ({ prompt, source }) => ({
    prompt: textOf(prompt) ?? "",
    source: textOf(source),
  }),
  /** The subagent that a tool call is about to start, and its task. */
  PreToolUse: ({ tool_input, tool_use_id }) => ({
    call: textOf(tool_use_id),
    agentType: textOf(fieldsOf(tool_input)["subagent_type"]),
    task: textOf(fieldsOf(tool_input)["prompt"]),
  }),
  SubagentStart: ({ agent_id, agent_type }) => ({
    agent: textOf(agent_id),
    agentType: textOf(agent_type),
  }),
  /** The file that a tool has written, or the subagent that it has started. */
  PostToolUse: ({ tool_input, tool_use_id, tool_response }) => ({
    call: textOf(tool_use_id),
    file: textOf(fieldsOf(tool_input)["file_path"]),
    agent: textOf(fieldsOf(tool_response)["agentId"]),
  }),
  PostToolBatch: () => ({}),
  /** What the model said last, which the transcript may not have yet. */
  Stop: ({ last_assistant_message }) => ({ said: textOf(last_assistant_message) }),
  PreCompact: () => ({}),
  PostCompact: ({ compact_summary }) => ({ summary: textOf(compact_summary) }),
  SessionEnd: () => ({}),
} satisfies { readonly [Name in HookEventName]: (input: Unchecked<HookInputs[Name]>) => object };

type Details<Name extends HookEventName> = ReturnType<typeof DETAILS[Name]>;

/** A hook event that memo acts on; `HookEvent<"Stop">` is one kind of it. */
export type HookEvent<Name extends HookEventName = HookEventName> = {
  readonly [Kind in Name]: EventBase & { readonly name: Kind } & Readonly<Details<Kind>>;
}[Name];

/** Reads what came on a hook's stdin; undefined for anything but an event that memo acts on. */
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
    isSubagent: fields.agent_id !== undefined || fields.agent_type === "",
    ...details(input),
  } as HookEvent;
}

/** A value when it is a text with something in it. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The fields of a value, none if it is no object. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

/** What capture can only know from a hook. */
export interface CaptureNews {
  /** What the model said last in a transcript, which may not have it yet. */
  readonly said?: { readonly transcript: string; readonly text: string } | undefined;
  /** Whether what has failed is to be tried again now. */
  readonly isFresh?: boolean;
}

/** What an event's handler works with. */
export interface EventContext {
  readonly paths: Paths;
  readonly log: Log;
  /** The folder that Claude Code runs in; the model may have changed the working directory since. */
  readonly projectDir: string;
  /** The memory folders that count for the event's working directory. */
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  now(): Date;
  /** Runs work on the index; a damaged one is made again. */
  withIndex<T>(work: (index: Index) => Promise<T>): Promise<T>;
  /** Makes a text's vector; undefined where there is no time to load a model. */
  readonly embed: ((text: string) => Promise<Float32Array>) | undefined;
  /** Takes secrets out of a text. */
  redact(text: string, own: readonly RegExp[]): Promise<string>;
  /** Asks a language model; undefined where none may be asked. */
  readonly ask: Ask | undefined;
  /** What earlier prompts have asked and not been given yet. */
  readonly prefetches: Prefetches;
  /** The calls whose subagents have not started yet. */
  readonly tasks: Tasks;
  /** The conversations as their transcripts have them. */
  readonly branches: LiveBranches;
  /** Brings the index in step with a folder. */
  sync(folder: MemoryFolder): Promise<unknown>;
  /** Brings the index in step with folders as far as a prompt can wait for that. */
  freshen(folders: readonly MemoryFolder[]): Promise<void>;
  /** Takes the vectors of folders into memory before the next prompt needs them. */
  warm(folders: readonly MemoryFolder[]): Promise<void>;
  /** Begins to capture what waits for it. */
  captureSoon(news?: CaptureNews): void;
  /** Claude Code's own process, where the hook could tell. */
  readonly pid: number | undefined;
  /** Whether the session is known to have no login and no settings of its own. */
  readonly isPlain: boolean;
  /** Does work once the answer is out, so that the prompt does not wait for it; the work learns if the hook took it. */
  afterwards(work: (isTaken: boolean) => unknown): void;
}

/** Nothing to say. */
export const SILENT: HookOutput = {};

/** Text for the model, in the one form that reaches it after every event; undefined: nothing to say. */
export function additionalContext(event: ContextEventName, text: string | undefined): HookOutput {
  if (text === undefined) return SILENT;
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}

/** Answers hook events of one kind. It may throw: the hook then says nothing, and the log says why. */
export type EventHandler<Name extends HookEventName = HookEventName> = (
  event: HookEvent<Name>,
  context: EventContext,
) => Promise<HookOutput>;
