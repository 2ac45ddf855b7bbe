import { TEMPORARY } from "../../core/files/atomic.ts";
import { namesIn } from "../../core/files/there.ts";
import { type Paths, stateEntries, tilde } from "../../paths.ts";
import {
  entriesOf,
  type HookEntry,
  hookGroups,
  type HookNeeds,
  programIn,
  recognise,
  unknownEvents,
} from "./entries.ts";
import { asNamed, isSameFile, removeIfEmpty } from "./executable.ts";
import {
  checkSettings,
  hookParts,
  jsonFile,
  newText,
  ownEntries,
  ownText,
  PERMISSIONS,
} from "./parts.ts";
import { managedSettings } from "../../core/memory/claude_settings.ts";
import {
  changeFiles,
  type InstallChangeOptions,
  type InstallFileChange,
  type InstallPlace,
  readRecords,
  writeRecord,
} from "./record.ts";
import {
  readSettings,
  refuseOutside,
  type SettingsFile,
  settingsPath,
  type SettingsScope,
} from "./settings_file.ts";
import { at, parse } from "./splice.ts";
import { existsSync, rmdirSync, rmSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { getNodeValue } from "jsonc-parser";

export type { InstallFileChange, InstallPlace };

/** How install and uninstall are asked to work. */
export interface InstallOptions extends HookNeeds, Pick<InstallChangeOptions, "dryRun" | "self"> {
  readonly scope: SettingsScope;
  /**
   * Whether memo's MCP server is registered; undefined: as it was, and so at first. `undecided`: not yet, and a later
   * install does not take that for a no.
   */
  readonly mcp?: boolean | "undecided" | undefined;
  /** Whether managed settings have the hooks: these are to have none. */
  readonly isElsewhere?: boolean;
}

/** What an install in a scope puts into settings, where memo's hooks are `own` now. */
function wantedIn(
  { env, paths, cwd }: InstallPlace,
  { scope, self: here, mcp, prefetch, moments, ...options }: Omit<InstallOptions, "dryRun">,
  own: readonly HookEntry[],
) {
  const path = settingsPath(scope, paths, cwd), record = readRecords(paths.installs)[path];
  const self = asNamed(here, own.map(({ handler }) => programIn(handler)));
  // One that is not known is as at the last install, and the oldest that memo knows if that is unknown too.
  const needs = { prefetch, moments, client: options.client ?? record?.client };
  const groups = hookGroups(self, needs);
  // Only the user's own server is registered: a project's would ask every one of its people.
  const isMcp = scope === "user" && mcp !== "undecided" && (mcp ?? record?.mcp ?? true) === true;
  const rules = (isMcp ? PERMISSIONS : [])
    .map((value) => ({ path: ["permissions", "allow"], value, isItem: true }));
  return {
    ...{ path, record, self, groups, needs, mcp: isMcp },
    file: jsonFile(path, [...hookParts(groups), ...rules]),
    /** What about memo's hooks is wrong. */
    differences: compareHooks(own, entriesOf(groups), (handler) => {
      const program = programIn(handler) ?? "";
      const folders = isAbsolute(program) ? [""] : (env["PATH"] ?? "").split(delimiter);
      return folders.some((folder) => isSameFile(join(folder, program), here.command));
    }),
  };
}

/** memo's part of the settings of a scope, as an install writes it where there are none. */
export function settingsBlock(
  place: InstallPlace,
  options: Omit<InstallOptions, "dryRun">,
): { readonly path: string; readonly text: string; readonly mcp: boolean } {
  const { path, file, mcp } = wantedIn(place, options, []);
  return { path, text: newText(file), mcp };
}

/** Adds memo's hooks to the settings of a scope; settings that have them already are not touched. */
export function install(place: InstallPlace, { dryRun, ...options }: InstallOptions) {
  const { scope, self: here } = options, isUndecided = options.mcp === "undecided";
  const { path, text = "" } = openSettings(place, scope, { isToChange: true });
  const { installs } = place.paths, before = readRecords(installs)[path];
  const own = ownEntries(text, recognise(before ? [here, before.self] : [here]));
  const wanted = wantedIn(place, options, own), { record, self, groups, needs, mcp } = wanted;
  const made = { client: needs.client, ...!isUndecided && { mcp } };
  const isWanted = !options.isElsewhere;
  const [change] = changeFiles(place, [wanted.file], { isWanted, dryRun, self, made });
  const isKnown = record === undefined || isUndecided || record.mcp === mcp || scope !== "user";
  if (change!.before === change!.after && !isKnown && !dryRun) {
    writeRecord(installs, path, { ...record, mcp });
  }
  return {
    ...change!,
    ...{ mcp, events: Object.keys(groups), client: needs.client, wasInstalled: own.length > 0 },
    /** The events that this Claude Code does not know. */
    unknown: unknownEvents(needs),
    /** What about memo's hooks was wrong before. */
    differences: wanted.differences,
  };
}

/** memo's hooks in the managed settings, if they have any. */
export function managedHooks(
  place: InstallPlace,
  options: Omit<InstallOptions, "dryRun" | "scope">,
) {
  const isOwn = recognise([options.self]);
  for (const { path, values } of managedSettings(place.managed)) {
    const text = JSON.stringify(values), own = ownEntries(text, isOwn);
    if (own.length === 0) continue;
    const { differences } = wantedIn(place, { ...options, scope: "user" }, own);
    return { path, own, text: ownText(text, isOwn), differences };
  }
  return undefined;
}

/** Reads and checks the settings of a scope; a blank file is as good as none. */
export function openSettings(
  { env, paths, cwd }: InstallPlace,
  scope: SettingsScope,
  { isToChange = false }: { readonly isToChange?: boolean } = {},
): SettingsFile {
  const path = settingsPath(scope, paths, cwd), name = tilde(path, env);
  const file = readSettings(path, name);
  checkSettings(file.text ?? "", name);
  if (isToChange) refuseOutside(file, scope, name);
  return file;
}

/** Why Claude Code runs no hooks from these settings, in words; undefined when it does. */
export function whyDisabled(settings: string): string | undefined {
  return at(parse(settings), "disableAllHooks")?.value === true
    ? "`disableAllHooks` is true in these settings: Claude Code runs no hooks"
    : undefined;
}

/** Takes memo's hooks out of the settings of a scope, to the byte where nobody has changed the file since. */
export function uninstall(
  place: InstallPlace,
  { scope, ...options }: Pick<InstallOptions, "scope" | "dryRun" | "self">,
): InstallFileChange {
  const { path } = openSettings(place, scope, { isToChange: true });
  const how = { ...options, isWanted: false, keepsBackup: true };
  return changeFiles(place, [jsonFile(path, [])], how)[0]!;
}

/** What Claude Code reads as every tool, or every kind of event. */
const MATCHES_ALL: readonly unknown[] = [undefined, "", "*"];

/** Compares memo's hooks in the settings with those that an install would write; `by hand`: they start this memo all the same. */
function compareHooks(
  found: readonly HookEntry[],
  wanted: readonly HookEntry[],
  startsSelf: (handler: unknown) => boolean,
) {
  const events = new Set([...wanted, ...found].map(({ event }) => event));
  return [...events].flatMap((event) => {
    const [present = [], expected = []] = [found, wanted]
      .map((entries) => entries.filter((entry) => entry.event === event));
    if (isDeepStrictEqual(present, expected)) return [];
    const isByHand = present.every(({ handler, matcher }) =>
      MATCHES_ALL.includes(matcher) && startsSelf(handler)
    );
    const kind = present.length === 0
      ? "missing"
      : expected.length === 0
      ? "not needed"
      : isByHand
      ? "by hand"
      : "different";
    return [{ event, kind } as const];
  });
}

/** The paths that `purgeState` deletes, but for the state folder itself. */
export function statePaths(paths: Paths): string[] {
  // Of interrupted writes.
  const temporary = namesIn(paths.state).filter((name) => TEMPORARY.test(name))
    .map((name) => join(paths.state, name));
  return [...stateEntries(paths), ...temporary].filter((path) => existsSync(path));
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
  if (existsSync(state) && namesIn(state).length === 0) {
    rmdirSync(state);
    deleted.push(state);
    for (let above = dirname(state); above.startsWith(home + sep); above = dirname(above)) {
      removeIfEmpty(above); // `~/.local/share`
    }
  }
  return deleted;
}

// memo's MCP server in the file where Claude Code keeps the user's own servers. The file holds far more than that, logins
// among it, so that no copy of it is kept, and nothing but the one entry is touched.
/** Registers memo's server for the user, or takes it out. */
export function changeServer(
  place: Omit<InstallPlace, "cwd">,
  { self: here, ...options }: Omit<InstallChangeOptions, "made">,
): InstallFileChange {
  const { env, paths } = place;
  // Inside the configuration folder where one is set, else beside it.
  const path = join(env["CLAUDE_CONFIG_DIR"] ? paths.claude : paths.home, ".claude.json");
  const { text = "" } = readSettings(path, tilde(path, env));
  checkSettings(text, tilde(path, env));
  const found = at(parse(text), "mcpServers", "memo");
  const self = asNamed(here, [programIn(found && getNodeValue(found))]);
  const value = { type: "stdio", command: self.command, args: [...self.args, "mcp"], env: {} };
  const file = jsonFile(path, [{ path: ["mcpServers", "memo"], value }], {
    outline: (text) => at(parse(text), "mcpServers") ? '{"mcpServers":{}}' : "{}",
  });
  return changeFiles(place, [file], { ...options, self, made: { mcp: true } })[0]!;
}
