// What a person has said of two memories that are alike: they are two. It is a line in the log of each, so that it
// travels with the folder and can be undone; a memory whose text changes is compared anew.

import { basename } from "node:path";
import { wayTo } from "../ledger/archive.ts";
import { statsOf } from "../files/stats.ts";
import { changeLog, type Logged, logged, readChanges } from "../ledger/change_log.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { realPath } from "../memory/project.ts";
import { keyOf } from "../memory/suggested.ts";

/** A memory in its folder. */
export interface Placed {
  readonly memory: Memory & { readonly path: string };
  readonly folder: MemoryFolder;
}

type Text = Pick<Memory, "name" | "body"> & Partial<Pick<Memory, "description">>;

/** The pairs that a person has said are two, and not undone since. */
export class DistinctPairs {
  readonly #pairs: ReadonlySet<string>;

  /** By the changes that the logs of their folders have. */
  constructor(changes: readonly Logged[]) {
    this.#pairs = new Set(
      changes.flatMap(({ what, key, apart, undone }) =>
        what === "apart" && !undone && key !== undefined && apart !== undefined
          ? [pairOf(key, apart)]
          : []
      ),
    );
  }

  /** Whether two memories, as they are worded now, are such a pair. */
  has(a: Text, b: Text): boolean {
    return this.#pairs.size > 0 && this.#pairs.has(pairOf(keyOfText(a), keyOfText(b)));
  }
}

/** What a person has said of the memories of some folders; prompt after prompt asks for the same ones. */
export function distinctIn(folders: readonly MemoryFolder[]): DistinctPairs {
  const stamp = folders.map((folder) => {
    const { ino, mtimeMs, size } = statsOf(changeLog(folder)) ?? {};
    return `${folder.path}\n${ino} ${mtimeMs} ${size}`;
  }).join("\n");
  if (lastRead?.stamp !== stamp) {
    lastRead = { stamp, pairs: new DistinctPairs(readChanges(folders)) };
  }
  return lastRead.pairs;
}

let lastRead: { readonly stamp: string; readonly pairs: DistinctPairs } | undefined;

/** Notes that memories are several, each from each other, as one change. */
export function markDistinct(
  memories: readonly Placed[],
  { group, now }: { readonly group: string; readonly now: Date },
): void {
  for (const [i, { memory, folder }] of memories.entries()) {
    for (const other of memories.filter((_, j) => j !== i)) {
      const { name, type, path } = memory;
      const file = wayTo(realPath(path), realPath(folder.path)) || basename(path);
      logged(folder, {
        at: now.toISOString(),
        what: "apart",
        name,
        type,
        file,
        group,
        key: keyOf(memory),
        apart: keyOf(other.memory),
      }, () => {});
    }
  }
}

function keyOfText({ name, description = "", body }: Text): string {
  return keyOf({ name, description, body });
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
