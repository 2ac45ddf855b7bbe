// memo as a plugin in Claude Code's folder of skills, which loads it without a marketplace.

import forget from "../../../plugin/commands/forget.md" with { type: "text" };
import pause from "../../../plugin/commands/pause.md" with { type: "text" };
import search from "../../../plugin/commands/memo.md" with { type: "text" };
import remember from "../../../plugin/commands/remember.md" with { type: "text" };
import readme from "../../../plugin/README.md" with { type: "text" };
import recall from "../../../plugin/skills/memory-recall/SKILL.md" with { type: "text" };
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../../errors.ts";
import type { Command } from "../../core/link/self.ts";
import { isPlugin, pluginFolder } from "../../core/memory/claude_settings.ts";
import { tilde } from "../../paths.ts";
import { changeFiles, type InstallChangeOptions, type InstallPlace } from "./record.ts";
import { hookGroups, type HookNeeds, isAtLeast } from "./entries.ts";
import { VERSION } from "../../version.ts";

/** Its files that are not generated. */
const WRITTEN = {
  "README.md": readme,
  "commands/forget.md": forget,
  "commands/memo.md": search,
  "commands/pause.md": pause,
  "commands/remember.md": remember,
  "skills/memory-recall/SKILL.md": recall,
};

/** Writes the plugin, or takes its own files away; what is right already is not touched. */
export function changePlugin(
  place: InstallPlace,
  { client, prefetch, moments, ...options }: HookNeeds & Omit<InstallChangeOptions, "made">,
) {
  const { env, paths } = place, { isWanted, self } = options;
  const path = pluginFolder(paths), isThere = isPlugin(path);
  if (isWanted && client !== undefined && !isAtLeast(client, PLUGIN_CLAUDE)) {
    throw new MemoError(
      "usage",
      `Cannot install the plugin: it needs Claude Code ${PLUGIN_CLAUDE}, and yours is ${client}`,
      { hint: "Run `memo init`, or `claude update` first" },
    );
  }
  if (isWanted && !isThere && existsSync(path)) {
    throw new MemoError(
      "file",
      `Cannot install the plugin: \`${tilde(path, env)}\` contains something else`,
      { hint: "Move that folder away, or run `memo init`" },
    );
  }
  const files: Record<string, string> = isWanted || isThere
    ? { ...generatedFiles(self, { prefetch, moments }), ...WRITTEN }
    : {};
  const parts = Object.entries(files).map(([name, text]) => ({
    path: join(path, name),
    add: () => text,
    remove: () => undefined,
    outline: () => "", // no copy is kept of what memo wrote
  }));
  const changes = changeFiles(place, parts, options);
  const changed = changes.some(({ before, after }) => before !== after);
  /** Why it cannot be changed. */
  const locked = changes.find(({ locked }) => locked !== undefined)?.locked;
  return { path, changed, locked, files: Object.keys(files) };
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
export function generatedFiles(self: Command, options: HookNeeds = {}): Record<string, string> {
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

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
