// The files of a work tree, bounded in time and size.

import { opendir } from "node:fs/promises";
import { join, relative } from "node:path";
import { askGit } from "./git.ts";
import { statsOf } from "./there.ts";
import { withSlashes } from "./slashes.ts";

/** Files of a work tree that are looked at, in a repository and, where memo has to walk itself, without one. */
const MOST_FILES = 100_000, MOST_WALKED = 20_000;
/** Folders that hold nothing that is written by hand. */
const SKIPPED = /^(?:\..*|node_modules|target|dist|build|vendor|venv|__pycache__)$/;
const DEEPEST = 12;
/** Output of git that is read. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** The files of a work tree, with `/`, relative to its top; none if there are too many to tell. */
export async function filesOf(top: string): Promise<readonly string[]> {
  if (statsOf(join(top, ".git")) === undefined) return await walk(top);
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = await askGit(top, args, { maxBytes: MOST_BYTES });
  const files = [...new Set(listed.split("\0"))].filter((file) => file !== "");
  if (files.length === 0) return await walk(top); // without git, for example
  return files.length > MOST_FILES ? [] : files;
}

async function walk(top: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [{ path: top, depth: 0 }];
  for (const { path, depth } of folders) {
    try {
      for await (const entry of await opendir(path)) {
        const name = join(path, entry.name);
        if (entry.isFile()) files.push(withSlashes(relative(top, name)));
        if (files.length + folders.length > MOST_WALKED) return [];
        const isWorth = entry.isDirectory() && depth < DEEPEST && !SKIPPED.test(entry.name);
        if (isWorth) folders.push({ path: name, depth: depth + 1 });
      }
    } catch {
      // it cannot be read, or has gone
    }
  }
  return files;
}
