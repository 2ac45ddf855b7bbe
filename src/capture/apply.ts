import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { codeOf, messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import { parseMemory } from "../memory/file.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { archive, rewrite } from "../memory/store.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import { freePath } from "./drafts.ts";
import { appendEntry } from "../journal/write.ts";
import { type Action, hashOf, type Plan } from "./plan.ts";

/** The surroundings of applying a plan. */
export interface ApplyContext {
  readonly now: () => Date;
  readonly log: Log;
  /** Called before each file-system change, so that a test can stop there. */
  readonly onStep?: (() => void) | undefined;
}

/** The result of applying a plan. */
export interface Applied {
  /** Memory files that the plan has written. */
  readonly written: readonly string[];
  /** Folders whose memories have changed and that the index must follow. */
  readonly folders: readonly MemoryFolder[];
}

type Of<K extends Action["kind"]> = Extract<Action, { kind: K }>;

/**
 * Carries out a plan in order; it can be cut short anywhere and repeated, because steps already done are skipped. A
 * file that has changed since the plan was made is left alone. Rejects with a `file` MemoError if a folder cannot be
 * written to.
 */
export async function applyPlan(plan: Plan, context: ApplyContext): Promise<Applied> {
  const written: string[] = [];
  const folders = new Map<string, MemoryFolder>();
  for (const action of plan.actions) {
    if (action.kind === "journal") {
      context.onStep?.();
      await appendEntry(action);
      continue;
    }
    folders.set(action.folder.path, action.folder);
    if (action.kind === "write") written.push(write(action, context));
    else if (action.kind === "confirm") confirm(action, context);
    else archiveOld(action, context);
  }
  for (const folder of folders.values()) {
    context.onStep?.();
    try {
      writeIndexFile(folder);
    } catch (error) {
      context.log("capture", { folder: folder.path, failed: messageOf(error) }); // the index is rebuilt later
    }
  }
  return { written, folders: [...folders.values()] };
}

/** Writes a new memory and returns its path. */
function write({ path, folder, text, before, group }: Of<"write">, context: ApplyContext): string {
  const own = parseMemory(text, { fallbackName: "" }).memory;
  /** Whether the file holds this memory, possibly edited since. */
  const isOurs = (there: string) => {
    const { name, source } = parseMemory(there, { fallbackName: "" }).memory;
    return there === text || (name === own.name && source?.turn !== undefined &&
      source.turn === own.source?.turn);
  };
  const place = freePath(folder, basename(path), (path) => {
    const there = read(path);
    return there !== undefined && !isOurs(there) && hashOf(there) !== before;
  });
  const there = read(place);
  const isDone = there !== undefined && isOurs(there) && hashOf(there) !== before;
  if (isDone) return place;
  context.onStep?.();
  const what = there === undefined && group === undefined ? "add" : "supersede";
  return rewrite(place, text, folder, { what, group, now: context.now() });
}

function confirm({ path, folder, text, before }: Of<"confirm">, context: ApplyContext): void {
  if (!isStill(path, before)) return;
  context.onStep?.();
  rewrite(path, text, folder, { what: "confirm", now: context.now() });
}

function archiveOld({ path, folder, before, group }: Of<"archive">, context: ApplyContext): void {
  if (!isStill(path, before)) return;
  context.onStep?.();
  archive(path, folder, { what: "supersede", group, now: context.now() });
}

function isStill(path: string, before: string): boolean {
  const there = read(path);
  return there !== undefined && hashOf(there) === before;
}

/** The text of a file; undefined if it does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
