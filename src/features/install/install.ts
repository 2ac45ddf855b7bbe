import { type Env, type Paths, tilde } from "../../paths.ts";
import type { Command } from "../../core/link/self.ts";
import type { HookEventRow } from "../../../hooks/events.ts";
import { compareHooks, type HookDifference } from "./compare.ts";
import {
  entriesOf,
  hookGroups,
  type HookNeeds,
  programIn,
  recognise,
  unknownEvents,
} from "./entries.ts";
import { addPermissions, hasPermissions, PERMISSIONS, removePermissions } from "./permissions.ts";
import { checkRecords, hashOf, isUntouched, readRecords, writeRecord } from "./record.ts";
import {
  backupPath,
  isInStore,
  readSettings,
  refuseOutside,
  type SettingsFile,
  settingsPath,
  type SettingsScope,
  writeSettings,
} from "./settings_file.ts";
import { asNamed } from "./same_program.ts";
import { addHooks, checkSettings, EMPTY, ownEntries, removeHooks } from "./settings_json.ts";

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

/** A change of a settings file, made or planned. */
export interface FileChange {
  readonly path: string;
  /** undefined: no such file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The copy of the file before the change, if there is one. */
  readonly backup: string | undefined;
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
  const file = openSettings(place, scope);
  refuseOutside(file, scope, tilde(file.path, place.env));
  const { installs } = place.paths;
  const record = readRecords(installs)[file.path];
  const client = options.client ?? record?.client;
  const isOwn = recognise(record ? [here, record.self] : [here]);
  const text = file.text ?? "";
  const blank = isBlank(text);
  const own = blank ? [] : ownEntries(text, isOwn);
  const self = asNamed(here, own.map(({ handler }) => programIn(handler)));
  const { prefetch, moments } = options;
  const wanted = { prefetch, moments, client };
  const groups = hookGroups(self, wanted);
  // Only the user's own server is registered: a project's would ask every one of its people.
  const isUndecided = options.mcp === "undecided";
  const mcp = scope === "user" && !isUndecided && (options.mcp ?? record?.mcp ?? true) === true;
  const rules = mcp ? PERMISSIONS : [];
  const found = {
    path: file.path,
    before: file.text,
    mcp,
    events: Object.keys(groups),
    client,
    unknown: unknownEvents(wanted),
    differences: compareHooks(own, entriesOf(groups)),
    wasInstalled: own.length > 0,
  };
  const isDone = found.differences.length === 0 && hasPermissions(text, rules) &&
    (record === undefined || isUndecided || record.mcp === mcp || scope !== "user");
  if (isDone) return { ...found, after: text, backup: undefined };
  const base = isUntouched(text, record)
    ? record!.before
    : blank
    ? file.text ?? null
    : removePermissions(removeHooks(text, isOwn));
  const start = base === null || isBlank(base) ? EMPTY : base;
  const after = addPermissions(addHooks(start, groups), rules);
  const paste = addPermissions(addHooks(EMPTY, groups), rules);
  if (dryRun && isInStore(file)) return { ...found, after, backup: undefined, paste };
  if (!dryRun && after === file.text) {
    await writeRecord(installs, file.path, { ...record!, mcp });
    return { ...found, after, backup: undefined };
  }
  if (!dryRun) {
    checkRecords(installs);
    const madeFolder = await writeSettings(file, after, { backup: true, mode: file.mode, paste }) ||
      record?.madeFolder === true;
    const made = {
      self,
      before: base,
      after: hashOf(after),
      madeFolder,
      client,
      ...!isUndecided && { mcp },
    };
    await writeRecord(installs, file.path, made);
  }
  const backup = file.text === undefined ? undefined : backupPath(file);
  return { ...found, after, backup };
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

/** Whether a file holds nothing but white space and, perhaps, a byte order mark. */
export function isBlank(text: string): boolean {
  return text.trim() === ""; // the mark is white space to `trim`
}
