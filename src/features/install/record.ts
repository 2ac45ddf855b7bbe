import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readState } from "../../core/files/state.ts";
import { textAt } from "../../core/files/there.ts";
import { type Command, selfCommand } from "../../core/link/self.ts";
import { type Env, type Paths, tilde } from "../../paths.ts";
import { recognise } from "./entries.ts";
import { missingFolders, removeIfEmpty } from "./executable.ts";
import type { PartFile } from "./parts.ts";
import { backupPath, readSettings, whyLocked, writeSettings } from "./settings_file.ts";
import {
  changeSettingsFile,
  readSettingsFile,
  type SettingsChanges,
} from "../../core/settings/config_file.ts";

/** What an install did to one file, so that uninstall can put the very bytes back. */
export interface InstallRecord {
  /** How hooks start memo: recognises them when the executable has been moved and has another name. */
  readonly self: Command;
  /** The text without memo, or an outline of it; null when there was no file. */
  readonly before: string | null;
  /** Hash of the text that install wrote: `before` counts only while the file is still that. */
  readonly after: string;
  /** The folders that were made for the file, the deepest first. */
  readonly folders?: readonly string[];
  /** Claude Code's version at the time, if it was known. */
  readonly client?: string | undefined;
  /** Whether memo's MCP server is registered too. */
  readonly mcp?: boolean;
  /** Of memo's settings: the values that init wrote; each is taken out only while it is still the same. */
  readonly values?: Readonly<Record<string, string | number | boolean>>;
}

/** A change of a settings file, made or planned. */
export interface InstallFileChange {
  readonly path: string;
  /** undefined: no such file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The copy of the file before the change, if there is one. */
  readonly backup: string | undefined;
  /** Whether another MCP server has memo's name, which is left alone. */
  readonly isTaken: boolean;
  /** Why the file, which is to be changed, cannot be written. */
  readonly locked?: string;
  /** What to add to that file instead, or to delete from it, by hand or in the configuration that makes it. */
  readonly paste?: string;
}

/** Where install and uninstall work. */
export interface InstallPlace {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
  /** Where managed settings are looked for; default: where Claude Code does. */
  readonly managed?: string | undefined;
}

export interface InstallChangeOptions {
  /** Whether memo is to be there. */
  readonly isWanted: boolean;
  /** Tell what would change, and write nothing. */
  readonly dryRun: boolean;
  /** How hooks are to start this memo. */
  readonly self: Command;
  /** Whether what is taken out of a file that somebody has changed since leaves a copy. */
  readonly keepsBackup?: boolean;
  /** What else is recorded. */
  readonly made?: Pick<InstallRecord, "client" | "mcp">;
}

/**
 * Puts memo into files, or takes it out: from a file that is still as memo has left it the bytes from before come back (or no
 * file, if there was none). A file that cannot be edited is an error before any is changed.
 */
export function changeFiles(
  { env, paths: { installs } }: Omit<InstallPlace, "cwd">,
  parts: readonly PartFile[],
  { dryRun, made, ...options }: InstallChangeOptions,
): InstallFileChange[] {
  const planned = parts.map((part) => planOf(part, { ...options, env, installs }));
  if (!dryRun) {
    const put = (plan: Plan) => putIn(plan, { installs, self: options.self, made });
    // The file for which a folder was made leaves last.
    if (options.isWanted) planned.forEach(put);
    else planned.toReversed().forEach((plan) => takeOut(plan, installs));
  }
  return planned.map(({ change }) => change);
}

type Plan = ReturnType<typeof planOf>;

/** A file with what is to become of it; `base` is its text without memo. */
function planOf(
  part: PartFile,
  { env, installs, isWanted, self, keepsBackup = false }:
    & Omit<InstallChangeOptions, "dryRun" | "made">
    & { readonly env: Env; readonly installs: string },
) {
  const { path, outline } = part, file = readSettings(path, tilde(path, env)), { text } = file;
  const record = readRecords(installs)[path], isSame = isUntouched(text ?? "", record);
  const isOwn = recognise(record ? [self, record.self] : [self]);
  const known = { isOwn, before: record?.before };
  const base = isSame ? record!.before ?? undefined : text && part.remove(text, known);
  const isDone = isWanted && part.add(text, known) === text;
  const after = isDone ? text : isWanted ? part.add(base, known) : base;
  const isChanged = after !== text, locked = isChanged ? whyLocked(file) : undefined;
  const hasBackup = isChanged && text !== undefined && !outline && locked === undefined &&
    (isWanted || keepsBackup && !isSame && after !== undefined);
  const change: InstallFileChange = {
    ...{ path, before: text, after, backup: hasBackup ? backupPath(file) : undefined },
    isTaken: isWanted && part.isTaken?.(after!, known) === true,
    ...locked !== undefined && {
      locked,
      paste: isWanted ? part.add(undefined, known) : part.own?.(text!, known) ?? "",
    },
  };
  return { file, outline, record, base, change };
}

function putIn(
  { file, outline, record, base, change: { path, before, after, paste } }: Plan,
  { installs, ...made }: Pick<InstallChangeOptions, "self" | "made"> & {
    readonly installs: string;
  },
): void {
  if (after === undefined || after === before) return;
  checkRecords(installs);
  const folders = [...missingFolders(dirname(file.target)), ...record?.folders ?? []];
  writeSettings(file, after, { backup: outline === undefined, paste });
  writeRecord(installs, path, {
    ...made.made,
    self: made.self,
    before: base === undefined ? null : outline?.(base) ?? base,
    after: outline === undefined ? hashOf(after) : "",
    folders: folders.toSorted((a, b) => b.length - a.length),
  });
}

function takeOut(
  { file, record, change: { path, before, after, backup, locked } }: Plan,
  installs: string,
) {
  if (locked !== undefined) return; // whoever asked says so
  if (after === undefined) {
    if (before !== undefined) rmSync(file.target);
    rmSync(backupPath(file), { force: true });
    record?.folders?.forEach(removeIfEmpty);
  } else if (after !== before) writeSettings(file, after, { backup: backup !== undefined });
  if (record !== undefined) writeRecord(installs, path, undefined);
}

/**
 * The records by path; none when the file is missing or damaged. Without them uninstall still works, from the text alone.
 */
export function readRecords(installs: string): Readonly<Record<string, InstallRecord>> {
  const records = Object.entries(readState(installs) ?? {}) as [string, InstallRecord][];
  return Object.fromEntries(records.filter(([, record]) => Array.isArray(record?.self?.args)));
}

/** Throws a `file` MemoError if no record can be kept: before anything is changed that it is about. */
function checkRecords(installs: string): void {
  const folder = dirname(installs);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new MemoError(
      "file",
      `Cannot install: memo cannot write to \`${folder}\`: ${messageOf(cause)}`,
      { cause, hint: "Make it a folder you own, or set `MEMO_HOME` to one" },
    );
  }
}

/** Replaces the record of one settings file, or drops it. */
export function writeRecord(
  installs: string,
  path: string,
  record: InstallRecord | undefined,
): void {
  const { [path]: _, ...others } = readRecords(installs);
  const records = record ? { ...others, [path]: record } : others;
  if (Object.keys(records).length === 0) return rmSync(installs, { force: true });
  mkdirSync(dirname(installs), { recursive: true, mode: 0o700 });
  const text = JSON.stringify(records, null, 2) + "\n";
  writeFileAtomic(installs, text, { mode: 0o600 });
}

/** Whether a file still is what install left. */
function isUntouched(text: string, record: InstallRecord | undefined): boolean {
  return record !== undefined && record.after === hashOf(text);
}

/** The hash that a record keeps of a text. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Changes memo's settings, and records it for `undoInitSettings`. */
export function writeInitSettings({ config, installs }: Paths, changes: SettingsChanges): void {
  const record = readRecords(installs)[config], text = textAt(config) ?? null;
  const folders = record?.folders ?? missingFolders(dirname(config));
  changeSettingsFile(config, changes);
  const values = Object.entries({ ...record?.values, ...changes })
    .filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined);
  writeRecord(installs, config, {
    self: selfCommand(),
    before: isUntouched(text ?? "", record) ? record!.before : text,
    after: hashOf(textAt(config) ?? ""),
    folders,
    values: Object.fromEntries(values),
  });
}

/** Takes the settings back that `memo init` wrote. Returns whether anything was changed. */
export function undoInitSettings({ config, installs }: Paths): boolean {
  const record = readRecords(installs)[config], text = textAt(config);
  if (record === undefined) return false;
  if (text !== undefined && !isUntouched(text, record)) {
    // Somebody has changed it since: only the values go that are still as init wrote them.
    const same = readSettingsFile(config).values.filter(({ key, value }) =>
      record.values?.[key] === value
    );
    changeSettingsFile(config, Object.fromEntries(same.map(({ key }) => [key, undefined])));
  } else if (text !== undefined && record.before === null) rmSync(config);
  else if (text !== undefined) writeFileAtomic(config, record.before!, { mode: 0o600 });
  record.folders?.forEach(removeIfEmpty);
  writeRecord(installs, config, undefined);
  return textAt(config) !== text;
}
