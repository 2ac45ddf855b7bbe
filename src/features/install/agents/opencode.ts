import { join } from "node:path";
import { TIMEOUT_SECONDS } from "../../../../hooks/events.ts";
import type { Command } from "../../../core/link/self.ts";
import { type Agent, EVERYTHING, hookArgs, mcpArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";
import PLUGIN from "./opencode_plugin.js" with { type: "text" };

export const opencode: Agent<"opencode"> = {
  name: "opencode",
  label: "OpenCode",
  gives: EVERYTHING,
  tried: "1.18",
  files: filesOf("opencode", { $schema: "https://opencode.ai/config.json" }),
};

export const kilo: Agent<"kilo"> = {
  name: "kilo",
  label: "Kilo CLI",
  gives: EVERYTHING,
  tried: "7.7",
  files: filesOf("kilo", {}),
};

/** The plugin, and the MCP server in the settings; `fresh` is what new settings begin with. */
function filesOf(name: "opencode" | "kilo", fresh: object): Agent["files"] {
  return ({ env, paths }, self) => {
    const folder = join(env["XDG_CONFIG_HOME"] || join(paths.home, ".config"), name);
    const server = { type: "local", command: [self.command, ...mcpArgs(self)], enabled: true };
    return [
      {
        path: join(folder, "plugins", "memo.js"),
        add: () => plugin(self, name),
        remove: () => undefined,
      },
      hookFile(join(folder, `${name}.json`), [{ path: ["mcp", "memo"], value: server }], fresh),
    ];
  };
}

function plugin(self: Command, name: "opencode" | "kilo"): string {
  return `// memo: puts memories before the model. \`memo init --agent ${name}\` writes this file anew, and
// \`memo uninstall --agent ${name}\` deletes it.
import { spawn } from "node:child_process";

const [COMMAND, ...ARGS] = ${JSON.stringify([self.command, ...hookArgs(self, name)])};
const DEADLINE_MS = ${TIMEOUT_SECONDS * 1000};

${PLUGIN}`;
}
