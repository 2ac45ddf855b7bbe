import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { readState } from "../../core/files/state.ts";
import type { Paths } from "../../paths.ts";
import {
  changeSettingsFile,
  readSettingsFile,
  type SettingsChanges,
} from "../../core/settings/config_file.ts";
import { hashOf } from "./record.ts";

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
  if (text !== null && record.after === hashOf(text)) putBack(config, record.before);
  else if (text !== null) takeOut(config, record.values);
  for (const folder of record.folders) removeIfEmpty(folder);
  return textOf(config) !== text;
}

function putBack(config: string, before: string | null): void {
  if (before === null) rmSync(config);
  else writeFileAtomic(config, before, { mode: 0o600 });
}

/** Removes the values that are still as init wrote them from a file that was changed since. */
function takeOut(config: string, values: InitRecord["values"]): void {
  const same = readSettingsFile(config).values.filter(({ key, value }) => values[key] === value);
  changeSettingsFile(config, Object.fromEntries(same.map(({ key }) => [key, undefined])));
}

/** The folders on the way to a path that do not exist, the deepest first. */
export function missingFolders(path: string): string[] {
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))];
}

/** Removes a folder unless something is in it. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // something else is in it, or it is gone
  }
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
