// What Claude Code has of memo: its plugin, from the folder of skills or a marketplace, and its tools.

import { join } from "node:path";
import { readState } from "../files/state.ts";
import type { Paths } from "../../paths.ts";
import { readSettings } from "./claude_settings.ts";

/** Where the plugin lies: in the folder of skills, or where Claude Code keeps plugins of marketplaces. */
export type PluginPlace = "folder" | "marketplace";

/** The plugin's folder among Claude Code's skills. */
export function pluginFolder({ claude }: Pick<Paths, "claude">): string {
  return join(claude, "skills", "memo");
}

/** Where memo is installed as a plugin; undefined if it is not, or is switched off. */
export function pluginPlace(
  { paths }: { readonly paths: Pick<Paths, "claude"> },
): PluginPlace | undefined {
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
