// Moves all that memo keeps of a project into the folder of another root.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { CHANGE_LOG } from "../ledger/change_log.ts";
import { INDEX_FILE, JOURNAL, makeFolder, refuseOutside } from "../memory/folder.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { freeName } from "../memory/slug.ts";
import { mergeDays, mergeLines } from "./merge_lines.ts";

/** Generated files, which the other folder has of its own. */
const GENERATED = [INDEX_FILE, "project.json"];

/**
 * Moves every file of a folder into another: days of the journal and the log of changes are merged, and where both have a
 * memory of one name, the moved one gets a number. What is no file stays where it is.
 */
export function moveFolder(from: MemoryFolder, to: MemoryFolder): void {
  if (!existsSync(to.path)) {
    mkdirSync(dirname(to.path), { recursive: true, mode: 0o700 });
    return renameSync(from.path, to.path);
  }
  makeFolder(to);
  const entries = readdirSync(from.path, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const source = join(entry.parentPath, entry.name);
    const file = relative(from.path, source);
    if (GENERATED.includes(file)) rmSync(source);
    else moveFile(source, join(to.path, file), to);
  }
  const folders = entries.filter((each) => each.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const folder of [from.path, ...folders].sort((a, b) => b.length - a.length)) {
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

function moveFile(source: string, target: string, to: MemoryFolder): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  refuseOutside(target, to.path);
  if (!existsSync(target)) return renameSync(source, target);
  const merge = basename(target) === CHANGE_LOG
    ? mergeLines
    : relative(to.path, target).split(sep)[0] === JOURNAL
    ? mergeDays
    : undefined;
  if (merge === undefined) return renameSync(source, freeName(target, existsSync));
  writeFileAtomic(
    target,
    merge({ ours: readFileSync(target, "utf8"), theirs: readFileSync(source, "utf8") }),
  );
  rmSync(source);
}
