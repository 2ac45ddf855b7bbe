// memo's MCP server in the file where Claude Code keeps the user's own servers. The file holds far more than that, logins
// among it, so that no copy of it is kept, and nothing but the one entry is touched.

import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { getNodeValue, type Node } from "jsonc-parser";
import type { Command } from "../../core/link/self.ts";
import { tilde } from "../../paths.ts";
import { join } from "node:path";
import { programIn, recogniseCommand } from "./entries.ts";
import type { FileChange, InstallPlace } from "./install.ts";
import { type InstallRecord, readRecords, writeRecord } from "./record.ts";
import { asNamed } from "./executable.ts";
import { readSettings, type SettingsFile, writeSettings } from "./settings_file.ts";
import { checkSettings, EMPTY, isEmpty, parse } from "./settings_json.ts";
import { property, put, remove, withEmptied } from "./splice.ts";
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
  const { env, paths } = place;
  const path = serversPath(place);
  const file = readSettings(path, tilde(path, env));
  const text = file.text?.trim() ? file.text : EMPTY;
  checkSettings(text, tilde(path, env));
  const record = readRecords(paths.installs)[path];
  const isOwn = recogniseCommand(record ? [here, record.self] : [here], "mcp");
  const found = serverIn(text);
  const isTaken = found !== undefined && !isOwn(getNodeValue(found));
  const self = asNamed(here, found === undefined ? [] : [programIn(getNodeValue(found))]);
  const change = { path, before: file.text, backup: undefined, isTaken };
  const wanted = { type: "stdio", command: self.command, args: [...self.args, "mcp"], env: {} };
  const isDone = isTaken || (isWanted ? isEntry(found, wanted) : found === undefined);
  if (isDone) return { ...change, after: file.text };
  const bare = found === undefined
    ? text
    : remove(text, record?.hadServers ? found.parent! : withEmptied(found.parent!));
  if (!isWanted) return { ...change, after: await removed(bare, { file, record, dryRun, place }) };
  const after = put(bare, parse(bare), { path: ["mcpServers", NAME], value: wanted });
  if (!dryRun) {
    await writeSettings(file, after, { backup: false });
    const before = record === undefined && file.text !== undefined ? "" : record?.before ?? null;
    const hadServers = record?.hadServers ?? (found === undefined && hasServers(text));
    const made = { self, before, after: "", madeFolder: false, hadServers };
    await writeRecord(paths.installs, path, made);
  }
  return { ...change, after };
}

/** Writes the file without the server, and deletes one that install made if nothing else is in it. */
async function removed(
  text: string,
  { file, record, dryRun, place: { paths } }: {
    readonly file: SettingsFile;
    readonly record: InstallRecord | undefined;
    readonly dryRun: boolean;
    readonly place: InstallPlace;
  },
): Promise<string | undefined> {
  const isGone = record?.before === null && isEmpty(text);
  if (!dryRun) {
    if (isGone) rmSync(file.target);
    else await writeSettings(file, text, { backup: false });
    await writeRecord(paths.installs, file.path, undefined);
  }
  return isGone ? undefined : text;
}

/** The file of the user's own MCP servers: inside the configuration folder where one is set, else beside it. */
function serversPath({ env, paths }: Pick<InstallPlace, "env" | "paths">): string {
  return join(env["CLAUDE_CONFIG_DIR"] ? paths.claude : paths.home, ".claude.json");
}

function hasServers(text: string): boolean {
  return property(parse(text), "mcpServers") !== undefined;
}

function serverIn(text: string): Node | undefined {
  const servers = property(parse(text), "mcpServers");
  return servers && property(servers, NAME);
}

function isEntry(node: Node | undefined, wanted: unknown): boolean {
  return node !== undefined &&
    isDeepStrictEqual(JSON.parse(JSON.stringify(getNodeValue(node))), wanted);
}

// The permissions that go with memo's MCP server: its tools that only read are used without a question.
/** Rules for Claude Code's `permissions.allow`. */
export const PERMISSIONS: readonly string[] = TOOL_NAMES.filter((tool) => !writesMemories(tool))
  .map((tool) => `mcp__memo__${tool}`);

/** Whether settings have these of memo's rules, and no other of them. */
export function hasPermissions(text: string, wanted: readonly string[]): boolean {
  if (text.trim() === "") return wanted.length === 0;
  const found = ownRules(text).map(({ value }) => value);
  return found.length === wanted.length && wanted.every((rule) => found.includes(rule));
}

/** `text` with rules after those that it has. */
export function addPermissions(text: string, rules: readonly string[]): string {
  for (const value of rules) {
    text = put(text, parse(text), { path: ["permissions", "allow"], value, isItem: true });
  }
  return text;
}

/** `text` without memo's rules, and without the lists that become empty. */
export function removePermissions(text: string): string {
  for (;;) {
    const [rule] = ownRules(text);
    if (rule === undefined) return text;
    text = remove(text, withEmptied(rule));
  }
}

function ownRules(text: string): Node[] {
  const permissions = property(parse(text), "permissions");
  const allow = permissions && property(permissions, "allow");
  return (allow?.children ?? []).filter(({ value }) => PERMISSIONS.includes(value));
}
