// memo as a plugin in Claude Code's folder of skills, which loads it without a marketplace.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoError } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { textAt } from "../../core/files/there.ts";
import type { Command } from "../../core/link/self.ts";
import { isPlugin, pluginFolder } from "../../core/memory/claude_plugin.ts";
import { tilde } from "../../paths.ts";
import { removeIfEmpty } from "./init_record.ts";
import type { HookNeeds } from "./entries.ts";
import type { InstallPlace } from "./install.ts";
import { PLUGIN_CLAUDE, pluginFiles } from "./plugin_files.ts";
import { readRecords, writeRecord } from "./record.ts";
import { isAtLeast } from "./versions.ts";

/** What an install of the plugin did, or would do. */
export interface PluginChange {
  /** The plugin's folder. */
  readonly path: string;
  readonly changed: boolean;
  /** Its files, by path in the folder. */
  readonly files: readonly string[];
}

export interface PluginOptions extends HookNeeds {
  readonly dryRun: boolean;
  /** How Claude Code is to start this memo. */
  readonly self: Command;
  /** Claude Code's version, if it is known. */
  readonly client?: string | undefined;
}

/** Writes the plugin; files that are right already are not touched. */
export async function installPlugin(
  place: InstallPlace,
  { dryRun, self, client, prefetch, moments }: PluginOptions,
): Promise<PluginChange> {
  if (client !== undefined && !isAtLeast(client, PLUGIN_CLAUDE)) {
    throw new MemoError(
      "usage",
      `Cannot install the plugin: it needs Claude Code ${PLUGIN_CLAUDE}, and yours is ${client}`,
      { hint: "Run `memo init`, or `claude update` first" },
    );
  }
  const { env, paths } = place;
  const path = pluginFolder(paths);
  if (existsSync(path) && !isPlugin(path)) {
    throw new MemoError(
      "file",
      `Cannot install the plugin: \`${tilde(path, env)}\` contains something else`,
      { hint: "Move that folder away, or run `memo init`" },
    );
  }
  const files = pluginFiles(self, { prefetch, moments });
  const wrong = Object.entries(files).filter(([name, text]) => textAt(join(path, name)) !== text);
  if (wrong.length > 0 && !dryRun) {
    const record = readRecords(paths.installs)[path];
    const madeFolder = record?.madeFolder ?? !existsSync(dirname(path));
    for (const [name, text] of wrong) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileAtomic(file, text, { mode: 0o600 });
    }
    await writeRecord(paths.installs, path, { self, before: null, after: "", madeFolder });
  }
  return { path, changed: wrong.length > 0, files: Object.keys(files) };
}

/** Takes the plugin's own files away, and the folders that become empty. */
export async function removePlugin(
  { paths }: InstallPlace,
  { dryRun, self }: Pick<PluginOptions, "dryRun" | "self">,
): Promise<PluginChange> {
  const path = pluginFolder(paths);
  if (!isPlugin(path)) return { path, changed: false, files: [] };
  const files = Object.keys(pluginFiles(self, {})).filter((name) => existsSync(join(path, name)));
  if (!dryRun) {
    for (const name of files) rmSync(join(path, name));
    const folders = new Set(files.flatMap((name) => foldersOf(join(path, name), path)));
    const deepestFirst = [...folders].sort((a, b) => b.length - a.length);
    for (const folder of deepestFirst) removeIfEmpty(folder);
    if (readRecords(paths.installs)[path]?.madeFolder) removeIfEmpty(dirname(path));
    await writeRecord(paths.installs, path, undefined);
  }
  return { path, changed: true, files };
}

/** The folders of a file, up to the plugin's own. */
function foldersOf(file: string, plugin: string): string[] {
  const folder = dirname(file);
  return folder === plugin ? [plugin] : [folder, ...foldersOf(folder, plugin)];
}
