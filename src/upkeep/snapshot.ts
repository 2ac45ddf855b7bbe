// The previous state of files before a change to many of them, so that it can be undone.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { digestOf } from "../memory/trust.ts";

interface Kept {
  readonly path: string;
  /** Its text; null: the file did not exist. */
  readonly before: string | null;
  /** Digest of the file after the change; null: no file; undefined: the change was interrupted. */
  readonly after?: string | null;
}

/** A change with the files that it touches. */
export interface Snapshot {
  readonly file: string;
  readonly at: string;
  readonly kept: readonly Kept[];
}

/** Changes some files so that `undoLast` can restore them, even if the change is killed halfway. */
export async function changeWithUndo(
  folder: string,
  { paths, now, change }: {
    readonly paths: readonly string[];
    readonly now: Date;
    readonly change: () => Promise<void>;
  },
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = now.toISOString();
  const file = join(folder, `${at.replace(/\W/g, "")}.json`);
  const kept = [...new Set(paths)].map((path): Kept => ({ path, before: textOf(path) ?? null }));
  const write = (kept: readonly Kept[]) =>
    writeFileAtomic(file, JSON.stringify({ at, kept }) + "\n");
  write(kept);
  await change();
  write(kept.map((each) => ({ ...each, after: digestIn(each.path) })));
}

/** The last change not undone yet. */
export function lastChange(folder: string): Snapshot | undefined {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".json")).sort()
    : [];
  const file = names.length === 0 ? undefined : join(folder, names.at(-1)!);
  return file === undefined ? undefined : { file, ...JSON.parse(readFileSync(file, "utf8")) };
}

/** Restores files to their previous state; leaves alone, and returns, those that have changed since. */
export function undo({ file, kept }: Snapshot): string[] {
  const changed: string[] = [];
  for (const { path, before, after } of kept) {
    if (after !== undefined && digestIn(path) !== after) changed.push(path);
    else if (before === null) rmSync(path, { force: true });
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileAtomic(path, before);
    }
  }
  rmSync(file, { force: true });
  return changed;
}

function digestIn(path: string): string | null {
  const text = textOf(path);
  return text === undefined ? null : digestOf(text);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
