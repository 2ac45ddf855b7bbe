import type { AgentName } from "../../../hooks/agents/mod.ts";
import type { Command } from "../../link/self.ts";
import type { Env, Paths } from "../../paths.ts";

/** Where an agent's settings are looked for. */
export interface AgentPlace {
  readonly env: Env;
  readonly paths: Paths;
}

/** A file of an agent's that memo has a part in. */
export interface AgentFile {
  readonly path: string;
  /** The text with memo's part, which is put there once; `undefined` stands for no file. */
  readonly add: (text: string | undefined) => string;
  /** Whether the user has an MCP server called `memo` there, which is left as it is. */
  readonly isTaken?: (text: string) => boolean;
  /** The text without it; undefined if nothing is left that was not memo's. */
  readonly remove: (text: string) => string | undefined;
}

/** A session that an agent has written down. */
export interface AgentSession {
  readonly id: string;
  /** When it was last written to. */
  readonly at: Date;
}

/** One row of the table of other agents. */
export interface Agent<Name extends AgentName = AgentName> {
  readonly name: Name;
  readonly label: string;
  /** What works there, in a few words. */
  readonly gives: string;
  /** The version that it was tried with, against a server on the same machine; undefined if it was not run. */
  readonly tried?: string;
  /** What the user has to do besides. */
  readonly next?: string;
  /** Its last sessions, for an agent whose hooks may not run although they are installed. */
  readonly sessions?: (place: AgentPlace) => readonly AgentSession[];
  readonly files: (place: AgentPlace, self: Command) => readonly AgentFile[];
}

/** What an agent gives whose conversations memo reads. */
export const EVERYTHING =
  "titles at the start, memories at each prompt, capture after each turn, MCP tools";

/** A command's arguments for the hooks of an agent. */
export function hookArgs({ args }: Command, agent: AgentName): string[] {
  return [...args, "hook", "--agent", agent];
}

/** A command's arguments for the MCP server. */
export function mcpArgs({ args }: Command): string[] {
  return [...args, "mcp"];
}
