import { join } from "node:path";
import { shellQuoted } from "../../text/shell_words.ts";
import { type Agent, EVERYTHING, hookArgs, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

/** Gemini CLI counts in milliseconds. */
const TIMEOUT_MS = 5000;

export const gemini: Agent<"gemini"> = {
  name: "gemini",
  label: "Gemini CLI",
  gives: EVERYTHING,
  tried: "0.61",
  files({ paths }, self) {
    const command = [self.command, ...hookArgs(self, "gemini")].map(shellQuoted).join(" ");
    const handler = { name: "memo", type: "command", command, timeout: TIMEOUT_MS };
    return [
      hookFile(join(paths.home, ".gemini", "settings.json"), [
        ...["SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"].map((event) => ({
          path: ["hooks", event],
          value: { hooks: [handler] },
          isItem: true,
        })),
        { path: ["mcpServers", "memo"], value: { command: self.command, args: mcpArgs(self) } },
      ]),
    ];
  },
};
