import { Option } from "commander";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { isCompiled, selfCommand } from "../../../core/link/self.ts";
import { TOOL_NAMES } from "../../../core/link/tools.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { answerIn } from "../../../core/settings/purposes.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { agentNamed, AGENTS, GIFTS } from "../../../features/install/agents/mod.ts";
import { OLDEST_CLAUDE } from "../../../features/install/entries.ts";
import { refuseRunner } from "../../../features/install/executable.ts";
import {
  changeServer,
  install,
  type InstallFileChange,
  type InstallOptions,
  managedHooks,
  uninstall,
  whyDisabled,
} from "../../../features/install/install.ts";
import { changePlugin } from "../../../features/install/plugin.ts";
import { changeFiles } from "../../../features/install/record.ts";
import { SETTINGS_SCOPES, type SettingsScope } from "../../../features/install/settings_file.ts";
import { type Env, tilde } from "../../../paths.ts";
import { configHere } from "../shared/config_here.ts";
import { claudeVersion, hookNeeds } from "../shared/follow_settings.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { fetchFromEnvironment, warmUp } from "../shared/warm_up.ts";
import { out, outJson, say } from "../shared/output.ts";

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
  const what = "Settings file: user (all projects), project (shared) or local (only you)";
  return new Option("--scope <scope>", what).choices([...SETTINGS_SCOPES]).default("user");
}

/** `--agent`, as install and uninstall take it. */
export function agentOption(): Option {
  return new Option("--agent <name>", "An agent other than Claude Code")
    .choices(AGENTS.map(({ name }) => name));
}

/** Adds memo's hooks and tools to Claude Code, or to another agent, and asks nothing. */
export async function installNow(flags: InstallFlags, context: CliContext): Promise<void> {
  refuseRunner(programOf(context).command);
  if (flags.agent !== undefined) changeAgent(context, { ...flags, isWanted: true });
  else if (flags.plugin) await installAsPlugin(flags, context);
  else await installHooks(flags, context);
  if (flags.dryRun) return;
  for (const warning of await warmUp(context)) say(`warning: ${warning}`);
  await fetchFromEnvironment(context);
}

async function installHooks(
  { scope, mcp, dryRun = false, json = false }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const { change, server, managed, warnings, left } = await installHere(context, {
    scope,
    dryRun,
    mcp,
  });
  const { command, args } = programOf(context), { events } = change;
  const changes: InstallFileChange[] = server === undefined ? [change] : [change, server];
  const tools = TOOL_NAMES.map((tool) => tool.replace("memory_", "")).join(", ");
  report(context, changes, {
    ...{ dryRun, nothing: "Already installed in Claude Code" },
    then: [
      ...managed === undefined
        ? [
          `Added to Claude Code: hooks (${events.join(", ")})`,
          ...change.mcp ? [`  and tools (${tools})`] : [],
        ]
        : [
          ...isChange(change) ? [formatRemoved(change, managed, context.env)] : [],
          ...change.mcp ? [`Added to Claude Code: tools (${tools})`] : [],
        ],
      ...answerIn(configHere(context)) === "unasked" ? [UNASKED] : [],
      "Undo: `memo uninstall`",
    ],
    json: json && {
      scope,
      dryRun,
      changed: changes.some(isChange),
      claude: change.client ?? null,
      events,
      leftOut: change.unknown.map(({ name, since }) => ({ event: name, since })),
      command: [command, ...args, "hook"],
      mcp: server === undefined ? null : { registered: change.mcp, path: server.path },
      ...summary(change),
    },
  });
  if (!json) leftOut(change).forEach(say);
  for (const warning of warnings) say(`warning: ${warning}`);
  warnOfLeft(left, context);
}

/** That hooks were removed because managed settings have them. */
export function formatRemoved(
  { path }: Pick<InstallFileChange, "path">,
  managed: Pick<InstallFileChange, "path">,
  env: Env,
): string {
  const name = (path: string) => `\`${tilde(path, env)}\``;
  return `Removed memo's hooks from ${name(path)}: ${name(managed.path)} has them`;
}

const UNASKED =
  "No memories are written from conversations until you let a language model read them: `memo init`";

/** Whether a file becomes another one. */
export function isChange(
  { before, after, locked }: Pick<InstallFileChange, "before" | "after" | "locked">,
): boolean {
  return before !== after && locked === undefined;
}

/** What is printed of a change; of a whole folder less is known. */
type ChangedFile =
  & Pick<InstallFileChange, "path" | "before" | "after">
  & Partial<InstallFileChange>;

/** What of memo stays in a file, and what to delete there; no `paste`: all of it. */
export interface LeftPart extends Required<Pick<InstallFileChange, "path" | "paste">> {
  readonly what: string;
  readonly why: string;
}

/** What stays in files that memo cannot write. */
export function leftIn(
  what: string,
  changes: readonly Pick<InstallFileChange, "path" | "paste" | "locked">[],
): LeftPart[] {
  return changes.flatMap(({ path, paste = "", locked: why }) =>
    why === undefined ? [] : [{ path, paste, what, why }]
  );
}

/** Says what stays, and what to do about it. */
export function formatLeft({ path, paste, what, why }: LeftPart, env: Env, again = ""): string {
  const [part, below] = paste === ""
    ? ["it, or change", ""]
    : ["this from it, or from", `:\n\n${paste}`];
  return `\`${tilde(path, env)}\` still has memo's ${what}: ${why}. ` +
    `Delete ${part} the configuration that generates it${again}${below}`;
}

/** Warns of what stays, which is a failure. */
export function warnOfLeft(left: readonly LeftPart[], { env }: CliContext, again?: string): void {
  for (const each of left) say(`warning: ${formatLeft(each, env, again)}`);
  if (left.length > 0) process.exitCode = 1;
}

/** Prints what was done to files, or what would be; `then` is said after a change. */
export function report(
  { env }: CliContext,
  changes: readonly ChangedFile[],
  { dryRun, nothing, plan = "", then = [], json }: {
    readonly dryRun: boolean;
    readonly nothing: string;
    /** What a dry run tells before the differences. */
    readonly plan?: string;
    readonly then?: readonly string[];
    /** What is printed in place of words. */
    readonly json: object | false;
  },
): void {
  if (json) return outJson(json);
  const name = (path: string) => `\`${tilde(path, env)}\``;
  const changed = changes.filter(isChange);
  if (dryRun) {
    const diffs = changes.map((each) => diffOf(each, tilde(each.path, env))).join("");
    out(plan + diffs || "No changes\n");
  } else if (changed.length === 0) out(`${nothing}\n`);
  else {
    for (const { path, after, backup } of changed) {
      const kept = backup === undefined ? "" : `; backup: ${name(backup)}`;
      out(`${after === undefined ? "Deleted" : "Changed"} ${name(path)}${kept}\n`);
    }
    then.forEach(say);
  }
  for (const { path } of changes.filter(({ isTaken }) => isTaken)) {
    say(`warning: ${name(path)} already has an MCP server named \`memo\`; memo's was not added`);
  }
}

/** Adds memo's hooks and its MCP server to Claude Code, or with `dryRun` says what it would change, and what would keep them from working. */
export async function installHere(
  context: CliContext,
  { scope, dryRun, mcp }: Pick<InstallOptions, "scope" | "dryRun" | "mcp">,
) {
  const self = programOf(context);
  const isUser = scope === "user", plugin = isUser ? pluginPlace(context) : undefined;
  const client = await claudeVersion(context), isOptional = mcp === false;
  const needs = { ...hookNeeds(context), mcp, self, client };
  const managed = isUser ? managedHooks(context, needs) : undefined;
  // A file that cannot be edited is an error before anything is changed.
  if (isUser && !isOptional) changeServer(context, { isWanted: true, dryRun: true, self });
  const replaced = plugin === "folder"
    ? [changePlugin(context, { isWanted: false, dryRun, self })]
    : [];
  const change = install(context, { ...needs, scope, dryRun, isElsewhere: managed !== undefined });
  const warnings = warningsOf(change, scope, self.command);
  let server: InstallFileChange | undefined;
  const isWanted = change.mcp && plugin !== "marketplace"; // which brings its own
  try {
    server = isUser ? changeServer(context, { isWanted, dryRun, self }) : undefined;
  } catch (error) {
    if (!isOptional) throw error;
    warnings.push(messageOf(error));
  }
  if (plugin === "marketplace") warnings.push(BOTH);
  if (plugin === "folder") {
    const path = tilde(pluginFolder(context.paths), context.env);
    warnings.push(`memo's plugin (\`${path}\`) is replaced by hooks in the settings`);
  }
  try { // before the first prompt needs them
    if (!dryRun) (await import("../../../core/native/mod.ts")).unpackForPrompts(context.paths);
  } catch (error) {
    warnings.push(messageOf(error));
  }
  const left = [
    ...leftIn("hooks", managed === undefined ? [] : [change]),
    ...leftIn("MCP server", isWanted || server === undefined ? [] : [server]),
    ...leftIn("plugin", replaced),
  ];
  return { change, server, managed, warnings, left };
}

const BOTH =
  "memo's marketplace plugin is installed too: each event is answered once, and the plugin's MCP server is used; " +
  "run `claude plugin uninstall memo@memo` or `memo uninstall` to keep only one";

/** A change as `--json` prints it, without the settings themselves, which may hold secrets. */
export function summary(
  change: InstallFileChange,
): Record<string, unknown> {
  const { path, before, after, backup } = change;
  return {
    path,
    created: isChange(change) && before === undefined,
    deleted: isChange(change) && after === undefined,
    backup: backup ?? null,
  };
}

/** Features that this version of Claude Code lacks, with the first version that has them. */
export function leftOut({ client, unknown }: ReturnType<typeof install>): string[] {
  if (unknown.length === 0) return [];
  const why = client === undefined
    ? `Cannot tell Claude Code's version: \`claude\` was not found or does not run. Not added, because Claude Code ${OLDEST_CLAUDE} lacks it:`
    : `Claude Code ${client} lacks some events. Not added:`;
  return [
    why,
    ...unknown.map(({ name, since, purpose }) =>
      `  ${name} needs Claude Code ${since} (${purpose})`
    ),
    "After updating Claude Code, run `memo init` again",
  ];
}

/** Folders for downloads and temporary files. */
const PASSING = /[\\/](tmp|temp|downloads?|\.cache)[\\/]/i;

function warningsOf(
  { after }: InstallFileChange,
  scope: SettingsScope,
  executable: string,
): string[] {
  const disabled = whyDisabled(after ?? "");
  const isPassing = isCompiled &&
    (executable.startsWith(tmpdir() + sep) || PASSING.test(executable));
  const found = [
    disabled,
    isPassing &&
    `memo is in a temporary folder (\`${executable}\`); if you move it, run \`memo init\` again`,
    scope === "project" &&
    `these settings are shared through the project but run \`${executable}\` on this machine; ` +
      "run `memo init --scope local` to keep them private",
  ];
  return found.filter((each) => typeof each === "string");
}

/** Installs memo as a plugin, in place of hooks in the settings and a registered MCP server. */
async function installAsPlugin(
  { scope, mcp, dryRun = false, json = false }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const other = scope !== "user" ? `--scope ${scope}` : mcp === false ? "--no-mcp" : undefined;
  if (other !== undefined) {
    throw new MemoError("usage", `Cannot install the plugin with \`${other}\``, {
      hint: "Pass only one of them; `memo init --help` lists the options",
    });
  }
  const options = { dryRun, self: programOf(context), ...hookNeeds(context) };
  const client = await claudeVersion(context);
  const { path, changed, files } = changePlugin(context, { ...options, isWanted: true, client });
  // Everything else of memo's would be there twice.
  const server = changeServer(context, { ...options, isWanted: false });
  const hooks = uninstall(context, { ...options, scope: "user" });
  const removed = [server, hooks].filter(isChange);
  const folder = changed && !dryRun ? [{ path, before: undefined, after: "" }] : [];
  report(context, [...folder, ...removed], {
    ...{ dryRun, nothing: "The plugin is already installed" },
    plan: changed ? `Would write to \`${tilde(path, context.env)}\`: ${files.join(", ")}\n` : "",
    then: [
      "New sessions have: hooks, the MCP server, `/memo:memo`, `/memo:remember`, `/memo:forget`, `/memo:pause`, and the skill `memory-recall`",
      "Undo: `memo uninstall`",
    ],
    json: json &&
      { plugin: path, dryRun, changed, files, removedFrom: removed.map(({ path }) => path) },
  });
  warnOfLeft([...leftIn("MCP server", [server]), ...leftIn("hooks", [hooks])], context);
}

/** Adds memo to another agent's settings, or removes it, and prints what was done. */
export function changeAgent(
  context: CliContext,
  { agent: name = "", isWanted, dryRun = false, json = false }:
    & Pick<InstallFlags, "agent" | "dryRun" | "json">
    & { readonly isWanted: boolean },
): void {
  const agent = agentNamed(name)!; // commander has checked it
  const self = isWanted ? programOf(context) : selfCommand();
  const changes = changeFiles(context, agent.files(context, self), { isWanted, dryRun, self });
  const { label, next = "" } = agent, undo = `Undo: \`memo uninstall --agent ${name}\``;
  const gifts = agent.gives.map((gift) => GIFTS[gift]).join(", ");
  const left = isWanted ? [] : leftIn("settings", changes);
  const nothing = `${isWanted ? "Already" : "Not"} installed in ${label}`;
  report(context, changes, {
    ...{ dryRun, nothing: left.length > 0 ? "Nothing was removed" : nothing },
    then: isWanted ? [`memo now works in ${label}: ${gifts}`, next, undo].filter(Boolean) : [],
    json: json && {
      ...{ agent: name, dryRun, changed: changes.some(isChange) },
      files: changes.map((each) => ({ path: each.path, changed: isChange(each) })),
    },
  });
  warnOfLeft(left, context);
}

/** A change of a file as a unified diff; empty when there is none. `name` is the file as people write it. */
export function diffOf(
  { before, after }: Pick<InstallFileChange, "before" | "after">,
  name: string,
): string {
  if (before === after) return "";
  const [old, fresh] = [before, after].map((text) => text === undefined ? "/dev/null" : name);
  const options = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(
    old!,
    fresh!,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    options,
  );
}
