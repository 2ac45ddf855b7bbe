// What every call shares that changes memories: ids become memories that are there, the changes of one call are one
// group, and the reply says what was done, with the group that `undo` takes back.

import * as z from "zod";
import { carryOut } from "../../change/carry_out.ts";
import type { Applied } from "../../change/apply.ts";
import type { FileChange } from "../../change/change.ts";
import type { Surroundings } from "../../change/follow.ts";
import { refuseForeign } from "../../change/own.ts";
import { codeOf, MemoError } from "../../errors.ts";
import { newChangeId } from "../../memory/change_log.ts";
import type { Found } from "../../memory/find.ts";
import { readMemoryFile } from "../../memory/folder.ts";
import { counted } from "../../text/counted.ts";
import type { CallContext } from "../calls/call.ts";
import { lookAgain } from "./catalogue.ts";

/** Memories that one call changes. */
export const MOST_IDS = 2000;

export const idSchema = z.string().min(1).max(40);
export const idsSchema = z.array(idSchema).min(1).max(MOST_IDS);

/** The reply of a call that changes something; without a group nothing has changed. */
export interface Changed {
  readonly said: string;
  readonly group?: string;
  /** Why what has changed cannot be undone here. */
  readonly isFinal?: string;
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

/** The memories with some ids, each once; throws before any change if one of them may not be changed. */
export function ownMemories(ids: readonly string[], what: string, context: CallContext): Found[] {
  return [...new Set(ids)].map((id) => {
    const found = memoryOf(id, context);
    refuseForeign(found, what);
    return found;
  });
}

/** Where the page makes changes: as a command of the person, of whom nobody needs to be told. */
export function surroundingsFor(context: CallContext): Surroundings {
  const { engine, now, log } = context;
  const warn = (failed: string) => log("change", { failed });
  return {
    now: now(),
    sync: (changed) => {
      lookAgain(context);
      return engine.follow(changed, warn);
    },
    warn,
  };
}

/** Makes changes as one group, and says so: `verb` is what was done to the memories that changed. */
export async function changeAs(
  verb: string,
  changesOf: (group: string) => readonly FileChange[],
  context: CallContext,
): Promise<Changed & Applied> {
  const group = newChangeId();
  const changes = changesOf(group);
  const { done, left } = await carryOut(changes, {
    ...surroundingsFor(context),
    pause: () => context.engine.yieldToPrompts(),
  });
  if (done.length === 0 && left.length > 0) {
    throw new MemoError("file", "Cannot do that: a memory has changed since it was read", {
      hint: "Look at it again",
    });
  }
  const added = done.filter(({ change }) => change.kind === "add").length;
  return {
    said: `${verb} ${memoriesIn(done.map(({ memory }) => memory), added)}${stayed(left.length)}`,
    group,
    done,
    left,
  };
}

/** What is said of memories that somebody has changed since they were decided about. */
export function stayed(count: number): string {
  return count === 0 ? "" : `; ${counted(count, "memory", "memories")} changed since and stayed`;
}

/** What some changes were about, in words. A memory that was moved was added in one place, and archived in another. */
export function memoriesIn(changed: readonly { readonly name: string }[], added: number): string {
  const count = Math.max(added, changed.length - added);
  return count === 1 ? `“${changed[0]!.name}”` : counted(count, "memory", "memories");
}
