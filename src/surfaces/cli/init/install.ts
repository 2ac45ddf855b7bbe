import { Option } from "commander";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { isCompiled, selfCommand } from "../../../core/link/self.ts";
import { TOOL_NAMES } from "../../../core/link/tools.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { PROJECTS } from "../../../core/memory/project.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { agentNamed, AGENTS, changeAgent, giftsOf } from "../../../features/install/agents/mod.ts";
import { claudeVersion } from "../shared/claude_version.ts";
import {
  type FileChange,
  install,
  type InstallOptions,
  type SettingsChange,
  uninstall,
  whyDisabled,
} from "../../../features/install/install.ts";
import { installPlugin, removePlugin } from "../../../features/install/plugin.ts";
import { readRecords } from "../../../features/install/record.ts";
import { refuseRunner } from "../../../features/install/executable.ts";
import { changeServer, type ServerChange } from "../../../features/install/server.ts";
import { SETTINGS_SCOPES, type SettingsScope } from "../../../features/install/settings_file.ts";
import { OLDEST_CLAUDE } from "../../../features/install/entries.ts";
import { tilde } from "../../../paths.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { hookNeeds } from "../shared/follow_settings.ts";
import { fetchFromEnvironment } from "../shared/from_environment.ts";
import { out, outJson, say } from "../shared/output.ts";
import { warmUp } from "../shared/warm_up.ts";
import { captureNote } from "./sending.ts";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** What `memo init` is told when it is to ask nothing. */
export interface InstallFlags {
  readonly scope: SettingsScope;
  /** `--mcp` or `--no-mcp`. */
  readonly mcp?: boolean;
  readonly agent?: string;
  readonly plugin?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `--scope`, as install and uninstall take it. */
export function scopeOption(): Option {
  return new Option(
    "--scope <scope>",
    "Settings file: yours, the project's, or yours in the project",
  )
    .choices([...SETTINGS_SCOPES])
    .default("user");
}

/** `--agent`, as install and uninstall take it. */
export function agentOption(): Option {
  return new Option("--agent <name>", "Another agent than Claude Code")
    .choices(AGENTS.map(({ name }) => name));
}

/** Adds memo's hooks and tools to Claude Code, or to another agent, and asks nothing. */
export async function installNow(flags: InstallFlags, context: CliContext): Promise<void> {
  const { agent, plugin, dryRun = false, json = false } = flags;
  if (agent !== undefined) {
    await changeOtherAgent(context, { agent, isWanted: true, dryRun, json });
  } else if (plugin) await installAsPlugin(flags, context);
  else await installHooks(flags, context);
  if (!dryRun) { for (const warning of await warmUp(context)) say(`warning: ${warning}`); }
  if (!dryRun && agent === undefined && !plugin) await fetchFromEnvironment(context);
}

async function installHooks(
  { scope, mcp, dryRun = false, json = false }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const { change, server, warnings } = await installHere(context, { scope, dryRun, mcp });
  if (json) {
    const { command, args } = programOf(context);
    outJson({
      scope,
      dryRun,
      changed: [change, server].some((each) => each?.before !== each?.after),
      claude: change.client ?? null,
      events: change.events,
      leftOut: change.unknown.map(({ name, since }) => ({ event: name, since })),
      command: [command, ...args, "hook"],
      mcp: server === undefined ? null : { registered: change.mcp, path: server.path },
      ...summary(change),
    });
  } else if (dryRun) printDiffs(server === undefined ? [change] : [change, server], context);
  else report(change, server, context);
  if (!json) { for (const line of leftOut(change)) say(line); }
  for (const warning of warnings) say(`warning: ${warning}`);
}

/** Prints what would change, as a diff. */
export function printDiffs(changes: readonly FileChange[], { env }: CliContext): void {
  out(changes.map((each) => diffOf(each, tilde(each.path, env))).join("") || "No changes\n");
}

/** Adds memo's hooks and its MCP server to Claude Code, or with `dryRun` says what it would change, and what would keep them from working. */
export async function installHere(
  context: CliContext,
  { scope, dryRun, ...options }: Pick<InstallOptions, "scope" | "dryRun" | "mcp">,
) {
  const self = programOf(context);
  refuseRunner(self.command);
  const needs = hookNeeds(context);
  const client = await claudeVersion(context);
  const plugin = scope === "user" ? pluginPlace(context) : undefined;
  // A file that cannot be edited is an error before anything is changed.
  if (scope === "user" && options.mcp !== false) {
    await changeServer(context, { isWanted: true, dryRun: true, self });
  }
  if (plugin === "folder") await removePlugin(context, { dryRun, self });
  const change = await install(context, { scope, dryRun, self, client, ...needs, ...options });
  const isWanted = change.mcp && plugin !== "marketplace"; // which brings its own
  const found = warningsOf(change, scope, self.command);
  const server = scope === "user"
    ? await changeServer(context, { isWanted, dryRun, self }).catch((error) => {
      if (options.mcp !== false) throw error;
      found.push(messageOf(error));
      return undefined;
    })
    : undefined;
  if (plugin === "marketplace") found.push(BOTH);
  if (plugin === "folder") {
    const path = tilde(pluginFolder(context.paths), context.env);
    found.push(`memo's plugin, \`${path}\`, makes way for the hooks in the settings`);
  }
  return { change, server, warnings: dryRun ? found : [...found, ...await unpack(context)] };
}

const BOTH =
  "memo's plugin is installed too, from a marketplace: each event is answered once, and the MCP server is the plugin's; " +
  "run `claude plugin uninstall memo@memo`, or `memo uninstall`, to keep one of the two";

/** Unpacks the native libraries before the first prompt needs them. Returns warnings. */
async function unpack({ paths }: CliContext): Promise<string[]> {
  try {
    const { unpackForPrompts } = await import("../../../core/native/mod.ts");
    unpackForPrompts(paths);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** A change as `--json` prints it, without the settings themselves, which may hold secrets. */
export function summary({ path, before, after, backup }: FileChange): Record<string, unknown> {
  return {
    path,
    created: before === undefined && after !== undefined,
    deleted: before !== undefined && after === undefined,
    backup: backup ?? null,
  };
}

/** Features that this version of Claude Code lacks, with the first version that has them. */
export function leftOut({ client, unknown }: Pick<SettingsChange, "client" | "unknown">): string[] {
  if (unknown.length === 0) return [];
  const lines = unknown.map(({ name, since, purpose }) =>
    `  ${name} needs Claude Code ${since} (${purpose})`
  );
  const why = client === undefined
    ? `Cannot tell the version of Claude Code: \`claude\` was not found, or does not run. Left out what ${OLDEST_CLAUDE} does not know:`
    : `Claude Code ${client} does not know every event. Left out:`;
  return [why, ...lines, "After an update of Claude Code run `memo init` again"];
}

function report(
  change: SettingsChange,
  server: ServerChange | undefined,
  context: CliContext,
): void {
  const { paths, env } = context;
  const path = tilde(change.path, env);
  const tellServer = () => server !== undefined && reportServer(server, change, context);
  if (change.before === change.after) {
    out(`Already installed: \`${path}\` has memo's hooks\n`);
    tellServer();
    return;
  }
  if (change.differences.length > 0) {
    out(`Added memo's hooks to \`${path}\`: ${change.events.join(", ")}\n`);
  } else out(`Changed the permissions of memo's tools in \`${path}\`\n`);
  tellServer();
  if (change.backup) out(`Backup: \`${tilde(change.backup, env)}\`\n`);
  out(`
Your memories:      \`${tilde(paths.userMemory, env)}\`
A project's:        in \`${
    tilde(join(paths.userMemory, PROJECTS), env)
  }\`; shared ones in its \`.claude/memory\`
Test a prompt:      memo recall "how do we deploy" --explain
To remove memo:     memo uninstall

${captureNote(context)}`);
}

/** What Claude Code is given beside the hooks. */
function reportServer(
  { path, before, after, isTaken }: ServerChange,
  { mcp }: SettingsChange,
  { env }: CliContext,
): void {
  const file = `\`${tilde(path, env)}\``;
  if (isTaken) {
    if (mcp) say(`warning: ${file} has another MCP server called \`memo\`; memo's was left out`);
  } else if (before === after) return;
  else if (!mcp) out(`Removed memo's MCP server from ${file}\n`);
  else {
    const tools = TOOL_NAMES.map((name) => name.replace("memory_", "")).join(", ");
    out(`Added memo's MCP server to ${file}: ${tools}\n`);
  }
}

function warningsOf(change: SettingsChange, scope: SettingsScope, executable: string): string[] {
  const found: string[] = [];
  const disabled = whyDisabled(change.after ?? "");
  if (disabled !== undefined) found.push(disabled);
  if (isCompiled && isPassing(executable)) {
    found.push(
      `memo is in a temporary place, \`${executable}\`; if you move it, run \`memo init\` again`,
    );
  }
  if (scope === "project") {
    found.push(
      `these settings are shared with the project but name \`${executable}\` on this machine; ` +
        "run `memo init --scope local` to keep them to yourself",
    );
  }
  return found;
}

/** Whether an executable is in a folder for downloads or temporary files. */
function isPassing(executable: string): boolean {
  return executable.startsWith(tmpdir() + sep) ||
    /[\\/](tmp|temp|downloads?|\.cache)[\\/]/i.test(executable);
}

const PLUGIN_USE = `
In a new session:   /memo:memo, /memo:remember, /memo:forget, /memo:pause, and the skill memory-recall
To remove memo:     memo uninstall
`;

/** Installs memo as a plugin, in place of hooks in the settings and a registered MCP server. */
async function installAsPlugin(
  { scope, mcp, dryRun = false, json }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const other = scope !== "user" ? `--scope ${scope}` : mcp === false ? "--no-mcp" : undefined;
  if (other !== undefined) {
    throw new MemoError("usage", `Cannot install the plugin with \`${other}\``, {
      hint: "Pass only one of them; `memo init --help` lists the options",
    });
  }
  const self = programOf(context);
  refuseRunner(self.command);
  const client = await claudeVersion(context);
  const plugin = await installPlugin(context, { dryRun, self, client, ...hookNeeds(context) });
  // Everything else of memo's would be there twice.
  const removed = [
    await changeServer(context, { isWanted: false, dryRun, self }),
    await uninstall(context, { scope: "user", dryRun, self }),
  ].filter(({ before, after }) => before !== after);
  const { path, changed, files } = plugin, name = tilde(path, context.env);
  if (json) {
    const removedFrom = removed.map(({ path }) => path);
    outJson({ plugin: path, dryRun, changed, files, removedFrom });
  } else if (dryRun) {
    for (const file of changed ? files : []) out(`Would write \`${name}/${file}\`\n`);
    if (!changed || removed.length > 0) printDiffs(removed, context);
  } else {
    out(
      changed
        ? `Installed memo as a plugin in \`${name}\`: hooks, MCP server, skill and commands\n`
        : `Already installed: \`${name}\` has memo's plugin\n`,
    );
    for (const { path } of removed) {
      out(`Took memo out of \`${tilde(path, context.env)}\`; the plugin has it\n`);
    }
    if (changed) out(PLUGIN_USE);
  }
}

/** Adds memo to another agent's settings, or removes it, and prints what was done. */
export async function changeOtherAgent(
  context: CliContext,
  { agent: name, isWanted, dryRun, json }: {
    readonly agent: string;
    readonly isWanted: boolean;
    readonly dryRun: boolean;
    readonly json: boolean;
  },
): Promise<void> {
  const agent = agentNamed(name)!; // commander has checked it
  const self = isWanted ? programOf(context) : selfCommand();
  if (isWanted) refuseRunner(self.command);
  const changes = await changeAgent(context, agent, { isWanted, dryRun, self });
  const changed = changes.filter(({ before, after }) => before !== after);
  if (json) {
    const files = changes.map(({ path, before, after }) => ({ path, changed: before !== after }));
    return outJson({ agent: name, dryRun, changed: changed.length > 0, files });
  }
  if (dryRun) return printDiffs(changes, context);
  if (changed.length === 0) {
    out(`memo is ${isWanted ? "already" : "not"} installed in ${agent.label}\n`);
  }
  for (const { path, after } of changed) {
    out(`${after === undefined ? "Deleted" : "Changed"} \`${tilde(path, context.env)}\`\n`);
  }
  if (isWanted && changed.length > 0) {
    say(`${agent.label} now gets: ${giftsOf(agent)}`);
    if (agent.next !== undefined) say(agent.next);
    say(`Run \`memo uninstall --agent ${name}\` to undo it`);
  }
  for (const { path } of changes.filter(({ isTaken }) => isTaken)) {
    const file = tilde(path, context.env);
    say(`warning: \`${file}\` has another MCP server called \`memo\`; memo's was left out`);
  }
}

/** Removes memo from every other agent that it was added to. */
export async function leaveOtherAgents(context: CliContext): Promise<void> {
  const self = selfCommand(), records = readRecords(context.paths.installs);
  for (const agent of AGENTS) {
    const isThere = agent.files(context, self).some(({ path }) => records[path] !== undefined);
    if (isThere) await changeAgent(context, agent, { isWanted: false, dryRun: false, self });
  }
}

/** A file before and after; undefined: there is none. */
type TextChange = Pick<FileChange, "before" | "after">;

/** A change of a file as a unified diff; empty when there is none. `name` is the file as people write it. */
export function diffOf({ before, after }: TextChange, name: string): string {
  if (before === after) return "";
  const side = (text: string | undefined) => text === undefined ? "/dev/null" : name;
  return createTwoFilesPatch(
    side(before),
    side(after),
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { headerOptions: FILE_HEADERS_ONLY },
  );
}
