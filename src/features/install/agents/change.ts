import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "../../../core/link/self.ts";
import { tilde } from "../../../paths.ts";
import { missingFolders, removeIfEmpty } from "../init_record.ts";
import type { FileChange } from "../install.ts";
import { hashOf, isUntouched, readRecords, writeRecord } from "../record.ts";
import { backupPath, readSettings, writeSettings } from "../settings_file.ts";
import type { Agent, AgentFile, AgentPlace } from "./agent.ts";

/** A change of an agent's file, and whether memo's MCP server was left out of it for another of that name. */
export interface AgentChange extends FileChange {
  readonly isTaken?: boolean;
}

/** Puts memo into an agent's files, or with `isWanted: false` takes it out; an untouched file gets its very bytes back. */
export async function changeAgent(
  place: AgentPlace,
  agent: Agent,
  { isWanted, dryRun, self }: {
    readonly isWanted: boolean;
    readonly dryRun: boolean;
    readonly self: Command;
  },
): Promise<AgentChange[]> {
  const changes: AgentChange[] = [];
  const files = agent.files(place, self);
  const records = readRecords(place.paths.installs);
  const folders = files.flatMap(({ path }) =>
    records[path]?.folders ?? (isWanted ? missingFolders(dirname(path)) : [])
  );
  // A file that cannot be edited is an error before any is changed.
  for (const file of isWanted && !dryRun ? files : []) {
    await add(place, file, { dryRun: true, self, folders });
  }
  for (const file of files) {
    const change = isWanted
      ? await add(place, file, { dryRun, self, folders })
      : await remove(place, file, dryRun);
    changes.push(change);
  }
  if (!isWanted && !dryRun) {
    const deepestFirst = [...new Set(folders)].sort((a, b) => b.length - a.length);
    for (const folder of deepestFirst) removeIfEmpty(folder);
  }
  return changes;
}

async function add(
  { env, paths }: AgentPlace,
  { path, add, isTaken }: AgentFile,
  { dryRun, self, folders }: {
    readonly dryRun: boolean;
    readonly self: Command;
    /** Those that are made for the files of the agent. */
    readonly folders: readonly string[];
  },
): Promise<AgentChange> {
  const file = readSettings(path, tilde(path, env));
  const record = readRecords(paths.installs)[path];
  const before = isUntouched(file.text ?? "", record) ? record!.before : file.text ?? null;
  const after = add(before ?? undefined);
  const change = { path, before: file.text, after, isTaken: isTaken?.(after) ?? false };
  if (after === file.text) return { ...change, backup: undefined };
  if (!dryRun) {
    await writeSettings(file, after, { backup: file.text !== undefined });
    const made = { self, before, after: hashOf(after), madeFolder: folders.length > 0, folders };
    await writeRecord(paths.installs, path, made);
  }
  const backup = file.text === undefined ? undefined : backupPath(file);
  return { ...change, backup };
}

async function remove(
  { env, paths }: AgentPlace,
  { path, remove }: AgentFile,
  dryRun: boolean,
): Promise<FileChange> {
  const file = readSettings(path, tilde(path, env));
  if (file.text === undefined) {
    return { path, before: undefined, after: undefined, backup: undefined };
  }
  const record = readRecords(paths.installs)[path];
  const after = isUntouched(file.text, record) ? record!.before ?? undefined : remove(file.text);
  if (!dryRun && after !== file.text) {
    if (after === undefined) rmSync(file.target);
    else await writeSettings(file, after, { backup: false });
    rmSync(backupPath(file), { force: true });
  }
  if (!dryRun) await writeRecord(paths.installs, path, undefined);
  return { path, before: file.text, after, backup: undefined };
}
