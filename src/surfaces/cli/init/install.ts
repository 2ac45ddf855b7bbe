import { Option } from "commander";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { isCompiled, selfCommand } from "../../../core/link/self.ts";
import { TOOL_NAMES } from "../../../core/link/tools.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { answerIn } from "../../../core/settings/purposes.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { agentNamed, AGENTS, changeAgent, giftsOf } from "../../../features/install/agents/mod.ts";
import { OLDEST_CLAUDE } from "../../../features/install/entries.ts";
import { refuseRunner } from "../../../features/install/executable.ts";
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
import { changeServer } from "../../../features/install/server.ts";
import { SETTINGS_SCOPES, type SettingsScope } from "../../../features/install/settings_file.ts";
import { tilde } from "../../../paths.ts";
import { configHere } from "../config.ts";
import { claudeVersion } from "../shared/claude_version.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { hookNeeds } from "../shared/follow_settings.ts";
import { fetchFromEnvironment } from "../shared/from_environment.ts";
import { out, outJson, say } from "../shared/output.ts";
import { warmUp } from "../shared/warm_up.ts";

/** What `memo init` is told when it is to ask nothing. */
export interface InstallFlags {
  readonly scope: SettingsScope;
  /** `--mcp` or `--no-mcp`. */
  readonly mcp?: boolean | undefined;
  readonly agent?: string;
  readonly plugin?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `--scope`, as install and uninstall take it. */
export function scopeOption(): Option {
  const what = "Settings file: yours, the project's, or yours in the project";
  return new Option("--scope <scope>", what).choices([...SETTINGS_SCOPES]).default("user");
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
  if (dryRun) return;
  for (const warning of await warmUp(context)) say(`warning: ${warning}`);
  await fetchFromEnvironment(context);
}

async function installHooks(
  { scope, mcp, dryRun = false, json }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const { change, server, warnings } = await installHere(context, { scope, dryRun, mcp });
  const changes: FileChange[] = server === undefined ? [change] : [change, server];
  if (json) {
    const { command, args } = programOf(context);
    outJson({
      scope,
      dryRun,
      changed: changes.some(isChange),
      claude: change.client ?? null,
      events: change.events,
      leftOut: change.unknown.map(({ name, since }) => ({ event: name, since })),
      command: [command, ...args, "hook"],
      mcp: server === undefined ? null : { registered: change.mcp, path: server.path },
      ...summary(change),
    });
  } else {
    const tools = TOOL_NAMES.map((tool) => tool.replace("memory_", "")).join(", ");
    const then = [
      `Claude Code now gets: hooks (${change.events.join(", ")})`,
      ...change.mcp ? [`  and tools (${tools})`] : [],
      ...answerIn(configHere(context)) === "unasked" ? [UNASKED] : [],
      "Run `memo uninstall` to undo it",
    ];
    report(changes, context, { dryRun, nothing: "Already installed in Claude Code", then });
    if (server?.isTaken && change.mcp) printTaken(server.path, context);
    for (const line of leftOut(change)) say(line);
  }
  for (const warning of warnings) say(`warning: ${warning}`);
}

const UNASKED =
  "Nothing is sent to a language model, and so no memories are written from conversations, until you say yes: run `memo init`";

function isChange({ before, after }: Pick<FileChange, "before" | "after">): boolean {
  return before !== after;
}

/** Prints what was done to files, or what would be; `then` is said after a change. */
function report(
  changes: readonly (Omit<FileChange, "backup"> & Partial<FileChange>)[],
  context: CliContext,
  { dryRun, nothing, then }: {
    readonly dryRun: boolean;
    readonly nothing: string;
    readonly then: readonly string[];
  },
): void {
  if (dryRun) return printDiffs(changes, context);
  const name = (path: string) => `\`${tilde(path, context.env)}\``;
  const changed = changes.filter(isChange);
  if (changed.length === 0) return out(`${nothing}\n`);
  for (const { path, after, backup } of changed) {
    const kept = backup === undefined ? "" : `; backup: ${name(backup)}`;
    out(`${after === undefined ? "Deleted" : "Changed"} ${name(path)}${kept}\n`);
  }
  for (const line of then) say(line);
}

/** Prints what would change, as a diff. */
export function printDiffs(
  changes: readonly Pick<FileChange, "path" | "before" | "after">[],
  { env }: CliContext,
): void {
  out(changes.map((each) => diffOf(each, tilde(each.path, env))).join("") || "No changes\n");
}

/** Adds memo's hooks and its MCP server to Claude Code, or with `dryRun` says what it would change, and what would keep them from working. */
export async function installHere(
  context: CliContext,
  { scope, dryRun, ...options }: Pick<InstallOptions, "scope" | "dryRun" | "mcp">,
) {
  const self = programOf(context);
  refuseRunner(self.command);
  const isUser = scope === "user", plugin = isUser ? pluginPlace(context) : undefined;
  const client = await claudeVersion(context), isOptional = options.mcp === false;
  // A file that cannot be edited is an error before anything is changed.
  if (isUser && !isOptional) {
    await changeServer(context, { isWanted: true, dryRun: true, self });
  }
  if (plugin === "folder") await removePlugin(context, { dryRun, self });
  const change = await install(context, {
    ...{ ...options, ...hookNeeds(context), scope, dryRun, self, client },
  });
  const isWanted = change.mcp && plugin !== "marketplace"; // which brings its own
  const warnings = warningsOf(change, scope, self.command);
  const server = isUser
    ? await changeServer(context, { isWanted, dryRun, self }).catch((error) => {
      if (!isOptional) throw error;
      warnings.push(messageOf(error));
      return undefined;
    })
    : undefined;
  if (plugin === "marketplace") warnings.push(BOTH);
  if (plugin === "folder") {
    const path = tilde(pluginFolder(context.paths), context.env);
    warnings.push(`memo's plugin, \`${path}\`, makes way for the hooks in the settings`);
  }
  if (!dryRun) {
    try { // before the first prompt needs them
      (await import("../../../core/native/mod.ts")).unpackForPrompts(context.paths);
    } catch (error) {
      warnings.push(messageOf(error));
    }
  }
  return { change, server, warnings };
}

const BOTH =
  "memo's plugin is installed too, from a marketplace: each event is answered once, and the MCP server is the plugin's; " +
  "run `claude plugin uninstall memo@memo`, or `memo uninstall`, to keep one of the two";

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
  const why = client === undefined
    ? `Cannot tell the version of Claude Code: \`claude\` was not found, or does not run. Left out what ${OLDEST_CLAUDE} does not know:`
    : `Claude Code ${client} does not know every event. Left out:`;
  return [
    why,
    ...unknown.map(({ name, since, purpose }) =>
      `  ${name} needs Claude Code ${since} (${purpose})`
    ),
    "After an update of Claude Code run `memo init` again",
  ];
}

/** Folders for downloads and temporary files. */
const PASSING = /[\\/](tmp|temp|downloads?|\.cache)[\\/]/i;

function warningsOf(change: SettingsChange, scope: SettingsScope, executable: string): string[] {
  const found: string[] = [];
  const disabled = whyDisabled(change.after ?? "");
  if (disabled !== undefined) found.push(disabled);
  if (isCompiled && (executable.startsWith(tmpdir() + sep) || PASSING.test(executable))) {
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
  ].filter(isChange);
  const { path, changed, files } = plugin;
  if (json) {
    const removedFrom = removed.map(({ path }) => path);
    return outJson({ plugin: path, dryRun, changed, files, removedFrom });
  }
  const name = tilde(path, context.env);
  if (dryRun && changed) {
    out(`Would write to \`${name}\`: ${files.join(", ")}\n`);
    if (removed.length === 0) return;
  }
  const folder = { path, before: undefined, after: "" };
  report([...changed && !dryRun ? [folder] : [], ...removed], context, {
    ...{ dryRun, nothing: "Already installed as a plugin of Claude Code" },
    then: [
      "In a new session: hooks, the MCP server, /memo:memo, /memo:remember, /memo:forget, /memo:pause, and the skill memory-recall",
      "Run `memo uninstall` to undo it",
    ],
  });
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
  if (json) {
    const files = changes.map((each) => ({ path: each.path, changed: isChange(each) }));
    return outJson({ agent: name, dryRun, changed: changes.some(isChange), files });
  }
  const { label, next = "" } = agent, undo = `Run \`memo uninstall --agent ${name}\` to undo it`;
  report(changes, context, {
    ...{ dryRun, nothing: `${isWanted ? "Already" : "Not"} installed in ${label}` },
    then: isWanted
      ? [`${label} now gets: ${giftsOf(agent)}`, next, undo].filter((line) => line !== "")
      : [],
  });
  for (const { path } of changes.filter(({ isTaken }) => isTaken)) printTaken(path, context);
}

function printTaken(path: string, { env }: CliContext): void {
  say(
    `warning: \`${tilde(path, env)}\` has another MCP server called \`memo\`; memo's was left out`,
  );
}

/** Removes memo from every other agent that it was added to. */
export async function leaveOtherAgents(context: CliContext): Promise<void> {
  const self = selfCommand(), records = readRecords(context.paths.installs);
  for (const agent of AGENTS) {
    const isThere = agent.files(context, self).some(({ path }) => records[path] !== undefined);
    if (isThere) await changeAgent(context, agent, { isWanted: false, dryRun: false, self });
  }
}

/** A change of a file as a unified diff; empty when there is none. `name` is the file as people write it. */
export function diffOf(change: Pick<FileChange, "before" | "after">, name: string): string {
  if (!isChange(change)) return "";
  const { before, after } = change, headerOptions = FILE_HEADERS_ONLY;
  const side = (text: string | undefined) => text === undefined ? "/dev/null" : name;
  return createTwoFilesPatch(
    ...[side(before), side(after), before ?? "", after ?? ""] as [string, string, string, string],
    undefined,
    undefined,
    { headerOptions },
  );
}
