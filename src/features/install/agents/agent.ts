import type { AgentName } from "../../../../hooks/agents/mod.ts";
import type { Command } from "../../../core/link/self.ts";
import { shellQuoted } from "../../../core/text/shell_words.ts";
import type { Env, Paths } from "../../../paths.ts";

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

/** What memo can give an agent, in the order of a session. */
export const GIFTS = {
  titles: "titles",
  prompt: "at a prompt",
  file: "at a file",
  error: "at an error",
  capture: "capture",
  mcp: "MCP tools",
} as const;

export type Gift = keyof typeof GIFTS;

/** All of it. */
export const EVERYTHING = Object.keys(GIFTS) as readonly Gift[];

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
  /** Its last sessions, for an agent whose hooks may not run although they are installed. */
  readonly sessions?: (place: AgentPlace) => readonly AgentSession[];
  readonly files: (place: AgentPlace, self: Command) => readonly AgentFile[];
}

/** A command's arguments for the hooks of an agent. */
export function hookArgs({ args }: Command, agent: AgentName): string[] {
  return [...args, "hook", "--agent", agent];
}

/** The same as a line for a shell, with the command. */
export function hookLine(self: Command, agent: AgentName): string {
  return [self.command, ...hookArgs(self, agent)].map(shellQuoted).join(" ");
}

/** A command's arguments for the MCP server. */
export function mcpArgs({ args }: Command): string[] {
  return [...args, "mcp"];
}
