// memo as a plugin in Claude Code's folder of skills, which loads it without a marketplace.

import forget from "../../../plugin/commands/forget.md" with { type: "text" };
import pause from "../../../plugin/commands/pause.md" with { type: "text" };
import search from "../../../plugin/commands/memo.md" with { type: "text" };
import remember from "../../../plugin/commands/remember.md" with { type: "text" };
import readme from "../../../plugin/README.md" with { type: "text" };
import recall from "../../../plugin/skills/memory-recall/SKILL.md" with { type: "text" };
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoError } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { textAt } from "../../core/files/there.ts";
import type { Command } from "../../core/link/self.ts";
import { isPlugin, pluginFolder } from "../../core/memory/claude_settings.ts";
import { tilde } from "../../paths.ts";
import { removeIfEmpty } from "./executable.ts";
import { readRecords, writeRecord } from "./record.ts";
import { type GroupOptions, hookGroups, type HookNeeds, isAtLeast } from "./entries.ts";
import type { InstallPlace } from "./install.ts";
import { VERSION } from "../../version.ts";

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
    const madeFolder = readRecords(paths.installs)[path]?.madeFolder ?? !existsSync(dirname(path));
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
    for (const name of files) {
      rmSync(join(path, name));
      for (let at = dirname(join(path, name)); at.startsWith(path); at = dirname(at)) {
        removeIfEmpty(at);
      }
    }
    if (readRecords(paths.installs)[path]?.madeFolder) removeIfEmpty(dirname(path));
    await writeRecord(paths.installs, path, undefined);
  }
  return { path, changed: true, files };
}

// memo as a plugin of Claude Code. `plugin/` in the repository is for a marketplace, and looks for memo when it runs;
// `memo init --plugin` writes the same with the path of this memo.
/** How a plugin from a marketplace starts memo. */
export const LAUNCHER: Command = { command: "${CLAUDE_PLUGIN_ROOT}/scripts/memo.sh", args: [] };

/** The first Claude Code that is known to load a plugin from its folder of skills; it knows every event. */
const PLUGIN_CLAUDE = "2.1.197";

/** What memo does for who looks for a plugin. */
export const DESCRIPTION =
  "Persistent memory: recalls what fits each prompt, and saves, searches and forgets memories";

/** The generated files of the plugin, by path. */
export function generatedFiles(self: Command, options: GroupOptions = {}): Record<string, string> {
  const server = { command: self.command, args: [...self.args, "mcp"] };
  return {
    ".claude-plugin/plugin.json": json({
      name: "memo",
      version: VERSION,
      description: DESCRIPTION,
      author: { name: "memo contributors" },
      license: "MIT",
      keywords: ["memory", "recall", "mcp"],
    }),
    "hooks/hooks.json": json({ hooks: hookGroups(self, { client: PLUGIN_CLAUDE, ...options }) }),
    ".mcp.json": json({ mcpServers: { memo: server } }),
  };
}

/** Every file of the plugin that `memo init --plugin` writes. */
function pluginFiles(self: Command, options: GroupOptions): Record<string, string> {
  return {
    ...generatedFiles(self, options),
    "README.md": readme,
    "commands/forget.md": forget,
    "commands/memo.md": search,
    "commands/pause.md": pause,
    "commands/remember.md": remember,
    "skills/memory-recall/SKILL.md": recall,
  };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
