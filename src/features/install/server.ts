// memo's MCP server in the file where Claude Code keeps the user's own servers. The file holds far more than that, logins
// among it, so that no copy of it is kept, and nothing but the one entry is touched.

import { isDeepStrictEqual } from "node:util";
import { getNodeValue, type Node } from "jsonc-parser";
import type { Command } from "../../core/link/self.ts";
import { tilde } from "../../paths.ts";
import { join } from "node:path";
import { programIn, recogniseCommand } from "./entries.ts";
import type { InstallPlace } from "./install.ts";
import { type FileChange, putIn, readRecords, takeOut } from "./record.ts";
import { asNamed } from "./executable.ts";
import { readSettings } from "./settings_file.ts";
import { checkSettings, EMPTY, isEmpty } from "./settings_json.ts";
import { at, parse, put, remove, removeEach } from "./splice.ts";
import { TOOL_NAMES, writesMemories } from "../../core/link/tools.ts";

/** The name of memo's server, which the names of its tools begin with. */
const NAME = "memo";

/** What an install did, or would do, about the server. */
export interface ServerChange extends FileChange {
  /** Whether another server has memo's name, which is left alone. */
  readonly isTaken: boolean;
}

export interface ServerOptions {
  /** Whether the server is to be there. */
  readonly isWanted: boolean;
  readonly dryRun: boolean;
  /** How Claude Code is to start this memo. */
  readonly self: Command;
}

/** Registers memo's server for the user, or takes it out. */
export async function changeServer(
  place: InstallPlace,
  { isWanted, dryRun, self: here }: ServerOptions,
): Promise<ServerChange> {
  const { env, paths: { installs } } = place;
  const path = serversPath(place);
  const file = readSettings(path, tilde(path, env));
  const text = file.text?.trim() ? file.text : EMPTY;
  checkSettings(text, tilde(path, env));
  const record = readRecords(installs)[path];
  const isOwn = recogniseCommand(record ? [here, record.self] : [here], "mcp");
  const found = serverIn(parse(text));
  const value = found && JSON.parse(JSON.stringify(getNodeValue(found)));
  const isTaken = found !== undefined && !isOwn(value);
  const self = asNamed(here, [programIn(value)]);
  const wanted = { type: "stdio", command: self.command, args: [...self.args, "mcp"], env: {} };
  const isDone = isTaken || isDeepStrictEqual(value, isWanted ? wanted : undefined);
  if (isDone) return { path, before: file.text, after: file.text, backup: undefined, isTaken };
  const strip = (text: string) =>
    found !== undefined && record?.hadServers
      ? remove(text, found.parent!)
      : removeEach(text, (root) => serverIn(root)?.parent);
  const bare = strip(text);
  if (!isWanted) {
    const isGone = record?.before === null && isEmpty(bare);
    return {
      ...await takeOut(file, () => isGone ? undefined : bare, { installs, dryRun }),
      isTaken,
    };
  }
  const after = put(bare, { path: ["mcpServers", NAME], value: wanted });
  const hadServers = record?.hadServers ??
    (found === undefined && at(parse(text), "mcpServers") !== undefined);
  const before = record === undefined && file.text !== undefined ? "" : record?.before ?? null;
  const made = { self, before, hadServers };
  return { ...await putIn(file, after, made, { installs, dryRun, isCopied: false }), isTaken };
}

/** The file of the user's own MCP servers: inside the configuration folder where one is set, else beside it. */
function serversPath({ env, paths }: Pick<InstallPlace, "env" | "paths">): string {
  return join(env["CLAUDE_CONFIG_DIR"] ? paths.claude : paths.home, ".claude.json");
}

function serverIn(root: Node): Node | undefined {
  return at(root, "mcpServers", NAME);
}

// The permissions that go with memo's MCP server: its tools that only read are used without a question.
/** Rules for Claude Code's `permissions.allow`. */
export const PERMISSIONS: readonly string[] = TOOL_NAMES.filter((tool) => !writesMemories(tool))
  .map((tool) => `mcp__memo__${tool}`);

/** Whether settings have these of memo's rules, and no other of them. */
export function hasPermissions(text: string, wanted: readonly string[]): boolean {
  if (text.trim() === "") return wanted.length === 0;
  const found = ownRules(parse(text)).map(({ value }) => value);
  return found.length === wanted.length && wanted.every((rule) => found.includes(rule));
}

/** `text` with rules after those that it has. */
export function addPermissions(text: string, rules: readonly string[]): string {
  const path = ["permissions", "allow"];
  return rules.reduce((text, value) => put(text, { path, value, isItem: true }), text);
}

/** `text` without memo's rules, and without the lists that become empty. */
export function removePermissions(text: string): string {
  return removeEach(text, (root) => ownRules(root)[0]);
}

function ownRules(root: Node): Node[] {
  return (at(root, "permissions", "allow")?.children ?? [])
    .filter(({ value }) => PERMISSIONS.includes(value));
}
