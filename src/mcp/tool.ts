import type * as z from "zod";
import type { Similar } from "../capture/similar.ts";
import type { Applied } from "../change/apply.ts";
import type { Change } from "../change/change.ts";
import type { Log } from "../files/log.ts";
import type { Index } from "../index/memory_index.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Place } from "../memory/scopes.ts";
import type { Env, Paths } from "../paths.ts";
import type { Config } from "../settings/config.ts";
import type { Ask } from "../../strategies/strategy.ts";

/** The conversation that a tool is called from. */
export interface ToolSession {
  readonly id: string;
  /** Its JSONL file. */
  readonly transcript: string | undefined;
}

/** What tools work with. */
export interface ToolContext {
  readonly paths: Paths;
  readonly place: Place;
  /** The memory folders that apply at the place. */
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  readonly env: Env;
  readonly log: Log;
  readonly session: ToolSession | undefined;
  now(): Date;
  /** Runs work on the index, which is up to date with the folders. */
  withIndex<T>(work: (index: Index) => Promise<T>): Promise<T>;
  embed(text: string): Promise<Float32Array>;
  /** Asks a language model; undefined if none may be asked. */
  readonly ask: Ask | undefined;
  /** The memories of some folders nearest to a text. */
  similar(text: string, folders: readonly MemoryFolder[]): Promise<readonly Similar[]>;
  /** Changes memories, and leaves notices of it for the person. */
  change(changes: readonly Change[]): Promise<Applied>;
}

/** The result of a tool: data for programs, and the same as text for a model. */
export interface ToolResult<Data = unknown> {
  readonly data: Data;
  readonly text: string;
}

/** A tool's module: runs it with checked arguments; a MemoError that it throws is shown to the model. */
export interface ToolModule<Input = never, Data = unknown> {
  run(input: Input, context: ToolContext): Promise<ToolResult<Data>>;
}

/** What a client may tell the person about a call before it runs it. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond memo's own files. */
  readonly openWorldHint: boolean;
}

/** One row of the table of tools. */
export interface Tool {
  readonly name: string;
  /** The name that people see. */
  readonly title: string;
  /** Tells the model when to call it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: Annotations;
  /** Offered with every request; Claude Code looks up the other ones by name when it needs them. */
  readonly isAlwaysLoaded?: true;
  /** Loads the module; only tools that are called are loaded. */
  readonly load: () => Promise<ToolModule>;
}
