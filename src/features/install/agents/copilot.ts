import { join } from "node:path";
import { TIMEOUT_SECONDS } from "../../../../hooks/events.ts";
import { type Agent, EVERYTHING, hookLine, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

export const copilot: Agent<"copilot"> = {
  name: "copilot",
  label: "Copilot CLI",
  gives: EVERYTHING,
  tried: "1.0",
  files({ env, paths }, self) {
    const folder = env["COPILOT_HOME"] || join(paths.home, ".copilot");
    const bash = hookLine(self, "copilot");
    const handler = { type: "command", bash, timeoutSec: TIMEOUT_SECONDS };
    const server = { type: "local", command: self.command, args: mcpArgs(self), tools: ["*"] };
    return [
      hookFile(
        join(folder, "hooks", "memo.json"),
        // Under Claude Code's names of events it sends Claude Code's fields.
        ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"].map((event) => ({
          path: ["hooks", event],
          value: event === "PostToolUse" ? { matcher: "Read|Bash", ...handler } : handler,
          isItem: true,
        })),
        { version: 1 },
      ),
      hookFile(join(folder, "mcp-config.json"), [{ path: ["mcpServers", "memo"], value: server }]),
    ];
  },
};
