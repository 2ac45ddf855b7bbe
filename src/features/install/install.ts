import { type Env, type Paths, stateEntries, tilde } from "../../paths.ts";
import type { Command } from "../../core/link/self.ts";
import type { HookEventRow } from "../../../hooks/events.ts";
import {
  entriesOf,
  type HookEntry,
  hookGroups,
  type HookNeeds,
  type IsOwn,
  programIn,
  recognise,
  unknownEvents,
} from "./entries.ts";
import { addPermissions, hasPermissions, PERMISSIONS, removePermissions } from "./server.ts";
import {
  type FileChange,
  type InstallRecord,
  isUntouched,
  putIn,
  readRecords,
  takeOut,
  writeRecord,
} from "./record.ts";
import {
  isInStore,
  readSettings,
  refuseOutside,
  type SettingsFile,
  settingsPath,
  type SettingsScope,
} from "./settings_file.ts";
import { asNamed, isSameFile, removeIfEmpty } from "./executable.ts";
import {
  addHooks,
  checkSettings,
  EMPTY,
  hooksAreDisabled,
  isEmpty,
  ownEntries,
  removeHooks,
} from "./settings_json.ts";
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { TEMPORARY } from "../../core/files/atomic.ts";

export type { FileChange };

/** Where install and uninstall work. */
export interface InstallPlace {
  readonly env: Env;
  readonly paths: Paths;
  readonly cwd: string;
}

/** How install and uninstall are asked to work. */
export interface InstallOptions extends HookNeeds {
  readonly scope: SettingsScope;
  /** Tell what would change, and write nothing. */
  readonly dryRun: boolean;
  /** How Claude Code is to start this memo. */
  readonly self: Command;
  /**
   * Whether memo's MCP server is registered; undefined: as it was, and so at first. `undecided`: not yet, and a later
   * install does not take that for a no.
   */
  readonly mcp?: boolean | "undecided" | undefined;
  /** Claude Code's version; undefined: as at the last install, and the oldest that memo knows if that is unknown too. */
  readonly client?: string | undefined;
}

/** What an install did, or would do. */
export interface SettingsChange extends FileChange {
  /** Whether Claude Code is given memo's MCP server. */
  readonly mcp: boolean;
  /** The hook events that memo listens to now. */
  readonly events: readonly string[];
  /** The version of Claude Code that they are written for, if it is known. */
  readonly client: string | undefined;
  /** The events that this Claude Code does not know. */
  readonly unknown: readonly HookEventRow[];
  /** What about memo's hooks was wrong before. */
  readonly differences: readonly HookDifference[];
  /** Whether any of memo's hooks were there before. */
  readonly wasInstalled: boolean;
  /** What to add to the configuration that makes the file, if nobody may write it and it is to be changed. */
  readonly paste?: string;
}

/** Adds memo's hooks to the settings of a scope; settings that have them already are not touched. */
export async function install(
  place: InstallPlace,
  { scope, dryRun, self: here, ...options }: InstallOptions,
): Promise<SettingsChange> {
  const { file, text, record, isOwn } = openOwn(place, scope, here);
  const { installs } = place.paths;
  const { prefetch, moments, client = record?.client } = options;
  const own = isBlank(text) ? [] : ownEntries(text, isOwn);
  const self = asNamed(here, own.map(({ handler }) => programIn(handler)));
  const wanted = { prefetch, moments, client };
  const groups = hookGroups(self, wanted);
  // Only the user's own server is registered: a project's would ask every one of its people.
  const isUndecided = options.mcp === "undecided";
  const mcp = scope === "user" && !isUndecided && (options.mcp ?? record?.mcp ?? true) === true;
  const rules = mcp ? PERMISSIONS : [];
  const found = {
    mcp,
    events: Object.keys(groups),
    client,
    unknown: unknownEvents(wanted),
    differences: compareHooks(own, entriesOf(groups), (handler) => {
      const program = programIn(handler) ?? "";
      const folders = isAbsolute(program) ? [""] : (place.env["PATH"] ?? "").split(delimiter);
      return folders.some((folder) => isSameFile(join(folder, program), here.command));
    }),
    wasInstalled: own.length > 0,
  };
  const same = { path: file.path, before: file.text, after: file.text, backup: undefined };
  const isDone = found.differences.length === 0 && hasPermissions(text, rules);
  const isKnown = record === undefined || isUndecided || record.mcp === mcp || scope !== "user";
  if (isDone && !isKnown && !dryRun) await writeRecord(installs, file.path, { ...record, mcp });
  if (isDone) return { ...found, ...same };
  const base = isUntouched(text, record)
    ? record!.before
    : isBlank(text)
    ? file.text ?? null
    : withoutMemo(text, isOwn);
  const filled = (start: string) => addPermissions(addHooks(start, groups), rules);
  const after = filled(base === null || isBlank(base) ? EMPTY : base);
  const paste = filled(EMPTY);
  if (dryRun && isInStore(file)) return { ...found, ...same, after, paste };
  const made = { self, before: base, client, ...!isUndecided && { mcp } };
  return { ...found, ...await putIn(file, after, made, { installs, dryRun, paste }) };
}

function withoutMemo(text: string, isOwn: IsOwn): string {
  return removePermissions(removeHooks(text, isOwn));
}

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

/** Why Claude Code runs no hooks from these settings, in words; undefined when it does. */
export function whyDisabled(settings: string): string | undefined {
  if (isBlank(settings) || !hooksAreDisabled(settings)) return undefined;
  return "`disableAllHooks` is true in these settings: Claude Code runs no hooks";
}

/** The settings of a scope, what the last install noted of them, and what of them is memo's. */
function openOwn(place: InstallPlace, scope: SettingsScope, self: Command) {
  const file = openSettings(place, scope);
  refuseOutside(file, scope, tilde(file.path, place.env));
  const record = readRecords(place.paths.installs)[file.path];
  const isOwn = recognise(record ? [self, record.self] : [self]);
  return { file, text: file.text ?? "", record, isOwn };
}

/** Whether a file holds nothing but white space and, perhaps, a byte order mark. */
function isBlank(text: string): boolean {
  return text.trim() === ""; // the mark is white space to `trim`
}

/** Takes memo's hooks out of the settings of a scope, to the byte where nobody has changed the file since. */
export async function uninstall(
  place: InstallPlace,
  { scope, dryRun, self }: InstallOptions,
): Promise<FileChange> {
  const { file, isOwn } = openOwn(place, scope, self);
  const strip = (text: string, record: InstallRecord | undefined) => {
    if (isBlank(text)) return text;
    const rest = withoutMemo(text, isOwn);
    return record?.before === null && isEmpty(rest) ? undefined : rest;
  };
  return await takeOut(file, strip, { installs: place.paths.installs, dryRun, keepsBackup: true });
}

/** How the hooks of one event differ from what an install would write; `by hand`: they start this memo all the same. */
export interface HookDifference {
  readonly event: string;
  readonly kind: "missing" | "not needed" | "by hand" | "different";
}

/** What Claude Code reads as every tool, or every kind of event. */
const MATCHES_ALL: readonly unknown[] = [undefined, "", "*"];

/** Compares memo's hooks in the settings with those that an install would write, event by event. */
function compareHooks(
  found: readonly HookEntry[],
  wanted: readonly HookEntry[],
  startsSelf: (handler: unknown) => boolean,
): HookDifference[] {
  const events = new Set([...wanted, ...found].map(({ event }) => event));
  return [...events].flatMap((event): HookDifference[] => {
    // Through JSON, because what the parser returns has no prototypes, which the comparison would mind.
    const [present, expected] = [found, wanted].map((entries): HookEntry[] =>
      JSON.parse(JSON.stringify(entries.filter((entry) => entry.event === event)))
    ) as [HookEntry[], HookEntry[]];
    if (isDeepStrictEqual(present, expected)) return [];
    if (present.length === 0) return [{ event, kind: "missing" }];
    if (expected.length === 0) return [{ event, kind: "not needed" }];
    const isByHand = present.every(({ handler, matcher }) =>
      MATCHES_ALL.includes(matcher) && startsSelf(handler)
    );
    return [{ event, kind: isByHand ? "by hand" : "different" }];
  });
}

/** The paths that `purgeState` deletes, but for the state folder itself. */
export function statePaths(paths: Paths): string[] {
  return [...stateEntries(paths), ...abandoned(paths.state)].filter((path) => existsSync(path));
}

/**
 * Deletes memo's files in the state folder, by name, and the folder itself if nothing else is left.
 * Never a memory and never settings: `$MEMO_HOME` may be a folder that holds other things too.
 * Returns the paths that were deleted.
 */
export function purgeState(paths: Paths): string[] {
  const { state, home } = paths;
  const deleted = statePaths(paths);
  for (const path of deleted) rmSync(path, { recursive: true, force: true });
  if (existsSync(state) && readdirSync(state).length === 0) {
    rmdirSync(state);
    deleted.push(state);
    for (let above = dirname(state); above.startsWith(home + sep); above = dirname(above)) {
      removeIfEmpty(above); // `~/.local/share`
    }
  }
  return deleted;
}

/** Temporary files of interrupted writes. */
function abandoned(state: string): string[] {
  if (!existsSync(state)) return [];
  return readdirSync(state).filter((name) => TEMPORARY.test(name)).map((name) => join(state, name));
}
