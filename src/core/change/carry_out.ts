// Applies changes in order, and follows them up. It can be cut short anywhere and repeated: what is done is recognized and
// skipped, and a memory that somebody has changed since the decision is left alone.

import { MemoError, messageOf } from "../../errors.ts";
import { refuseForModel } from "./by_model.ts";
import type { Add, Change, FileChange } from "./change.ts";
import { follow, type Surroundings } from "./follow.ts";
import { basename, dirname, join } from "node:path";
import { appendEntry } from "../journal/journal.ts";
import { bytesOf } from "../ledger/archive.ts";
import { memoryIn } from "../memory/file.ts";
import type { ChangeKind } from "../ledger/change_log.ts";
import { isWithin } from "../memory/project.ts";
import { refuseOutside } from "../memory/folder.ts";
import { noteChanged } from "../memory/list.ts";
import type { Memory } from "../memory/memory.ts";
import { numbered } from "../memory/title.ts";
import { digestOf, vouchFor } from "../memory/trust.ts";
import { archive, create, redact, rewrite } from "./file.ts";

/** Applies changes and follows them up, also those that were made before one failed. */
export async function carryOut(
  changes: readonly Change[],
  surroundings: Surroundings & Pick<ApplyOptions, "onStep" | "onDone" | "onFailure" | "pause">,
): Promise<Applied> {
  const done: Done[] = [];
  const onDone = (each: Done) => {
    done.push(each);
    surroundings.onDone?.(each);
  };
  if (surroundings.isByModel) refuseForModel(changes);
  try {
    return await applyChanges(changes, { ...surroundings, onDone });
  } finally {
    await follow(done, surroundings);
  }
}

/** Carries out one change; throws a `file` MemoError if somebody has changed the memory since it was decided. */
export async function carryOutOne(change: FileChange, surroundings: Surroundings): Promise<Done> {
  const { done: [done] } = await carryOut([change], surroundings);
  if (done !== undefined) return done;
  throw new MemoError(
    "file",
    `Cannot change \`${
      "path" in change ? change.path : change.file
    }\`: it has changed since it was read`,
    { hint: "Run the command again" },
  );
}

/** A change that is done. */
export interface Done {
  readonly change: FileChange;
  /** The memory's file; for an archived memory, where it was. */
  readonly path: string;
  /** The version before, in the archive. */
  readonly archived?: string | undefined;
  /** The memory as it is now, or as it was archived. */
  readonly memory: Memory;
  /** Its name before, if there was one. */
  readonly was?: string | undefined;
}

/** The result of applying changes. */
export interface Applied {
  readonly done: readonly Done[];
  /** Changes that were not made because somebody has changed the memory, or one of their group, since. */
  readonly left: readonly FileChange[];
}

export interface ApplyOptions {
  readonly now: Date;
  /** Called before each change, so that a test can stop there. */
  readonly onStep?: ((change: Change) => void) | undefined;
  /** Awaited before each change, so that others go on meanwhile. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly onDone?: ((done: Done) => void) | undefined;
  /** Takes changes that failed or were left, and why, and the rest goes on; default: the first failure is thrown. */
  readonly onFailure?: ((change: FileChange, because: string) => void) | undefined;
}

/** Throws for a copy of a team's memory: it follows from what the team has approved. */
function refuseCopy({ folder: { scope, path } }: FileChange): void {
  if (scope !== "team") return;
  throw new MemoError("usage", `Cannot change \`${path}\`: it is a copy of a team's memory`, {
    hint: "Run `memo share MEMORY --to TEAM` to propose a memory or a change",
  });
}

/** What a file is to a change: as it was decided about, as it is to be, or as somebody has made it since. */
type FileState = "before" | "done" | "changed";

/**
 * Applies changes in order. Changes of one group go together: if a memory of it has changed since, none of the group is
 * replaced or archived; new memories are added all the same, because they take nothing away. Rejects with a `file`
 * MemoError if a folder cannot be written to.
 */
export async function applyChanges(
  changes: readonly Change[],
  options: ApplyOptions,
): Promise<Applied> {
  const { onStep, onDone, onFailure } = options;
  const done: Done[] = [];
  const left: FileChange[] = [];
  const added = new Set<string>();
  const groups = Map.groupBy(
    changes.entries(),
    ([i, change]) => change.kind === "journal" ? i : change.group ?? i,
  );
  for (const group of groups.values()) {
    const states = group.map(([, change]) => stateOf(change));
    const isLeft = !states.includes("done") && states.includes("changed");
    for (const [i, [, change]] of group.entries()) {
      if (change.kind === "journal") {
        onStep?.(change);
        await appendEntry(change);
        continue;
      }
      refuseCopy(change);
      await options.pause?.();
      if (change.kind !== "add" && (isLeft || states[i] === "changed")) {
        left.push(change);
        onFailure?.(change, "it has changed since");
        continue;
      }
      try {
        if (states[i] !== "done") onStep?.(change);
        const isDone = states[i] === "done";
        noteChanged(change.folder);
        const result = await apply(change, { now: options.now, added, isDone });
        done.push(result);
        onDone?.(result);
      } catch (error) {
        if (onFailure === undefined) throw error;
        onFailure(change, messageOf(error));
      }
    }
  }
  return { done, left };
}

function stateOf(change: Change): FileState {
  if (change.kind === "journal" || change.kind === "add") return "before";
  const { path, folder } = change;
  refuseOutside(path, folder.path);
  const there = bytesOf(path, folder.path);
  const digest = there && digestOf(there);
  if (digest === change.before) return "before";
  if (change.kind === "archive") return digest === undefined ? "done" : "changed";
  if (digest === digestOf(change.text)) return "done";
  return change.kind === "replace" && change.orAdd ? "before" : "changed";
}

interface ApplyStep {
  readonly now: Date;
  /** The files that this run has added. */
  readonly added: Set<string>;
  readonly isDone: boolean;
}

async function apply(change: FileChange, step: ApplyStep): Promise<Done> {
  if (change.kind === "add") return await add(change, step);
  const { path, folder, kind } = change;
  const there = bytesOf(path, folder.path);
  const was = there && memoryIn(there, path);
  const options = { ...change, now: step.now };
  if (kind === "archive") {
    const memory = was ?? memoryIn("", path);
    if (step.isDone) return { change, path, memory };
    const archived = archive(path, folder, options);
    return { change, path, memory, archived };
  }
  const memory = memoryIn(change.text, path);
  if (step.isDone) return { change, path, memory };
  if (kind === "redact") {
    return { change, memory, path: redact(path, change.text, folder, options) };
  }
  if (there === undefined || digestOf(there) !== change.before) {
    // Somebody has changed the file since: the text becomes a memory of its own.
    const added = await add({ ...change, kind: "add", file: basename(path) }, step);
    return { ...added, change };
  }
  if (!change.keepsTrust) await vouchFor(folder, digestOf(change.text), change.before);
  const archived = rewrite(path, change.text, folder, options);
  return { change, path, memory, was: was?.name, archived };
}

/** Adds a memory, unless an earlier attempt has: its file is known by its text, a captured one also by name and turn. */
async function add(change: Add, { now, added }: ApplyStep): Promise<Done> {
  const { folder, file, text } = change;
  const wanted = join(folder.path, file);
  if (!isWithin(wanted, folder.path)) {
    throw new MemoError("file", `Cannot add \`${wanted}\`: it is outside \`${folder.path}\``);
  }
  const memory = memoryIn(text, wanted);
  for (let n = 1;; n++) {
    const path = n === 1 ? wanted : join(dirname(wanted), numbered(basename(wanted), n));
    if (added.has(path)) continue; // not even read: an import can add thousands of one name
    const there = bytesOf(path, folder.path);
    if (there === undefined) break;
    if (isSame(there, change)) {
      added.add(path);
      return { change, path, memory };
    }
  }
  await vouchFor(folder, digestOf(text));
  const options = { ...change, now };
  const path = create(file, text, folder, options);
  if (change.isOld) return { change, memory, path: archive(path, folder, options) };
  added.add(path);
  return { change, path, memory };
}

/** Whether a file holds a memory that was to be added; what was captured may have been edited since. */
function isSame(there: Uint8Array, { what, text }: Add): boolean {
  if (digestOf(there) === digestOf(text)) return true;
  const old = memoryIn(there, "");
  const own = memoryIn(text, "");
  return CAPTURED.includes(what) && old.name === own.name && own.source?.turn !== undefined &&
    old.source?.turn === own.source.turn;
}

/** What a capture does that adds a memory. */
const CAPTURED: readonly ChangeKind[] = ["add", "supersede", "confirm"];
