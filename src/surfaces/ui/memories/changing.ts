// What every call shares that changes memories: ids become memories that are there, the changes of one call are one
// group, and the reply says what was done, with the group that `undo` takes back.

import * as z from "zod";
import { refuseForeign } from "../../../core/change/own.ts";
import { codeOf, MemoError } from "../../../errors.ts";
import type { Found } from "../../../core/ledger/find.ts";
import { readMemoryFile } from "../../../core/memory/folder.ts";
import type { Doing } from "../../../features/verbs/changed.ts";
import { type Call, type CallContext, defineCall } from "../calls/call.ts";
import { lookAgain } from "./catalogue.ts";

/** Memories that one call changes. */
export const MOST_IDS = 2000;

/** The id of a change, after which a version was there. */
export const versionSchema = z.string().regex(/^[0-9a-f]{10}$/);
export const idSchema = z.string().min(1).max(40);
export const idsSchema = z.array(idSchema).min(1).max(MOST_IDS);

/** The reply of a call that changes something; without a group nothing has changed. */
export interface Reply {
  readonly said: string;
  readonly group?: string | undefined;
  /** Why what has changed cannot be undone here. */
  readonly isFinal?: string;
}

/** What a verb has done, as the page is told of it. */
export function replyOf({ said, group, isFinal }: Reply): Reply {
  return { said, group, ...isFinal !== undefined && { isFinal } };
}

/** Defines a call that decides about what some ids name, each once. */
export function defineDecision(
  name: string,
  run: (ids: readonly string[], context: CallContext) => Promise<Reply>,
): Call {
  return defineCall({
    ...{ name, writes: true, params: z.strictObject({ ids: idsSchema }) },
    run: async ({ ids }, context) => replyOf(await run([...new Set(ids)], context)),
  });
}

/** The memory with an id, as its file is now; throws a `not-found` MemoError if the page was not told of it, or it is gone. */
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

/** The memories with some ids, each once. */
export function memoriesOf(ids: readonly string[], context: CallContext): Found[] {
  return [...new Set(ids)].map((id) => memoryOf(id, context));
}

/** The same; throws before any change if one of them may not be changed. */
export function ownMemories(ids: readonly string[], what: string, context: CallContext): Found[] {
  const found = memoriesOf(ids, context);
  for (const each of found) refuseForeign(each, what);
  return found;
}

/** Where the page makes changes: as a command of the person, of whom nobody needs to be told. */
export function doingFor(context: CallContext): Doing {
  const { engine, now, log } = context;
  const warn = (failed: string) => log("change", { failed });
  return {
    now: now(),
    sync: (changed) => {
      lookAgain(context);
      return engine.follow(changed, warn);
    },
    warn,
    pause: () => engine.yieldToPrompts(),
  };
}
