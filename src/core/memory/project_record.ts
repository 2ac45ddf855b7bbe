// What memo notes of a project in its private folder while the project is there, so that its folder is recognised after a
// move or another clone: of a folder that is gone, neither git nor the system can say anything.

import { statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { readState } from "../files/state.ts";
import { fileStamp, orNothing } from "../files/there.ts";
import { fieldsOf } from "../link/parse.ts";
import type { Identity } from "./project.ts";

/** What a private folder says of its project. */
export interface ProjectRecord {
  readonly root: string;
  /** The root's own mark when it was last seen there. */
  readonly mark?: string | undefined;
  /** undefined: git has not been asked yet. */
  readonly identity?: Identity | undefined;
}

/** The file in a project's private folder that names the project. */
const RECORD = "project.json";

/** The records as they were read when their files last changed, by folder. */
const records = new Map<string, { readonly stamp: string; readonly record?: ProjectRecord }>();

/** The record in a private folder; undefined if it has none, or a damaged one. */
export function readRecord(folder: string): ProjectRecord | undefined {
  const path = join(folder, RECORD), stamp = fileStamp(path), last = records.get(folder);
  if (last?.stamp === stamp) return last.record;
  const { root, mark, identity } = readState(path) ?? {};
  const record = typeof root !== "string" || root === "" ? undefined : {
    root,
    mark: typeof mark === "string" ? mark : undefined,
    identity: identityIn(identity),
  };
  records.set(folder, { stamp, ...record && { record } });
  return record;
}

/** Records the project of a private folder, and what its root is known by. */
export function recordRoot(
  folder: string,
  root: string,
  identity?: Identity,
): void {
  const before = readRecord(folder);
  const record: ProjectRecord = {
    root,
    mark: markOf(root) ?? (before?.root === root ? before.mark : undefined),
    identity: identity ?? before?.identity,
  };
  writeFileAtomic(join(folder, RECORD), JSON.stringify(record, null, 2) + "\n");
}

/**
 * What a folder keeps when it is renamed, and no other folder on the machine ever has: its number and its birth, and the
 * machine's name, since a container has its host's folders under other paths. No repository can bring it along. undefined
 * where the file system does not say.
 */
export function markOf(root: string, machine = hostname()): string | undefined {
  const stats = orNothing(() => statSync(root, { bigint: true, throwIfNoEntry: false }));
  return stats?.isDirectory() && stats.ino > 0n && stats.birthtimeMs > 0n
    ? `${stats.ino}:${stats.birthtimeMs}:${machine}`
    : undefined;
}

/** Whether two marks are of one folder, whatever the machines are called that saw it. */
export function isOneFolder(a: string | undefined, b: string | undefined): boolean {
  const [one, other] = [a, b].map((mark) => mark?.split(":", 2).join(":"));
  return one !== undefined && one === other;
}

/** What a file says that names a project; undefined if it is damaged. */
export function identityIn(value: unknown): Identity | undefined {
  const { name, remotes, commits } = fieldsOf(value);
  const isList = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((each) => typeof each === "string");
  return typeof name === "string" && isList(remotes) && isList(commits)
    ? { name, remotes, commits }
    : undefined;
}
