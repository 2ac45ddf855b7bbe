import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { codeOf, messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { parseMemory } from "../memory/file.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { archive, makeFolder, refuseOutside } from "../memory/store.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import { freePath } from "./drafts.ts";
import { appendEntry } from "../journal/write.ts";
import { type Action, hashOf, type Plan } from "./plan.ts";

/** What applying a plan is told about the world. */
export interface ApplyContext {
  readonly now: () => Date;
  readonly log: Log;
  /** Called before each change to a file system, so that a test can end things there. */
  readonly onStep?: (() => void) | undefined;
}

/** What a plan has done. */
export interface Applied {
  /** Memory files that are there now because of it. */
  readonly written: readonly string[];
  /** Folders whose memories have changed: the index is to follow. */
  readonly folders: readonly MemoryFolder[];
}

type Of<K extends Action["kind"]> = Extract<Action, { kind: K }>;

/**
 * Does what a plan says, in its order. It may be cut short anywhere and done again: what is done is passed over. A file that
 * has changed since the plan was made stays as it is. Rejects with a `file` MemoError when a folder cannot be written to.
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
      context.log("capture", { folder: folder.path, failed: messageOf(error) }); // it is made again
    }
  }
  return { written, folders: [...folders.values()] };
}

/** Writes a new memory and returns where it lies. */
function write({ path, folder, text, before }: Of<"write">, context: ApplyContext): string {
  const own = parseMemory(text, { fallbackName: "" }).memory;
  /** The file is this memory, which somebody may have changed since. */
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
  if (there !== undefined && isOurs(there)) return place;
  makeFolder(folder);
  refuseOutside(place, folder.path);
  if (there !== undefined) {
    context.onStep?.();
    archive(place, folder, context.now());
  }
  context.onStep?.();
  writeFileAtomic(place, text);
  return place;
}

function confirm({ path, folder, text, before }: Of<"confirm">, context: ApplyContext): void {
  if (!isStill(path, before)) return;
  refuseOutside(path, folder.path);
  context.onStep?.();
  writeFileAtomic(path, text);
}

function archiveOld({ path, folder, before }: Of<"archive">, context: ApplyContext): void {
  if (!isStill(path, before)) return;
  context.onStep?.();
  archive(path, folder, context.now());
}

function isStill(path: string, before: string): boolean {
  const there = read(path);
  return there !== undefined && hashOf(there) === before;
}

/** The text of a file; undefined where there is none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
