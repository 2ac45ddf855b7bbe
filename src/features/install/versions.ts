// Versions of Claude Code, and the first version of each feature that memo uses; `hooks/events.ts` has the events.

/** The oldest Claude Code that memo is tested with; one whose version cannot be told gets the events of this. */
export const OLDEST_CLAUDE = "2.0.77";
/** From this version on Claude Code is known to skip an event that it does not know: 2.1.197 drops all hooks of the plugin. */
export const SKIPS_UNKNOWN = "2.1.329";
/** From this version on Claude Code hands a hook its `args`, and no shell reads the command. */
export const TAKES_ARGS = "2.1.139";

/** From this version on Claude Code tells a hook where a tool's MCP server is registered (`hooks/permission.ts`). */
export const NAMES_SERVERS = "2.1.274";

/** Whether a version is the same as another one or a later one. */
export function isAtLeast(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) >= 0;
}
