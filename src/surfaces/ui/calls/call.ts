import * as z from "zod";
import type { Engine } from "../../../core/engine/engine.ts";
import type { Log } from "../../../core/files/log.ts";
import type { Found } from "../../../core/ledger/find.ts";
import { readMemoryFile } from "../../../core/memory/folder.ts";
import type { Place } from "../../../core/memory/scopes.ts";
import { codeOf, MemoError } from "../../../errors.ts";
import type { Doing } from "../../../features/verbs/changed.ts";
import type { Env, Paths } from "../../../paths.ts";
import { refreshFolders } from "../catalogue.ts";
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
  readonly listed: Listed;
  now(): Date;
}

/** A call of the page, whatever it takes and gives. */
export interface Call {
  readonly name: string;
  /** Whether it changes something; then it goes through `src/core/change` and answers with `{said, group}`. */
  readonly writes: boolean;
  readonly params: z.ZodObject;
  /** Answers with JSON; a MemoError that it throws is shown to the person. */
  run(params: never, context: CallContext): Promise<unknown>;
}

/** Defines a call: what `run` takes is what its schema says. */
export function defineCall<Params extends z.ZodObject>(
  call: Omit<Call, "params" | "run"> & {
    readonly params: Params;
    run(params: z.output<Params>, context: CallContext): Promise<unknown>;
  },
): Call {
  return call;
}

/** An id that the page was given. */
export const idSchema = z.string().min(1).max(40);

/** The reply of a call that changes something; without a group nothing has changed. */
export interface Reply {
  readonly said: string;
  readonly group?: string | undefined;
  /** Why what has changed cannot be undone here. */
  readonly isFinal?: string;
}

/** The reply to what a verb has done. */
export function replyOf({ said, group, isFinal }: Reply): Reply {
  return { said, group, ...isFinal !== undefined && { isFinal } };
}

/** Defines a call that changes what an id names. */
export function defineDecision(
  name: string,
  run: (id: string, context: CallContext) => Promise<Reply>,
): Call {
  return defineCall({
    ...{ name, writes: true, params: z.strictObject({ id: idSchema }) },
    run: async ({ id }, context) => replyOf(await run(id, context)),
  });
}

/** The memory with an id, as its file is now; throws a `not-found` MemoError for an unknown id or a missing file. */
export function memoryOf(id: string, { listed }: CallContext): Found {
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
export function doingFor(context: CallContext): Doing {
  const { engine, now, log } = context;
  const warn = (failed: string) => log("change", { failed });
  return {
    now: now(),
    sync: (changed) => {
      refreshFolders(context);
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

/**
 * The memories that the page has been told of, each by an opaque id: a path that the page sends is never used. The id
 * of a path is the same for as long as the page is open.
 */
export class Listed {
  readonly #secret = randomBytes(16);
  readonly #byId = new Map<string, ListedMemory>();

  /** The id of a memory, by which the page may name it from now on. */
  idOf(memory: ListedMemory): string {
    const id = createHash("sha256").update(this.#secret).update(memory.path).digest("base64url")
      .slice(0, 16);
    this.#byId.set(id, memory);
    return id;
  }

  /** The memory with an id; throws a `not-found` MemoError for one that the page was never given. */
  get(id: string): ListedMemory {
    const memory = this.#byId.get(id);
    if (memory !== undefined) return memory;
    throw new MemoError("not-found", "There is no such memory on this page", {
      hint: "Reload the list",
    });
  }
}
