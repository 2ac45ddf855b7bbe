import type * as z from "zod";
import type { Similar } from "../../core/capture/remember.ts";
import type { Surroundings } from "../../core/change/follow.ts";
import type { Embedder } from "../../core/embed/mod.ts";
import type { Index } from "../../core/index/mod.ts";
import type { ToolName, WritesOf } from "../../core/link/tools.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import type { Env } from "../../paths.ts";
import type { Here } from "../../core/settings/config.ts";
import type { Ask } from "../../../strategies/strategy.ts";

/** The conversation that a tool is called from. */
export interface ToolSession {
  readonly id: string;
  /** Its JSONL file. */
  readonly transcript: string | undefined;
}

/** What tools work with that only read. */
export interface ToolContext extends Here {
  readonly env: Env;
  readonly session: ToolSession | undefined;
  /** Runs work on the index, which is up to date with the folders. */
  withIndex<T>(work: (index: Index) => Promise<T>): Promise<T>;
  embed(text: string): Promise<Float32Array>;
  /** Asks a language model; undefined if none may be asked. */
  readonly ask: Ask | undefined;
}

/** What tools work with that write memories. */
export interface WritingContext extends ToolContext {
  /** The embedding model, loaded when it is asked for. */
  embedder(): Promise<Embedder>;
  /** The memories of some folders nearest to a text. */
  similar(text: string, folders: readonly MemoryFolder[]): Promise<readonly Similar[]>;
  /** Where memories are changed, with notices of it for the person. */
  readonly surroundings: Surroundings;
}

/** What a client may tell the person about a call before it runs it. */
interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond memo's own files. */
  readonly openWorldHint: boolean;
}

/** A tool, whatever it takes and gives. */
export interface Tool {
  readonly name: ToolName;
  /** The name that people see. */
  readonly title: string;
  /** Tells the model when to call it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether it writes memories: then no settings allow it, and no subagent runs it unasked. */
  readonly writes: boolean;
  /** Where it differs from a tool of its kind: see `annotationsOf`. */
  readonly annotations?: Partial<Omit<Annotations, "readOnlyHint">>;
  /** Offered with every request; Claude Code looks up the other ones by name when it needs them. */
  readonly isAlwaysLoaded?: true;
  /** Runs it with checked arguments, and returns text for a model; a MemoError that it throws is shown to it. */
  run(input: never, context: WritingContext): Promise<string>;
}

/** A tool as its file defines it: what `run` takes is what its schema says. */
interface Definition<
  Name extends ToolName,
  Input extends z.ZodObject,
> extends Tool {
  readonly name: Name;
  readonly input: Input;
  readonly writes: WritesOf<Name>;
  run(
    input: z.output<Input>,
    context: WritesOf<Name> extends true ? WritingContext : ToolContext,
  ): Promise<string>;
}

/** Defines a tool. `memo mcp` loads its file to describe it, so the file imports in `run` what only a call needs. */
export function defineTool<
  Name extends ToolName,
  Input extends z.ZodObject,
>(tool: Definition<Name, Input>): Definition<Name, Input> {
  return tool;
}

/** The annotations of a tool: it destroys nothing and stays on this machine, unless its row says otherwise. */
export function annotationsOf({ writes, annotations }: Tool): Annotations {
  return {
    readOnlyHint: !writes,
    destructiveHint: false,
    idempotentHint: !writes,
    openWorldHint: false,
    ...annotations,
  };
}
