import type { Command } from "commander";
import { MemoError, messageOf } from "../../errors.ts";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  type FileChange,
  purgeState,
  statePaths,
  uninstall,
} from "../../features/install/install.ts";
import { undoInitSettings } from "../../features/install/record.ts";
import { placedHere, removeIfEmpty, removePlaced } from "../../features/install/executable.ts";
import { removePlugin } from "../../features/install/plugin.ts";
import { pluginPlace } from "../../core/memory/claude_settings.ts";
import { changeServer } from "../../features/install/server.ts";
import { type Paths, tilde } from "../../paths.ts";
import { isCompiled, selfCommand } from "../../core/link/self.ts";
import { packageManagerOf } from "../../features/upgrade/releases.ts";
import type { CliContext } from "./shared/command.ts";
import {
  agentOption,
  changeOtherAgent,
  type InstallFlags,
  leaveOtherAgents,
  printDiffs,
  scopeOption,
  summary,
} from "./init/install.ts";
import { confirm } from "./shared/confirm.ts";
import { out, outJson, say } from "./shared/output.ts";

interface Flags extends Omit<InstallFlags, "mcp" | "plugin"> {
  readonly purge?: boolean;
}

/** `memo uninstall`. */
export function define(command: Command, context: CliContext): void {
  command
    .addOption(scopeOption())
    .option(
      "--purge",
      "Also delete all state and an executable from `install.sh`; memories are kept",
    )
    .addOption(agentOption())
    .option("--dry-run", "Show the changes without writing them")
    .option("--json", "Print JSON")
    .action(async ({ scope, agent, dryRun = false, json = false, purge = false }: Flags) => {
      if (agent !== undefined) {
        return await changeOtherAgent(context, { agent, isWanted: false, dryRun, json });
      }
      const self = selfCommand();
      let serverFailure: unknown;
      // Hooks are taken out even if the file with the servers cannot be edited.
      const server = scope === "user"
        ? await changeServer(context, { isWanted: false, dryRun, self }).catch((error) => {
          serverFailure = error;
          return undefined;
        })
        : undefined;
      const plugin = scope === "user" ? await removePlugin(context, { dryRun, self }) : undefined;
      const change = await uninstall(context, { scope, dryRun, self });
      if (purge && !dryRun) await leaveOtherAgents(context);
      const deleted = purge && !dryRun ? stopAndPurge(context) : [];
      const changes = server === undefined ? [change] : [change, server];
      const changed = changes.some(({ before, after }) => before !== after) ||
        plugin?.changed === true;
      if (json) outJson({ scope, dryRun, changed, purged: deleted, ...summary(change) });
      else if (dryRun) {
        printDiffs(changes, context);
        const { paths, env } = context;
        for (const path of purge ? wouldDelete(paths) : []) {
          out(`Would delete \`${tilde(path, env)}\`\n`);
        }
      } else {
        const left = purge && scope === "user" ? leftBehind(context) : [];
        const gone = await offerToDelete(left, context);
        reportHooks(change, context);
        if (plugin?.changed) out(`Deleted memo's plugin, \`${tilde(plugin.path, context.env)}\`\n`);
        if (server !== undefined && server.before !== server.after) {
          out(`Removed memo's MCP server from \`${tilde(server.path, context.env)}\`\n`);
        }
        reportState([...deleted, ...gone], context);
      }
      if (serverFailure !== undefined) {
        const hint = serverFailure instanceof MemoError ? `. ${serverFailure.hint}` : "";
        say(`warning: memo's MCP server is still registered: ${messageOf(serverFailure)}${hint}`);
        process.exitCode = 1;
      }
      if (scope === "user" && pluginPlace(context) === "marketplace") {
        say(
          "warning: memo's plugin is still installed; run `claude plugin uninstall memo@memo` to remove it",
        );
      }
      if (stillNames(change.after, selfCommand().command)) {
        const path = tilde(change.path, context.env);
        say(
          `warning: \`${path}\` still runs memo from hooks that memo did not write; remove them by hand`,
        );
      }
    });
}

/** Whether settings still name an executable, for example in a hook that was edited by hand. */
function stillNames(settings: string | undefined, executable: string): boolean {
  return settings?.includes(JSON.stringify(executable).slice(1, -1)) ?? false;
}

/**
 * Stops the daemon, which keeps state files open, and deletes the state, the settings that `memo init` wrote, and the
 * executable that `install.sh` put here.
 */
function stopAndPurge({ paths, env }: CliContext): string[] {
  const { command, args } = selfCommand();
  spawnSync(command, [...args, "daemon", "stop"], { env, stdio: "ignore", timeout: 10_000 });
  const placed = placedHere(paths, command);
  const settings = undoInitSettings(paths) && !existsSync(paths.config) ? [paths.config] : [];
  const deleted = [...settings, ...purgeState(paths)];
  if (placed === undefined) return deleted;
  removePlaced(placed);
  return [...deleted, placed.executable];
}

function wouldDelete(paths: Paths): string[] {
  const placed = placedHere(paths, selfCommand().command);
  return [...statePaths(paths), ...placed === undefined ? [] : [placed.executable]];
}

/** Something of memo's that `--purge` does not delete unasked. */
interface Left {
  readonly what: string;
  readonly path: string;
  /** The command that removes it, where memo must not. */
  readonly remove?: string;
}

/** What is left after a purge, beside the memories: an executable that somebody has put there, and own settings. */
function leftBehind({ paths }: CliContext): Left[] {
  const executable = process.execPath;
  const remove = packageManagerOf(executable)?.remove;
  const isThere = isCompiled && existsSync(executable);
  return [
    ...isThere ? [{ what: "executable", path: executable, ...remove && { remove } }] : [],
    ...existsSync(paths.config) ? [{ what: "settings", path: paths.config }] : [],
  ];
}

/** Asks a person at a terminal whether the rest is to go, too; returns what is deleted. */
async function offerToDelete(left: readonly Left[], { paths, env }: CliContext): Promise<string[]> {
  const isOurs = ({ remove, what }: Left) =>
    remove === undefined && !(what === "executable" && process.platform === "win32");
  const own = left.filter(isOurs);
  if (own.length === 0 || !process.stdin.isTTY || !process.stdout.isTTY) return [];
  const names = own.map(({ what, path }) => `the ${what}, \`${tilde(path, env)}\``).join(", and ");
  if (!await confirm(`Delete ${names}, too?`)) return [];
  for (const { path } of own) rmSync(path, { force: true });
  removeIfEmpty(dirname(paths.config));
  return own.map(({ path }) => path);
}

function reportHooks(change: FileChange, { env }: CliContext): void {
  const path = tilde(change.path, env);
  if (change.before === change.after) out(`Nothing to remove: \`${path}\` has no memo hooks\n`);
  else if (change.after === undefined) out(`Deleted \`${path}\`, which memo created\n`);
  else out(`Removed memo's hooks from \`${path}\`\n`);
  if (change.backup) out(`Backup: \`${tilde(change.backup, env)}\`\n`);
}

/** Says what is deleted beside hooks and server, and what is kept. */
function reportState(deleted: readonly string[], { paths, env }: CliContext): void {
  for (const gone of deleted) out(`Deleted \`${tilde(gone, env)}\`\n`);
  out(`
Kept:
  memories       \`${
    tilde(paths.userMemory, env)
  }\` and \`.claude/memory\` in projects; delete the folders to remove them
`);
  if (existsSync(paths.config)) out(`  settings       \`${tilde(paths.config, env)}\`\n`);
  if (isCompiled && existsSync(process.execPath)) {
    const { remove = `rm ${tilde(process.execPath, env)}` } = packageManagerOf(process.execPath) ??
      {};
    out(`  executable     \`${tilde(process.execPath, env)}\`; run \`${remove}\` to delete it\n`);
  }
  if (deleted.length > 0 || !existsSync(paths.state)) return;
  out(
    `  state          \`${
      tilde(paths.state, env)
    }\`; run \`memo uninstall --purge\` to delete it\n`,
  );
}
