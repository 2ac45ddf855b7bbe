// What Claude Code has of memo: its plugin, from the folder of skills or a marketplace, and its tools.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../files/bounded.ts";
import { readState } from "../files/state.ts";
import type { Paths } from "../paths.ts";
import { MAX_SETTINGS } from "./claude_settings.ts";

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
  try {
    const { enabledPlugins } = JSON.parse(
      readRegular(join(paths.claude, "settings.json"), MAX_SETTINGS).toString("utf8"),
    );
    return enabledPlugins?.["memo@memo"] === true ? "marketplace" : undefined;
  } catch {
    return undefined; // there are no settings, or broken ones
  }
}

/** Whether Claude Code knows memo's tools: its server is registered, or comes with the plugin. */
export function hasTools(paths: Pick<Paths, "claude" | "installs">): boolean {
  const records = Object.values(readState(paths.installs) ?? {});
  return records.some((record) => (record as { mcp?: unknown } | null)?.mcp === true) ||
    pluginPlace({ paths }) !== undefined;
}

/** Whether a folder is memo's plugin. */
export function isPlugin(folder: string): boolean {
  try {
    const text = readFileSync(join(folder, ".claude-plugin", "plugin.json"), "utf8");
    return JSON.parse(text).name === "memo";
  } catch {
    return false;
  }
}
