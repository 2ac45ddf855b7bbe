import { MOMENTS } from "../../../../hooks/events.ts";
import { messageOf } from "../../../errors.ts";
import { claudeVersion } from "./claude_version.ts";
import { type HookEntry, type HookNeeds, recognise } from "../../../features/install/entries.ts";
import { install, openSettings } from "../../../features/install/install.ts";
import { changePlugin } from "../../../features/install/plugin.ts";
import { pluginPlace } from "../../../core/memory/claude_settings.ts";
import { type InstallRecord, readRecords } from "../../../features/install/record.ts";
import {
  SETTINGS_SCOPES,
  settingsPath,
  type SettingsScope,
} from "../../../features/install/settings_file.ts";
import { ownEntries } from "../../../features/install/parts.ts";
import { tilde } from "../../../paths.ts";
import { needsModel } from "../../../core/recall/retrieve.ts";
import { type CliContext, programOf } from "./command.ts";
import { configHere } from "../config.ts";
import { say } from "./output.ts";

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
  const isHeard = SETTINGS_SCOPES.flatMap((scope) => ownIn(context, scope))
    .some(({ event, matcher }) =>
      event === "PreToolUse" && new RegExp(`^(?:${matcher})$`).test("Bash")
    );
  if (pluginPlace(context) !== undefined || isHeard) return undefined;
  return "no hook of memo's is asked before commands; run `memo init`";
}

/** The kinds of moments that each value of `recall.moments` watches for; a guard may come later. */
const WATCHED = { off: ["guard"], errors: ["error", "guard"], all: MOMENTS } as const;

/**
 * Updates the installed hooks to match memo's settings. Does nothing if none are installed; if Claude Code's settings
 * cannot be read, it only warns.
 */
export async function followSettings(context: CliContext): Promise<void> {
  try {
    const place = pluginPlace(context);
    if (place !== "folder" && !isInstalled(context)) return;
    const self = programOf(context), client = await claudeVersion(context);
    const needs = { dryRun: false, self, client, ...hookNeeds(context) };
    if (place === "folder") {
      const { changed, path } = changePlugin(context, { ...needs, isWanted: true });
      if (changed) {
        say(`Updated memo's plugin in \`${tilde(path, context.env)}\`, for new sessions`);
      }
    }
    if (!isInstalled(context)) return;
    const options = {
      ...needs,
      scope: "user",
      mcp: recordOf(context)?.mcp ?? "undecided",
    } as const;
    const change = install(context, options);
    if (change.before !== change.after) {
      say(`Updated memo's hooks in \`${tilde(change.path, context.env)}\``);
    }
  } catch (error) {
    say(`warning: memo's hooks were not updated: ${messageOf(error)}`);
  }
}

function recordOf({ paths, cwd }: CliContext): InstallRecord | undefined {
  return readRecords(paths.installs)[settingsPath("user", paths, cwd)];
}

function isInstalled(context: CliContext): boolean {
  return ownIn(context, "user").length > 0;
}

/** The hooks of memo's in a settings file. */
function ownIn(context: CliContext, scope: SettingsScope): HookEntry[] {
  const { text = "" } = openSettings(context, scope);
  return ownEntries(text, recognise([programOf(context)]));
}
