import { type Command, Option } from "commander";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { diffOf } from "../install/diff.ts";
import { startDaemon } from "../daemon/lifecycle.ts";
import { readEndpoint } from "../install/endpoint.ts";
import { messageOf } from "../errors.ts";
import { type Transport, TRANSPORTS } from "../install/entries.ts";
import { install, type SettingsChange } from "../install/install.ts";
import { SETTINGS_SCOPES, type SettingsScope } from "../install/settings_file.ts";
import { allowsHttp, hooksAreDisabled } from "../install/settings_json.ts";
import { tilde } from "../paths.ts";
import { isCompiled, selfCommand } from "../link/self.ts";
import { call } from "../link/socket.ts";
import { captureNote } from "./capture_note.ts";
import type { CliContext } from "./command.ts";
import { needsPrefetch } from "./follow_settings.ts";
import { out, outJson, say } from "./output.ts";

interface Flags {
  readonly scope: SettingsScope;
  readonly transport?: Transport;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `--scope`, as install and uninstall take it. */
export function scopeOption(): Option {
  return new Option("--scope <scope>", "Whose settings: yours, the project's, yours in the project")
    .choices([...SETTINGS_SCOPES])
    .default("user");
}

/** `memo install`. */
export function define(command: Command, context: CliContext): void {
  command
    .addOption(scopeOption())
    .addOption(
      new Option("--transport <name>", "How prompts reach memo; as before, or by command")
        .choices([...TRANSPORTS]),
    )
    .option("--dry-run", "Show what would change, and write nothing")
    .option("--json", "Print JSON")
    .action(async ({ scope, transport, dryRun = false, json = false }: Flags) => {
      const self = selfCommand();
      const prefetch = needsPrefetch(context);
      const change = await install(context, { scope, dryRun, self, transport, prefetch });
      const changed = change.before !== change.after;
      if (json) {
        const command = [self.command, ...self.args, "hook"];
        outJson({
          scope,
          dryRun,
          changed,
          transport: change.transport,
          command,
          ...summary(change),
        });
      } else if (dryRun) {
        out(diffOf(change, tilde(change.path, context.env)) || "Nothing to change\n");
      } else report(change, context);
      const found = warnings(change, scope, self.command);
      if (!dryRun) found.push(...await unpack(context));
      if (change.transport === "http" && !dryRun) found.push(...await startHttp(context));
      for (const warning of found) say(`warning: ${warning}`);
    });
}

/** The first prompt finds everything unpacked. Returns what is wrong. */
async function unpack({ paths }: CliContext): Promise<string[]> {
  try {
    const { unpackForPrompts } = await import("../native/mod.ts");
    unpackForPrompts(paths);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

const HTTP_MS = 3000;

/** The next prompt of a session that runs already goes over http: the daemon is started now. Returns what is wrong. */
async function startHttp({ paths, env }: CliContext): Promise<string[]> {
  try {
    await startDaemon(paths, env);
    const served = await call("http", {}, { socket: paths.socket, timeoutMs: HTTP_MS });
    const { port } = served as { port: number | null };
    const wanted = readEndpoint(paths.http)?.port;
    if (port === wanted) return [];
    return [`the daemon does not serve port ${wanted}; \`memo daemon logs\` says why`];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** What `--json` says of a change: not the settings themselves, which may hold secrets. */
export function summary({ path, before, after, backup }: SettingsChange): Record<string, unknown> {
  return {
    path,
    created: before === undefined && after !== undefined,
    deleted: before !== undefined && after === undefined,
    backup: backup ?? null,
  };
}

function report(change: SettingsChange, context: CliContext): void {
  const { paths, env } = context;
  const path = tilde(change.path, env);
  if (change.before === change.after) {
    out(`Already installed: \`${path}\` has memo's hooks\n`);
    return;
  }
  out(`Added memo's hooks to \`${path}\`: ${change.events.join(", ")}\n`);
  if (change.backup) out(`The file as it was: \`${tilde(change.backup, env)}\`\n`);
  out(`
Your memories:      \`${tilde(paths.userMemory, env)}\`
A project's:        \`.claude/memory\` in its folder
See what a prompt gets, and why:
                    memo recall "how do we deploy" --explain
Take it out again:  memo uninstall

${captureNote(context)}`);
  if (change.transport === "http") out(HTTP_NOTE);
}

const HTTP_NOTE = `
Prompts reach memo's daemon over http on 127.0.0.1. A session starts the daemon, and it stays for 12 hours without a
prompt; if it is gone nevertheless, Claude Code shows "hook failed" at every prompt until \`memo daemon start\`.
The settings hold the token, so only you can read them; do not put them where others can.
Back to one process per prompt, which is silent when memo is not there: memo install --transport command
`;

function warnings(change: SettingsChange, scope: SettingsScope, executable: string): string[] {
  const found: string[] = [];
  if (change.after !== undefined && hooksAreDisabled(change.after)) {
    found.push("`disableAllHooks` is true in these settings, so Claude Code runs no hooks");
  }
  if (change.transport === "http" && !allowsHttp(change.after ?? "{}")) {
    found.push("`allowedHttpHookUrls` in these settings does not allow `http://127.0.0.1:*`");
  }
  if (isCompiled && isPassing(executable)) {
    found.push(
      `memo lies in \`${executable}\`, which may not last; if you move it, run \`memo install\` again`,
    );
  }
  if (scope === "project") {
    found.push(
      `these settings are shared with the project, and name \`${executable}\` of this machine; ` +
        "`memo install --scope local` keeps them to yourself",
    );
  }
  return found;
}

/** Whether an executable lies where downloads and temporary files do. */
function isPassing(executable: string): boolean {
  return executable.startsWith(tmpdir() + sep) ||
    /[\\/](tmp|temp|downloads?|\.cache)[\\/]/i.test(executable);
}
