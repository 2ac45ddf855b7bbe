import type { Paths } from "../paths.ts";
import { pluginPlace } from "./plugin.ts";
import { readRecords } from "./record.ts";

/** Whether Claude Code knows memo's tools: its server is registered, or comes with the plugin. */
export function hasTools(paths: Paths): boolean {
  return Object.values(readRecords(paths.installs)).some(({ mcp }) => mcp === true) ||
    pluginPlace({ paths }) !== undefined;
}
