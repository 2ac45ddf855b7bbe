// memo as a plugin of Claude Code. `plugin/` in the repository is for a marketplace, and looks for memo when it runs;
// `memo init --plugin` writes the same with the path of this memo.

import forget from "../../../plugin/commands/forget.md" with { type: "text" };
import pause from "../../../plugin/commands/pause.md" with { type: "text" };
import search from "../../../plugin/commands/memo.md" with { type: "text" };
import remember from "../../../plugin/commands/remember.md" with { type: "text" };
import readme from "../../../plugin/README.md" with { type: "text" };
import recall from "../../../plugin/skills/memory-recall/SKILL.md" with { type: "text" };
import type { Command } from "../../core/link/self.ts";
import { VERSION } from "../../version.ts";
import { type GroupOptions, hookGroups } from "./entries.ts";

/** How a plugin from a marketplace starts memo. */
export const LAUNCHER: Command = { command: "${CLAUDE_PLUGIN_ROOT}/scripts/memo.sh", args: [] };

/** The first Claude Code that is known to load a plugin from its folder of skills; it knows every event. */
export const PLUGIN_CLAUDE = "2.1.197";

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
export function pluginFiles(self: Command, options: GroupOptions): Record<string, string> {
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
