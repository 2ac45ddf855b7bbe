import { join } from "node:path";
import { TIMEOUT_SECONDS } from "../../../../hooks/events.ts";
import type { AgentName } from "../../../../hooks/agents/mod.ts";
import type { Command } from "../../../core/link/self.ts";
import { type AgentFile, hookLine, mcpArgs } from "./agent.ts";
import { hookFile, hookParts } from "./hook_file.ts";

/** Their `settings.json`, which has hooks and MCP servers. */
export function settingsFile(
  folder: readonly string[],
  self: Command,
  { agent, events, matchers }: {
    readonly agent: AgentName;
    readonly events: readonly string[];
    /** The tools that an event is heard for; default: all. */
    readonly matchers?: Readonly<Record<string, string>>;
  },
): AgentFile {
  const command = hookLine(self, agent);
  const handler = { name: "memo", type: "command", command, timeout: TIMEOUT_SECONDS * 1000 };
  return hookFile(join(...folder, "settings.json"), [
    ...hookParts(events, handler, matchers),
    { path: ["mcpServers", "memo"], value: { command: self.command, args: mcpArgs(self) } },
  ]);
}
