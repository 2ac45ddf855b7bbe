import { Option } from "commander";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { diffOf } from "../../../features/install/diff.ts";
import { messageOf } from "../../../errors.ts";
import { claudeVersion } from "../../../features/install/claude_version.ts";
import {
  type FileChange,
  install,
  type InstallOptions,
  type SettingsChange,
} from "../../../features/install/install.ts";
import { changeServer, type ServerChange } from "../../../features/install/server.ts";
import { removePlugin } from "../../../features/install/plugin.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_plugin.ts";
import { SETTINGS_SCOPES, type SettingsScope } from "../../../features/install/settings_file.ts";
import { refuseRunner } from "../../../features/install/runner.ts";
import { OLDEST_CLAUDE } from "../../../features/install/versions.ts";
import { hooksAreDisabled } from "../../../features/install/settings_json.ts";
import { PROJECTS } from "../../../core/memory/project.ts";
import { tilde } from "../../../paths.ts";
import { isCompiled } from "../../../core/link/self.ts";
import { TOOL_NAMES } from "../../../core/link/tools.ts";
import { changeOtherAgent } from "./agents.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { hookNeeds } from "../shared/follow_settings.ts";
import { fetchFromEnvironment } from "../shared/from_environment.ts";
import { out, outJson, say } from "../shared/output.ts";
import { warmUp } from "../shared/warm_up.ts";
import { chooseProvider } from "../../../core/llm/providers.ts";
import { answerIn, OFF, whyNotSent } from "../../../core/settings/purposes.ts";
import { configHere } from "../config.ts";

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

/** Adds memo's hooks and tools to Claude Code, or to another agent, and asks nothing. */
export async function installNow(
  { scope, agent, ...flags }: InstallFlags,
  context: CliContext,
): Promise<void> {
  const { mcp, plugin, dryRun = false, json = false } = flags;
  if (agent !== undefined) {
    await changeOtherAgent(context, { agent, isWanted: true, dryRun, json });
    for (const warning of dryRun ? [] : await warmUp(context)) say(`warning: ${warning}`);
    return;
  }
  if (plugin) {
    const { installAsPlugin } = await import("./plugin.ts");
    return await installAsPlugin({ scope, mcp, dryRun, json }, context);
  }
  const options = { scope, dryRun, mcp };
  const { change, server, warnings } = await installHere(context, options);
  const changed = [change, server].some((each) => each?.before !== each?.after);
  if (json) {
    const { command: program, args } = programOf(context);
    const command = [program, ...args, "hook"];
    outJson({
      scope,
      dryRun,
      changed,
      claude: change.client ?? null,
      events: change.events,
      leftOut: change.unknown.map(({ name, since }) => ({ event: name, since })),
      command,
      mcp: server === undefined ? null : { registered: change.mcp, path: server.path },
      ...summary(change),
    });
  } else if (dryRun) {
    const diffs = [change, ...server === undefined ? [] : [server]]
      .map((each) => diffOf(each, tilde(each.path, context.env)));
    out(diffs.join("") || "No changes\n");
  } else report(change, server, context);
  if (!json) { for (const line of leftOut(change)) say(line); }
  const found = [...warnings];
  if (!dryRun) found.push(...await warmUp(context));
  for (const warning of found) say(`warning: ${warning}`);
  if (!dryRun) await fetchFromEnvironment(context);
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
  if (change.after !== undefined && hooksAreDisabled(change.after)) {
    found.push("`disableAllHooks` is true in these settings: Claude Code runs no hooks");
  }
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

/** Tells the person who installs memo which model reads their conversations, its cost limit, and how to turn it off. */
function captureNote(context: CliContext): string {
  const config = configHere(context);
  const name = chooseProvider({ ...context, config }).name;
  const model = config["extract.model"] || config["llm.model"];
  if (answerIn(config) === OFF) return "Nothing is sent to a language model (`send` is `off`).\n";
  if (!config["capture.enabled"]) return "Capture is off (`capture.enabled` is false).\n";
  if (whyNotSent("capture", config) !== undefined) {
    return "Nothing is sent to a language model, and so no memories are written from conversations, until you say yes:\n" +
      "run `memo init`.\n";
  }
  if (name === "none") {
    return "Capture is on but has no language model yet: set `ANTHROPIC_API_KEY` or log in to `claude`.\n" +
      "Run `memo doctor` to check.\n";
  }
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = config;
  return `Capture sends new turns, with secrets redacted, to \`${name}\` (${model}) and writes memories and a\n` +
    `journal from its answers: at most ${calls} calls and $${usd} per day (see \`memo stats\`).\n` +
    "To send nothing:    memo config set send=off\n";
}
