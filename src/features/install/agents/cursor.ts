import { join } from "node:path";
import { shellQuoted } from "../../../core/text/shell_words.ts";
import { type Agent, hookArgs, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

export const cursor: Agent<"cursor"> = {
  name: "cursor",
  label: "Cursor",
  gives: ["titles", "mcp"],
  files({ paths }, self) {
    const command = [self.command, ...hookArgs(self, "cursor")].map(shellQuoted).join(" ");
    const folder = join(paths.home, ".cursor");
    return [
      hookFile(
        join(folder, "hooks.json"),
        [{ path: ["hooks", "sessionStart"], value: { command }, isItem: true }],
        { version: 1 },
      ),
      hookFile(join(folder, "mcp.json"), [
        { path: ["mcpServers", "memo"], value: { command: self.command, args: mcpArgs(self) } },
      ]),
    ];
  },
};
