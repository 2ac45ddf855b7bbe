import * as z from "zod";
import type { Engine } from "../../../core/engine/engine.ts";
import type { Log } from "../../../core/files/log.ts";
import type { FoundMemory } from "../../../core/ledger/find.ts";
import { readMemoryFile } from "../../../core/memory/folder.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { putLast } from "../../../core/text/remembered.ts";
import type { Place } from "../../../core/memory/scopes.ts";
import { codeOf, MemoError } from "../../../errors.ts";
import type { Doing } from "../../../features/verbs/changed.ts";
import type { Env, Paths } from "../../../paths.ts";
import type { Item } from "../waiting.ts";
import { createHash, randomBytes } from "node:crypto";
import type { MemoryFolder } from "../../../core/memory/memory.ts";

/** What calls work with. */
export interface CallContext {
  readonly engine: Engine;
  /** The daemon's paths, with the Claude Code folder of whoever opened the page. */
  readonly paths: Paths;
  /** Where `memo ui` was run. */
  readonly place: Place;
  /** The environment of `memo ui`, with its login. */
  readonly env: Env;
  readonly log: Log;
  /** The memories that the page was given, by the only name it has for them. */
  readonly listed: PageListing;
  now(): Date;
}

/** A call of the page, whatever it takes and gives. */
export interface PageCall {
  readonly params: z.ZodObject;
  /** Answers with JSON; a MemoError that it throws is shown to the person. */
  run(params: never, context: CallContext): unknown;
}

/** A call that only looks: what `run` takes is what its schema says. */
export function look<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (params: z.output<z.ZodObject<Shape>>, context: CallContext) => unknown,
): PageCall {
  return { params: z.strictObject(shape), run };
}

/** A call that changes something, through `src/core/change`; a reply without a group says that nothing has changed. */
export function change<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (
    params: z.output<z.ZodObject<Shape>>,
    context: CallContext,
  ) => ChangeReply | Promise<ChangeReply>,
): PageCall {
  return look(shape, async (params, context) => {
    const { said, group, isFinal } = await run(params, context);
    return { said, group, isFinal };
  });
}

/** A call that changes what an id names. */
export function decision(
  run: (id: string, context: CallContext) => ChangeReply | Promise<ChangeReply>,
): PageCall {
  return change({ id: idSchema }, ({ id }, context) => run(id, context));
}

/** An id that the page was given. */
export const idSchema = z.string().min(1).max(40);

/** What a change has done. */
export interface ChangeReply {
  readonly said: string;
  readonly group?: string | undefined;
  /** Why what has changed cannot be undone here. */
  readonly isFinal?: string;
}

/** The memory with an id, as its file is now; throws a `not-found` MemoError for an unknown id or a missing file. */
export function memoryOf(id: string, { listed }: CallContext): FoundMemory {
  const { path, folder } = listed.get(id);
  try {
    return { memory: readMemoryFile(path, folder.scope), folder, archived: false };
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
    throw new MemoError("not-found", `Cannot find \`${path}\`: it was forgotten or moved`, {
      hint: "Reload the list",
    });
  }
}

/** Where the page makes changes: as a command of the person, so that no notice tells them. */
export function doingFor({ engine, listed, now, log }: CallContext): Doing {
  const warn = (failed: string) => log("change", { failed });
  return {
    now: now(),
    sync: (changed) => {
      listed.forget("folders"); // a change may have made one
      return engine.follow(changed, warn);
    },
    warn,
    pause: () => engine.yieldToPrompts(),
  };
}

/** Where a memory is. */
interface ListedMemory {
  /** Absolute path of its file. */
  readonly path: string;
  readonly folder: MemoryFolder;
}

/** Texts that are kept for a page: what it has opened, it may change. */
const KEPT = 50;

/**
 * What the page has been told of, each by an opaque id: a path that the page sends is never used. The id of a path is
 * the same for as long as the page is open.
 */
export class PageListing {
  readonly #secret = randomBytes(16);
  readonly #byId = new Map<string, ListedMemory>();
  readonly #opened = new Map<string, Buffer>();
  readonly #made = new Map<string, { readonly at: string | number; readonly value: unknown }>();
  /** What waits for a decision, as it was last listed. */
  items: ReadonlyMap<string, Item> = new Map();

  /** The id of a memory, by which the page may name it from now on. */
  idOf(memory: ListedMemory): string {
    const id = shortDigest(this.#secret, memory.path);
    this.#byId.set(id, memory);
    return id;
  }

  /** The memory with an id; throws a `not-found` MemoError for one that the page was never given. */
  get(id: string): ListedMemory {
    const memory = this.#byId.get(id);
    if (memory !== undefined) return memory;
    throw new MemoError("not-found", "This page has no such memory", {
      hint: "Reload the list",
    });
  }

  /** Keeps a text that the page has opened, as what a change of it begins with, and returns its SHA-256. */
  keepOpened(bytes: Buffer): string {
    const digest = digestOf(bytes);
    putLast(this.#opened, digest, bytes, KEPT);
    return digest;
  }

  /** A text that the page has opened, by its SHA-256; undefined if that is long ago. */
  opened(digest: string): Buffer | undefined {
    return this.#opened.get(digest);
  }

  /** What is made once for a state, and again when that is another. */
  async made<T>(name: string, at: string | number, make: () => T | Promise<T>): Promise<T> {
    const last = this.#made.get(name);
    if (last?.at === at) return last.value as T;
    const value = await make();
    this.#made.set(name, { at, value });
    return value;
  }

  /** Has something made anew, whatever the state. */
  forget(name: string): void {
    this.#made.delete(name);
  }
}

/** An id that follows from what it stands for. */
export function shortDigest(...of: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const each of of) hash.update(each);
  return hash.digest("base64url").slice(0, 16);
}
