import { isDeepStrictEqual } from "node:util";
import { type Env, type Paths, tilde } from "../paths.ts";
import type { Command } from "../link/self.ts";
import { entriesOf, type HookEntry, hookGroups, recognise, type Transport } from "./entries.ts";
import { closeHttp, openHttp } from "./http.ts";
import { hashOf, isUntouched, readRecords, writeRecord } from "./record.ts";
import {
  backupPath,
  readSettings,
  type SettingsFile,
  settingsPath,
  type SettingsScope,
  writeSettings,
} from "./settings_file.ts";
import { addHooks, checkSettings, EMPTY, ownEntries, removeHooks } from "./settings_json.ts";

/** Where install and uninstall work. */
export interface InstallPlace {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
}

/** How install and uninstall are asked to work. */
export interface InstallOptions {
  readonly scope: SettingsScope;
  /** Tell what would change, and write nothing. */
  readonly dryRun: boolean;
  /** How Claude Code is to start this memo. */
  readonly self: Command;
  /** How hooks reach the daemon; undefined: as they did, and by a command at first. */
  readonly transport?: Transport | undefined;
  /** Whether some type of memory is picked by a language model, which delivers late. */
  readonly prefetch?: boolean | undefined;
}

/** What a change of settings did, or would do. */
export interface SettingsChange {
  readonly path: string;
  /** undefined: no such file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The copy of the file before the change, if there is one. */
  readonly backup: string | undefined;
  /** How hooks reach the daemon now. */
  readonly transport: Transport;
  /** The hook events that memo listens to now. */
  readonly events: readonly string[];
}

/** Adds memo's hooks to the settings of a scope; settings that have them already are not touched. */
export async function install(
  place: InstallPlace,
  { scope, dryRun, self, ...options }: InstallOptions,
): Promise<SettingsChange> {
  const file = openSettings(place, scope);
  const { state } = place.paths;
  const record = readRecords(state)[file.path];
  const transport = options.transport ?? record?.transport ?? "command";
  const http = transport === "http" ? await openHttp(place, { scope, dryRun }) : undefined;
  const isOwn = recognise(record ? [self, record.self] : [self]);
  const groups = hookGroups(self, { http, prefetch: options.prefetch });
  const events = Object.keys(groups);
  const text = file.text ?? "";
  const blank = isBlank(text);
  if (!blank && sameEntries(ownEntries(text, isOwn), entriesOf(groups))) {
    return { path: file.path, before: text, after: text, backup: undefined, transport, events };
  }
  const base = isUntouched(text, record)
    ? record!.before
    : blank
    ? file.text ?? null
    : removeHooks(text, isOwn);
  const after = addHooks(base === null || isBlank(base) ? EMPTY : base, groups);
  if (!dryRun) {
    const open = record?.mode ?? file.mode;
    const mode = http === undefined ? open : open & OWNER_ALONE;
    const madeFolder = await writeSettings(file, after, { backup: true, mode }) ||
      record?.madeFolder === true;
    const made = { self, before: base, after: hashOf(after), madeFolder, transport };
    await writeRecord(state, file.path, mode === open ? made : { ...made, mode: open });
    if (http === undefined) closeHttp(place);
  }
  const backup = file.text === undefined ? undefined : backupPath(file);
  return { path: file.path, before: file.text, after, backup, transport, events };
}

/** Settings that hold a token are nobody else's to read. */
const OWNER_ALONE = 0o700;

/** Reads and checks the settings of a scope; a blank file is as good as none. */
export function openSettings(
  { env, paths, cwd }: InstallPlace,
  scope: SettingsScope,
): SettingsFile {
  const path = settingsPath(scope, paths, cwd);
  const file = readSettings(path, tilde(path, env));
  if (!isBlank(file.text ?? "")) checkSettings(file.text!, tilde(path, env));
  return file;
}

/** Whether a file holds nothing but white space and, perhaps, a byte order mark. */
export function isBlank(text: string): boolean {
  return text.trim() === ""; // the mark is white space to `trim`
}

function sameEntries(a: readonly HookEntry[], b: readonly HookEntry[]): boolean {
  const byEvent = (x: HookEntry, y: HookEntry) =>
    x.event < y.event ? -1 : x.event > y.event ? 1 : 0;
  // Through JSON, because what the parser returns has no prototypes, which the comparison would mind.
  const plain = (entries: readonly HookEntry[]) =>
    JSON.parse(JSON.stringify(entries.toSorted(byEvent)));
  return isDeepStrictEqual(plain(a), plain(b));
}
