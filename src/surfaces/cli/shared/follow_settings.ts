import { MOMENTS } from "../../../../hooks/events.ts";
import { messageOf } from "../../../errors.ts";
import { type HookEntry, type HookNeeds, recognise } from "../../../features/install/entries.ts";
import {
  install,
  type InstallPlace,
  managedHooks,
  openSettings,
} from "../../../features/install/install.ts";
import { changePlugin } from "../../../features/install/plugin.ts";
import { managedSettings, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { readRecords } from "../../../features/install/record.ts";
import {
  SETTINGS_SCOPES,
  settingsPath,
  type SettingsScope,
} from "../../../features/install/settings_file.ts";
import { ownEntries } from "../../../features/install/parts.ts";
import { tilde } from "../../../paths.ts";
import { needsModel } from "../../../core/recall/retrieve.ts";
import { type CliContext, programOf } from "./command.ts";
import { configHere } from "./config_here.ts";
import { say } from "./output.ts";
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readState } from "../../../core/files/state.ts";
import { childEnv, findClaude } from "../../../core/llm/mod.ts";
import { loadConfig } from "../../../core/settings/config.ts";

/** The hooks that the settings here ask for. */
export function hookNeeds(context: CliContext): HookNeeds {
  const config = configHere(context);
  return {
    prefetch: needsModel({ config }),
    moments: WATCHED[config["recall.moments"] as keyof typeof WATCHED],
  };
}

/** Why Claude Code would not ask before a guarded call, with what helps; undefined if it does. */
export function whyUnheard(context: CliContext): string | undefined {
  const isManaged = managedSettings(context.managed).length > 0;
  const managed = isManaged ? managedHooks(context, { self: programOf(context) })?.own ?? [] : [];
  const isHeard = [...managed, ...SETTINGS_SCOPES.flatMap((scope) => ownIn(context, scope))]
    .some(({ event, matcher }) =>
      event === "PreToolUse" && new RegExp(`^(?:${matcher})$`).test("Bash")
    );
  if (pluginPlace(context) !== undefined || isHeard) return undefined;
  return "memo has no hook that runs before commands; run `memo init`";
}

/** The kinds of moments that each value of `recall.moments` watches for; a guard may come later. */
const WATCHED = { off: ["guard"], errors: ["error", "guard"], all: MOMENTS } as const;

/**
 * Updates the installed hooks to match memo's settings. Does nothing if none are installed; if Claude Code's settings
 * cannot be read, it only warns.
 */
export async function followSettings(context: CliContext): Promise<void> {
  try {
    const { env, paths, cwd } = context, isPlugin = pluginPlace(context) === "folder";
    const isInstalled = ownIn(context, "user").length > 0;
    if (!isPlugin && !isInstalled) return;
    const self = programOf(context), client = await claudeVersion(context);
    const needs = { dryRun: false, self, client, ...hookNeeds(context) };
    const plugin = isPlugin ? changePlugin(context, { ...needs, isWanted: true }) : undefined;
    if (plugin?.changed) {
      say(`Updated memo's plugin in \`${tilde(plugin.path, env)}\`; new sessions use it`);
    }
    if (!isInstalled) return;
    const { mcp = "undecided" } = readRecords(paths.installs)[settingsPath("user", paths, cwd)] ??
      {};
    const { path, before, after } = install(context, { ...needs, scope: "user", mcp });
    if (before !== after) say(`Updated memo's hooks in \`${tilde(path, env)}\``);
  } catch (error) {
    say(`warning: Cannot update memo's hooks: ${messageOf(error)}`);
  }
}

/** memo's hooks in a settings file. */
function ownIn(context: CliContext, scope: SettingsScope): HookEntry[] {
  const { text = "" } = openSettings(context, scope);
  return text.trim() === "" ? [] : ownEntries(text, recognise([programOf(context)]));
}

/** How long `claude --version` may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * The version of the user's `claude`, such as `2.1.329`; undefined if there is none or it does not tell. An old one drops
 * settings whole that have an event which it does not know, so that this is asked before they are written. Nothing of a project is run for it: neither an executable that lies in the project, nor any in the project's folder.
 */
export async function claudeVersion(
  { env, paths, cwd }: InstallPlace,
): Promise<string | undefined> {
  const config = loadConfig(paths.config, env);
  const command = findClaude({ paths, env, cwd, config });
  if (command === undefined) return undefined;
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  const options = { cwd: paths.state, env: childEnv(env, command), timeout: PATIENCE_MS };
  const version = await promisify(execFile)(command, ["--version"], options).then(
    ({ stdout }) => stdout.trim(),
    () => { // the script of a local installation may lack its Node here
      const parts = ["node_modules", "@anthropic-ai", "claude-code", "package.json"];
      return readState(join(dirname(command), ...parts))?.["version"];
    },
  );
  return /^\d+\.\d+\.\d+/.exec(String(version))?.[0];
}
