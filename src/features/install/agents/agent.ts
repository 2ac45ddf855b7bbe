import type { AgentName } from "../../../../hooks/agents/mod.ts";
import type { Command } from "../../../core/link/self.ts";
import { shellQuoted } from "../../../core/text/shell_words.ts";
import { hookParts, type PartFile } from "../parts.ts";
import type { InstallPlace } from "../record.ts";
import type { DocumentPart } from "../splice.ts";

/** Where an agent's settings are looked for. */
export type AgentPlace = Omit<InstallPlace, "cwd">;

/** What memo can give an agent, in the order of a session. */
export const GIFTS = {
  titles: "titles",
  prompt: "prompts",
  file: "file reads",
  error: "errors",
  capture: "capture",
  mcp: "MCP tools",
} as const;

export type Gift = keyof typeof GIFTS;

/** One row of the table of other agents. */
export interface Agent {
  readonly name: AgentName;
  readonly label: string;
  /** What works there; `test/client/agents/` has a proof of each in the real program. */
  readonly gives: readonly Gift[];
  /** The version that it was tried with, against a server on the same machine; undefined if it was not run. */
  readonly tried?: string;
  /** What the user has to do besides. */
  readonly next?: string;
  /** Its last sessions with the time of their last word, for an agent whose hooks may not run although they are installed. */
  readonly sessions?: (place: AgentPlace) => readonly { readonly id: string; readonly at: Date }[];
  readonly files: (place: AgentPlace, self: Command) => readonly PartFile[];
}

/** The same as it is written down. */
export type AgentRow = Omit<Agent, "name" | "gives"> & Partial<Pick<Agent, "gives">>;

/** A command's arguments for the hooks of an agent. */
export function hookArgs({ args }: Command, agent: AgentName): string[] {
  return [...args, "hook", "--agent", agent];
}

/** The same as a line for a shell, with the command. */
export function hookLine(self: Command, agent: AgentName): string {
  return [self.command, ...hookArgs(self, agent)].map(shellQuoted).join(" ");
}

/** memo's MCP server where an agent lists servers by name. */
export function serverPart({ command, args }: Command): DocumentPart {
  return { path: ["mcpServers", "memo"], value: { command, args: [...args, "mcp"] } };
}

/** A group with a handler for each event, which may be heard for the tools that match alone. */
export function groupParts(
  events: Readonly<Record<string, string>>,
  handler: object,
): DocumentPart[] {
  const groups = Object.entries(events).map(([event, matcher]) =>
    [event, [{ ...matcher === "" ? {} : { matcher }, hooks: [handler] }]] as const
  );
  return hookParts(Object.fromEntries(groups));
}
