// Claude Code's settings, as far as memo follows them: the user's and the managed ones. A repository's settings
// are left out, because they could point memo at any folder. `src/features/install/` writes settings.

import { isAbsolute, join, normalize } from "node:path";
import { readRegular } from "../files/bounded.ts";
import { namesIn, orNothing, parsed } from "../files/there.ts";
import { readState } from "../files/state.ts";
import type { Paths } from "../../paths.ts";

/** Maximum bytes of a settings file of Claude Code's. */
export const MAX_SETTINGS = 8 * 1024 * 1024;

/** A readable settings file. */
export interface ClaudeSettings {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const MANAGED_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** Where Claude Code looks for managed settings on this machine. */
export function managedFolder(): string {
  return MANAGED_FOLDERS[process.platform] ?? "/etc/claude-code";
}

/** The managed settings: one file, and those in the folder beside it, of which the last takes precedence. */
export function managedSettings(folder: string = managedFolder()): ClaudeSettings[] {
  const dropIns = join(folder, "managed-settings.d");
  return [
    join(folder, "managed-settings.json"),
    ...namesIn(dropIns).filter((name) => name.endsWith(".json")).map((name) => join(dropIns, name)),
  ].flatMap(readSettings);
}

/**
 * The settings of Claude Code's own auto memory, from the managed settings and the user's: whether it neither reads nor
 * writes it, and the folder that all projects share; undefined: one per project.
 */
export function autoMemory(
  { claude, home }: { readonly claude: string; readonly home: string },
  managed: string = managedFolder(),
) {
  const sources = [
    ...managedSettings(managed).toReversed(),
    ...readSettings(join(claude, "settings.json")),
  ];
  const first = (key: string) =>
    sources.find(({ values }) => values[key] !== undefined)?.values[key];
  return {
    isOff: first("autoMemoryEnabled") === false,
    directory: directoryOf(first("autoMemoryDirectory"), home),
  };
}

/** A folder by Claude Code's rules: absolute or relative to the home folder, and not a root. */
function directoryOf(value: unknown, home: string): string | undefined {
  if (typeof value !== "string" || value.includes("\0")) return undefined;
  const path = normalize(value.replace(/^~(?=[\\/])/, home)).replace(/[\\/]+$/, "");
  const isRemote = /^(?:\\\\|\/\/)/.test(value);
  return isAbsolute(path) && path.length > 2 && !isRemote ? path : undefined;
}

/** The settings in a file; none if it is missing, or unreadable for Claude Code too. */
export function readSettings(path: string): ClaudeSettings[] {
  const text = orNothing(() => readRegular(path, MAX_SETTINGS).toString("utf8")) ?? "";
  const values = parsed(text.replace(/^\ufeff/, ""));
  return typeof values === "object" && values !== null && !Array.isArray(values)
    ? [{ path, values: values as Record<string, unknown> }]
    : [];
}

// What Claude Code has of memo: its plugin, from the folder of skills or a marketplace, and its tools.
/** The plugin's folder among Claude Code's skills. */
export function pluginFolder({ claude }: Pick<Paths, "claude">): string {
  return join(claude, "skills", "memo");
}

/** Where memo is installed as a plugin, the folder of skills or a marketplace; undefined if it is not, or is switched off. */
export function pluginPlace(
  { paths }: { readonly paths: Pick<Paths, "claude"> },
): "folder" | "marketplace" | undefined {
  if (isPlugin(pluginFolder(paths))) return "folder";
  const [settings] = readSettings(join(paths.claude, "settings.json"));
  const enabled = settings?.values["enabledPlugins"] as Record<string, unknown> | null | undefined;
  return enabled?.["memo@memo"] === true ? "marketplace" : undefined;
}

/** Whether Claude Code knows memo's tools: its server is registered, or comes with the plugin. */
export function hasTools(paths: Pick<Paths, "claude" | "installs">): boolean {
  const records = Object.values(readState(paths.installs) ?? {});
  return records.some((record) => (record as { mcp?: unknown } | null)?.mcp === true) ||
    pluginPlace({ paths }) !== undefined;
}

/** Whether a folder is memo's plugin. */
export function isPlugin(folder: string): boolean {
  return readState(join(folder, ".claude-plugin", "plugin.json"))?.["name"] === "memo";
}
