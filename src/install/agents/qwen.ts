import { join } from "node:path";
import { shellQuoted } from "../../text/shell_words.ts";
import { type Agent, EVERYTHING, hookArgs, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

/** Qwen Code counts in milliseconds. */
const TIMEOUT_MS = 5000;

export const qwen: Agent<"qwen"> = {
  name: "qwen",
  label: "Qwen Code",
  gives: EVERYTHING,
  tried: "0.24",
  files({ paths }, self) {
    const command = [self.command, ...hookArgs(self, "qwen")].map(shellQuoted).join(" ");
    const handler = { name: "memo", type: "command", command, timeout: TIMEOUT_MS };
    return [
      hookFile(join(paths.home, ".qwen", "settings.json"), [
        ...["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"].map((event) => ({
          path: ["hooks", event],
          value: { hooks: [handler] },
          isItem: true,
        })),
        { path: ["mcpServers", "memo"], value: { command: self.command, args: mcpArgs(self) } },
      ]),
    ];
  },
};
