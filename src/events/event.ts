import type { ContextEventName, HookOutput } from "../../hooks/wire.ts";
import type { Config } from "../settings/config.ts";
import type { Index } from "../index/memory_index.ts";
import type { Log } from "../files/log.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Paths } from "../paths.ts";
import type { Prefetches } from "../recall/prefetch.ts";
import type { Ask } from "../../strategies/strategy.ts";

/** A hook event whose common fields have been checked; what is particular to it is still as it came. */
export interface HookEvent {
  readonly name: string;
  /** undefined when the client sent none. */
  readonly session: string | undefined;
  readonly promptId: string | undefined;
  readonly cwd: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads what came on a hook's stdin; undefined for what is no hook event. */
export function readEvent(input: unknown): HookEvent | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Record<string, unknown>;
  const name = textOf(fields["hook_event_name"]);
  if (name === undefined) return undefined;
  return {
    name,
    session: textOf(fields["session_id"]),
    promptId: textOf(fields["prompt_id"]),
    cwd: textOf(fields["cwd"]) ?? process.cwd(),
    fields,
  };
}

/** A value when it is a text with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
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
  /** The memory folders that count for the event's working directory. */
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  now(): Date;
  /** Runs work on the index; a damaged one is made again. */
  withIndex<T>(work: (index: Index) => Promise<T>): Promise<T>;
  /** Makes a text's vector; undefined where there is no time to load a model. */
  readonly embed: ((text: string) => Promise<Float32Array>) | undefined;
  /** Asks a language model; undefined where none may be asked. */
  readonly ask: Ask | undefined;
  /** What earlier prompts have asked and not been given yet. */
  readonly prefetches: Prefetches;
  /** Brings the index in step with a folder. */
  sync(folder: MemoryFolder): Promise<unknown>;
  /** Brings the index in step with folders as far as a prompt can wait for that. */
  freshen(folders: readonly MemoryFolder[]): Promise<void>;
  /** Begins to capture what waits for it. */
  captureSoon(news?: CaptureNews): void;
  /** Claude Code's own process, where the hook could tell. */
  readonly pid: number | undefined;
  /** Does work once the hook has its answer, so that the prompt does not wait for it. */
  afterwards(work: () => unknown): void;
}

/** Nothing to say. */
export const SILENT: HookOutput = {};

/** Text for the model, in the one form that reaches it after every event; undefined: nothing to say. */
export function additionalContext(event: ContextEventName, text: string | undefined): HookOutput {
  if (text === undefined) return SILENT;
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}

/** Answers one hook event. It may throw: the hook then says nothing, and the log says why. */
export type EventHandler = (event: HookEvent, context: EventContext) => Promise<HookOutput>;
