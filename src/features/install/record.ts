import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readState } from "../../core/files/state.ts";
import type { Command } from "../../core/link/self.ts";
import type { Paths } from "../../paths.ts";
import { missingFolders, removeIfEmpty } from "./executable.ts";
import { backupPath, type SettingsFile, writeSettings } from "./settings_file.ts";
import {
  changeSettingsFile,
  readSettingsFile,
  type SettingsChanges,
} from "../../core/settings/config_file.ts";

/** What an install did to one settings file, so that uninstall can put the very bytes back. */
export interface InstallRecord {
  /** How hooks start memo: recognises them when the executable has been moved and has another name. */
  readonly self: Command;
  /** The text without memo; null when there was no file. */
  readonly before: string | null;
  /** Hash of the text that install wrote: `before` counts only while the file is still that. */
  readonly after: string;
  /** The folders that were made for the file, the deepest first. */
  readonly folders?: readonly string[];
  /** In the records of an earlier memo, in place of `folders`: whether the folder of the file was made. */
  readonly madeFolder?: boolean;
  /** Claude Code's version at the time, if it was known. */
  readonly client?: string | undefined;
  /** Whether memo's MCP server is registered too; absent in the records of a memo that had none. */
  readonly mcp?: boolean;
  /** In the record of the file with MCP servers: whether it had a list of them, perhaps an empty one. */
  readonly hadServers?: boolean;
}

/** A change of a settings file, made or planned. */
export interface FileChange {
  readonly path: string;
  /** undefined: no such file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The copy of the file before the change, if there is one. */
  readonly backup: string | undefined;
}

interface ChangeOptions {
  /** The file with the records. */
  readonly installs: string;
  readonly dryRun: boolean;
}

/** Puts a text into a file and records what was there, so that `takeOut` gives the very bytes back. */
export async function putIn(
  file: SettingsFile,
  text: string,
  made: Omit<InstallRecord, "after" | "folders">,
  { installs, dryRun, paste, isCopied = true }: ChangeOptions & {
    /** What to add to the configuration that makes the file, where nobody may write it. */
    readonly paste?: string;
    /** Whether the text from before may be kept, in the record and beside the file. */
    readonly isCopied?: boolean;
  },
): Promise<FileChange> {
  const hasBackup = isCopied && file.text !== undefined;
  const backup = hasBackup ? backupPath(file) : undefined;
  const change = { path: file.path, before: file.text, after: text, backup };
  if (dryRun) return change;
  checkRecords(installs);
  const earlier = foldersOf(file.path, readRecords(installs)[file.path]);
  const folders = [...missingFolders(dirname(file.target)), ...earlier];
  await writeSettings(file, text, { backup: isCopied, ...paste !== undefined && { paste } });
  const after = isCopied ? hashOf(text) : "";
  await writeRecord(installs, file.path, { ...made, after, folders });
  return change;
}

/**
 * Takes memo out of a file: where it is still what `putIn` left, the bytes from before come back (or no file, if there was
 * none); where it has changed since, `strip` takes memo's part away, and gives undefined if nothing is left.
 */
export async function takeOut(
  file: SettingsFile,
  strip: (text: string, record: InstallRecord | undefined) => string | undefined,
  { installs, dryRun, keepsBackup = false }: ChangeOptions & { readonly keepsBackup?: boolean },
): Promise<FileChange> {
  const { path, text, target } = file;
  const record = readRecords(installs)[path];
  const isSame = text !== undefined && isUntouched(text, record);
  const after = isSame ? record!.before ?? undefined : text && strip(text, record);
  const backup = keepsBackup && !isSame && after !== undefined && after !== text
    ? backupPath(file)
    : undefined;
  if (!dryRun) {
    if (after !== undefined && after !== text) {
      await writeSettings(file, after, { backup: backup !== undefined });
    } else if (after !== text) {
      for (const each of [target, backupPath(file)]) rmSync(each, { force: true });
    }
    if (after === undefined) foldersOf(path, record).forEach(removeIfEmpty);
    if (record !== undefined) await writeRecord(installs, path, undefined);
  }
  return { path, before: text, after, backup };
}

/** The folders that were made for a file, the deepest first. */
function foldersOf(path: string, record: InstallRecord | undefined): readonly string[] {
  const { folders, madeFolder } = record ?? {};
  return (folders ?? (madeFolder ? [dirname(path)] : [])).toSorted((a, b) => b.length - a.length);
}

/** The records by path of the settings file. Without them uninstall still works, from the text alone. */
export type InstallRecords = Readonly<Record<string, InstallRecord>>;

/** The records; none when the file is missing or damaged. */
export function readRecords(installs: string): InstallRecords {
  const sound = Object.entries(readState(installs) ?? {}).filter(([, record]) => isRecord(record));
  return Object.fromEntries(sound) as InstallRecords;
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
      { cause, hint: "Make it a folder that you own, or set `MEMO_HOME` to one" },
    );
  }
}

/** Replaces the record of one settings file, or drops it. */
export async function writeRecord(
  installs: string,
  path: string,
  record: InstallRecord | undefined,
): Promise<void> {
  const { [path]: _, ...others } = readRecords(installs);
  const records = record ? { ...others, [path]: record } : others;
  if (Object.keys(records).length === 0) return rmSync(installs, { force: true });
  mkdirSync(dirname(installs), { recursive: true, mode: 0o700 });
  const text = JSON.stringify(records, null, 2) + "\n";
  await writeFileAtomic(installs, text, { mode: 0o600 });
}

/** Whether a file still is what install left. */
export function isUntouched(text: string, record: InstallRecord | undefined): boolean {
  return record !== undefined && record.after === hashOf(text);
}

/** The hash that a record keeps of a text. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isRecord(value: unknown): value is InstallRecord {
  const { self, before, after } = (value ?? {}) as Partial<InstallRecord>;
  return typeof self?.command === "string" && Array.isArray(self.args) &&
    (before === null || typeof before === "string") && typeof after === "string";
}

/** What `memo init` did to memo's settings, so that `memo uninstall --purge` can undo it. */
interface InitRecord {
  /** The file's text before; null when there was no file. */
  readonly before: string | null;
  /** Hash of the text that init wrote: `before` counts only while the file is still that. */
  readonly after: string;
  /** The values that init wrote by key; each is taken out only while it is still the same. */
  readonly values: Readonly<Record<string, string | number | boolean>>;
  /** The folders that were made for the file, the deepest first. */
  readonly folders: readonly string[];
}

/** Changes memo's settings, and records it for `undoInitSettings`. */
export function writeInitSettings({ config, initRecord }: Paths, changes: SettingsChanges): void {
  const earlier = readRecord(initRecord);
  const text = textOf(config);
  const isOurs = earlier !== undefined && earlier.after === hashOf(text ?? "");
  const folders = earlier?.folders ?? missingFolders(dirname(config));
  changeSettingsFile(config, changes);
  const set = Object.entries({ ...earlier?.values, ...changes })
    .filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined);
  const record: InitRecord = {
    before: isOurs ? earlier.before : text,
    after: hashOf(textOf(config) ?? ""),
    values: Object.fromEntries(set),
    folders,
  };
  mkdirSync(dirname(initRecord), { recursive: true, mode: 0o700 });
  writeFileAtomic(initRecord, JSON.stringify(record, null, 2) + "\n", { mode: 0o600 });
}

/** Takes the settings back that `memo init` wrote. Returns whether anything was changed. */
export function undoInitSettings({ config, initRecord }: Paths): boolean {
  const record = readRecord(initRecord);
  if (record === undefined) return false;
  const text = textOf(config);
  if (text !== null && record.after !== hashOf(text)) {
    // Somebody has changed it since: only the values go that are still as init wrote them.
    const same = readSettingsFile(config).values.filter(({ key, value }) =>
      record.values[key] === value
    );
    changeSettingsFile(config, Object.fromEntries(same.map(({ key }) => [key, undefined])));
  } else if (text !== null && record.before === null) rmSync(config);
  else if (text !== null) writeFileAtomic(config, record.before!, { mode: 0o600 });
  record.folders.forEach(removeIfEmpty);
  return textOf(config) !== text;
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function readRecord(path: string): InitRecord | undefined {
  const record = (readState(path) ?? {}) as Partial<InitRecord>;
  const { before, after, values, folders } = record;
  const isSound = typeof after === "string" && typeof values === "object" &&
    (before === null || typeof before === "string") && Array.isArray(folders);
  return isSound ? record as InitRecord : undefined;
}
