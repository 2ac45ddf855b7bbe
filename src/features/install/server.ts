// memo's MCP server in the file where Claude Code keeps the user's own servers. The file holds far more than that, logins
// among it, so that no copy of it is kept, and nothing but the one entry is touched.

import { getNodeValue } from "jsonc-parser";
import { join } from "node:path";
import { tilde } from "../../paths.ts";
import { programIn } from "./entries.ts";
import { asNamed } from "./executable.ts";
import { checkSettings, jsonFile } from "./parts.ts";
import { changeFiles, type ChangeOptions, type FileChange, type InstallPlace } from "./record.ts";
import { readSettings } from "./settings_file.ts";
import { at, parse } from "./splice.ts";

/** Registers memo's server for the user, or takes it out. */
export function changeServer(
  place: Omit<InstallPlace, "cwd">,
  { self: here, ...options }: Omit<ChangeOptions, "made">,
): FileChange {
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
  return changeFiles(place, [file], { ...options, self })[0]!;
}
