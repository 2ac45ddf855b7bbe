import type { Command } from "commander";
import { MemoError, messageOf } from "../../errors.ts";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { stopDaemon } from "../../core/daemon/lifecycle.ts";
import { AGENTS } from "../../features/install/agents/mod.ts";
import {
  changeServer,
  type InstallFileChange,
  managedHooks,
  purgeState,
  statePaths,
  uninstall,
} from "../../features/install/install.ts";
import {
  changeFiles,
  type InstallChangeOptions,
  readRecords,
  undoInitSettings,
} from "../../features/install/record.ts";
import { placedHere, removeIfEmpty } from "../../features/install/executable.ts";
import { changePlugin } from "../../features/install/plugin.ts";
import { pluginPlace } from "../../core/memory/claude_settings.ts";
import { tilde } from "../../paths.ts";
import { isCompiled, selfCommand } from "../../core/link/self.ts";
import { packageManagerOf } from "../../features/upgrade/releases.ts";
import type { CliContext } from "./shared/command.ts";
import {
  agentOption,
  changeAgent,
  type InstallFlags,
  isChange,
  leftIn,
  report,
  scopeOption,
  summary,
  warnOfLeft,
} from "./init/install.ts";
import { confirm } from "./shared/confirm.ts";
import { columns, out, say } from "./shared/output.ts";

interface UninstallFlags extends InstallFlags {
  readonly purge?: boolean;
}

/** `memo uninstall`. */
export function define(command: Command, context: CliContext): void {
  command
    .addOption(scopeOption())
    .option(
      "--purge",
      "Also delete all state and the executable from `install.sh`; keep memories",
    )
    .addOption(agentOption())
    .option("--dry-run", "Show the changes without writing them")
    .action(async (flags: UninstallFlags) => {
      if (flags.agent !== undefined) changeAgent(context, { ...flags, isWanted: false });
      else await leave(flags, context);
    });
}

async function leave(
  { scope, dryRun = false, json = false, purge = false }: UninstallFlags,
  context: CliContext,
): Promise<void> {
  const { env } = context, name = (path: string) => `\`${tilde(path, env)}\``;
  const self = selfCommand(), isUser = scope === "user";
  const options = { isWanted: false, dryRun, self };
  const servers: InstallFileChange[] = [], warnings: string[] = [];
  // Hooks are taken out even if the file with the servers cannot be edited.
  try {
    if (isUser) servers.push(changeServer(context, options));
  } catch (error) {
    const hint = error instanceof MemoError ? `. ${error.hint}` : "";
    warnings.push(`memo's MCP server is still registered: ${messageOf(error)}${hint}`);
    process.exitCode = 1;
  }
  const plugin = isUser ? changePlugin(context, options) : undefined;
  const change = uninstall(context, { scope, dryRun, self });
  const agents = purge ? leaveAgents(context, options) : [];
  const left = [
    ...hooksLeft(change, { ...context, isUser: isUser || purge }),
    ...leftIn("MCP server", servers),
    ...leftIn("plugin", plugin === undefined ? [] : [plugin]),
    ...leftIn("settings", agents),
  ];
  // Hooks whose program is gone would fail at each prompt.
  const mayPurge = purge && left.length === 0;
  const again = purge && !mayPurge ? ", then run `memo uninstall --purge` again" : "";
  const deleted = mayPurge && !dryRun ? await stopAndPurge(context) : [];
  const isGone = plugin?.changed && plugin.locked === undefined;
  const files = [change, ...servers, ...agents];
  const changes = [...files, ...isGone ? [goneAt(plugin.path)] : []];
  const gone = mayPurge && isUser && !dryRun && !json ? await offerToDelete(context) : [];
  const where = name(change.path), more = [...deleted, ...gone].map(goneAt);
  report(context, dryRun ? files : [...changes, ...more], {
    ...{
      dryRun,
      nothing: left.length > 0
        ? "Nothing was removed"
        : `Nothing to remove: ${where} has no memo hooks`,
    },
    json: json &&
      {
        ...{ scope, dryRun, changed: changes.some(isChange), purged: deleted, ...summary(change) },
        left: left.map(({ path, why, paste }) => ({ path, why, delete: paste })),
      },
  });
  if (!json && dryRun && mayPurge) {
    const placed = placedHere(context.paths, self.command)?.executable ?? [];
    for (const path of [...statePaths(context.paths), placed].flat()) {
      out(`Would delete ${name(path)}\n`);
    }
  }
  if (!json && !dryRun) reportKept(more.length > 0, context);
  if (isUser && pluginPlace(context) === "marketplace") {
    warnings.push(
      "memo's plugin is still installed; run `claude plugin uninstall memo@memo` to remove it",
    );
  }
  // A hook that was edited by hand still names it.
  if (
    change.locked === undefined && change.after?.includes(JSON.stringify(self.command).slice(1, -1))
  ) {
    warnings.push(
      `${where} still has hooks that run memo but that memo did not write; remove them by hand`,
    );
  }
  warnOfLeft(left, context, again);
  for (const warning of warnings) say(`warning: ${warning}`);
}

/** Where hooks stay because memo cannot write there, and what is to be deleted. */
export function hooksLeft(
  change: InstallFileChange,
  { isUser, ...context }: CliContext & { readonly isUser: boolean },
) {
  const managed = isUser ? managedHooks(context, { self: selfCommand() }) : undefined;
  const why = "only an administrator can change managed settings";
  const its = managed && { path: managed.path, paste: managed.text, locked: why };
  return leftIn("hooks", [change, ...its ? [its] : []]);
}

/** What is printed of something that was deleted. */
function goneAt(path: string) {
  return { path, before: "", after: undefined };
}

/** Takes memo out of the other agents that it was added to. */
function leaveAgents(context: CliContext, options: InstallChangeOptions): InstallFileChange[] {
  const records = readRecords(context.paths.installs);
  const files = AGENTS.flatMap((agent) => agent.files(context, options.self));
  return changeFiles(context, files.filter(({ path }) => records[path] !== undefined), options);
}

/**
 * Stops the daemon, which keeps state files open, and deletes the state, the settings that `memo init` wrote, and the
 * executable that `install.sh` put here.
 */
async function stopAndPurge(context: CliContext): Promise<string[]> {
  const { paths } = context, self = selfCommand();
  await stopDaemon(paths).catch(() => {});
  const placed = placedHere(paths, self.command);
  const settings = undoInitSettings(paths) && !existsSync(paths.config) ? [paths.config] : [];
  const deleted = [...settings, ...purgeState(paths)];
  if (placed === undefined) return deleted;
  rmSync(placed.executable, { force: true });
  placed.folders.forEach(removeIfEmpty);
  return [...deleted, placed.executable];
}

/** What is left besides memories and state: an executable that somebody has put there, and own settings. */
function leftBehind({ paths }: CliContext) {
  const executable = process.execPath, manager = packageManagerOf(executable);
  // On Windows a program cannot be deleted while it runs.
  const isOurs = manager === undefined && process.platform !== "win32";
  const left = [
    ...isCompiled
      ? [{ what: "executable", path: executable, isOurs, remove: manager?.remove }]
      : [],
    { what: "settings", path: paths.config, isOurs: true },
  ];
  return left.filter(({ path }) => existsSync(path));
}

/** Asks a person at a terminal whether the rest is to go, too; returns what is deleted. */
async function offerToDelete(context: CliContext): Promise<string[]> {
  const own = leftBehind(context).filter(({ isOurs }) => isOurs);
  if (own.length === 0 || !process.stdin.isTTY || !process.stdout.isTTY) return [];
  const names = own.map(({ what, path }) => `the ${what} (\`${tilde(path, context.env)}\`)`);
  if (!await confirm(`Also delete ${names.join(" and ")}?`)) return [];
  for (const { path } of own) rmSync(path, { force: true });
  removeIfEmpty(dirname(context.paths.config));
  return own.map(({ path }) => path);
}

/** Says what is kept. */
function reportKept(isPurged: boolean, context: CliContext): void {
  const { paths, env } = context, name = (path: string) => `\`${tilde(path, env)}\``;
  const memories = `${name(paths.userMemory)} and \`.claude/memory\` in projects`;
  const rows = [
    ["", "memories", `${memories}; delete the folders to remove them`],
    ...leftBehind(context).toReversed().map(({ what, path, remove = `rm ${tilde(path, env)}` }) => [
      "",
      what,
      name(path) + (what === "executable" ? `; run \`${remove}\` to delete it` : ""),
    ]),
    ...isPurged || !existsSync(paths.state)
      ? []
      : [["", "state", `${name(paths.state)}; run \`memo uninstall --purge\` to delete it`]],
  ];
  out(`\nKept:\n${columns(rows)}`);
}
