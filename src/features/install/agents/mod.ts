import { join } from "node:path";
import type { AgentName } from "../../../../hooks/agents/mod.ts";
import { TIMEOUT_SECONDS } from "../../../../hooks/events.ts";
import type { Command } from "../../../core/link/self.ts";
import { hookParts, jsonFile } from "../parts.ts";
import {
  type Agent,
  type AgentRow,
  type Gift,
  GIFTS,
  groupParts,
  hookArgs,
  hookLine,
  serverPart,
} from "./agent.ts";
import { codex } from "./codex.ts";
import PLUGIN from "./opencode_plugin.js" with { type: "text" };

export { type Agent, GIFTS };

/** The rows by name, in display order; one without `gives` gives everything. */
const ROWS: Readonly<Record<AgentName, AgentRow>> = {
  codex,
  gemini: {
    label: "Gemini CLI",
    tried: "0.61",
    files: settingsFiles(".gemini", "gemini", {
      SessionStart: "",
      BeforeAgent: "",
      BeforeTool: "invoke_agent",
      AfterTool: "invoke_agent|read_file|run_shell_command",
      AfterAgent: "",
      SessionEnd: "",
    }),
  },
  qwen: {
    label: "Qwen Code",
    tried: "0.24",
    files: settingsFiles(".qwen", "qwen", {
      SessionStart: "",
      UserPromptSubmit: "",
      PostToolUse: "",
      PostToolUseFailure: "",
      Stop: "",
      SessionEnd: "",
    }),
  },
  copilot: {
    label: "Copilot CLI",
    tried: "1.0",
    files({ env, paths }, self) {
      const folder = env["COPILOT_HOME"] || join(paths.home, ".copilot");
      const bash = hookLine(self, "copilot");
      const handler = { type: "command", bash, timeoutSec: TIMEOUT_SECONDS };
      const { path, value } = serverPart(self);
      // Under Claude Code's names of events it sends Claude Code's fields.
      const hooks = hookParts({
        SessionStart: [handler],
        UserPromptSubmit: [handler],
        PostToolUse: [{ matcher: "Read|Bash", ...handler }],
        Stop: [handler],
        SessionEnd: [handler],
      });
      return [
        jsonFile(join(folder, "hooks", "memo.json"), hooks, { alone: { version: 1 } }),
        jsonFile(join(folder, "mcp-config.json"), [
          { path, value: { type: "local", ...value as object, tools: ["*"] } },
        ]),
      ];
    },
  },
  opencode: {
    label: "OpenCode",
    tried: "1.18",
    files: pluginFiles("opencode", { $schema: "https://opencode.ai/config.json" }),
  },
  kilo: {
    label: "Kilo CLI",
    tried: "7.7",
    files: pluginFiles("kilo", {}),
  },
  cursor: {
    label: "Cursor",
    gives: ["titles", "mcp"],
    files({ paths }, self) {
      const folder = join(paths.home, ".cursor"), command = hookLine(self, "cursor");
      return [
        jsonFile(join(folder, "hooks.json"), hookParts({ sessionStart: [{ command }] }), {
          alone: { version: 1 },
        }),
        jsonFile(join(folder, "mcp.json"), [serverPart(self)]),
      ];
    },
  },
};

/** Every other agent whose own settings memo can be put into; the rest can use `memo mcp`. */
export const AGENTS: readonly Agent[] = Object.entries(ROWS).map(([name, row]) => ({
  ...{ name: name as AgentName, gives: Object.keys(GIFTS) as Gift[], ...row },
}));

/** The agent of a name. */
export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** A `settings.json` with hooks and MCP servers; an event is heard for all tools, or for those that match. */
function settingsFiles(
  folder: string,
  agent: AgentName,
  events: Readonly<Record<string, string>>,
): Agent["files"] {
  return ({ paths }, self) => {
    const command = hookLine(self, agent);
    const handler = { name: "memo", type: "command", command, timeout: TIMEOUT_SECONDS * 1000 };
    return [
      jsonFile(join(paths.home, folder, "settings.json"), [
        ...groupParts(events, handler),
        serverPart(self),
      ]),
    ];
  };
}

/** The plugin, and the MCP server in the settings; `alone` is what new settings begin with. */
function pluginFiles(name: "opencode" | "kilo", alone: object): Agent["files"] {
  return ({ env, paths }, self) => {
    const folder = join(env["XDG_CONFIG_HOME"] || join(paths.home, ".config"), name);
    const server = { type: "local", command: [self.command, ...self.args, "mcp"], enabled: true };
    return [
      {
        path: join(folder, "plugins", "memo.js"),
        add: () => plugin(self, name),
        remove: () => undefined,
      },
      jsonFile(join(folder, `${name}.json`), [{ path: ["mcp", "memo"], value: server }], { alone }),
    ];
  };
}

function plugin(self: Command, name: "opencode" | "kilo"): string {
  return `// memo: shows memories to the model. \`memo init --agent ${name}\` rewrites this file, and
// \`memo uninstall --agent ${name}\` deletes it.
import { spawn } from "node:child_process";

const [COMMAND, ...ARGS] = ${JSON.stringify([self.command, ...hookArgs(self, name)])};
const DEADLINE_MS = ${TIMEOUT_SECONDS * 1000};

${PLUGIN}`;
}
