import { messageOf } from "../../errors.ts";
import { readGuards } from "../../guard/guards.ts";
import { claudeVersion } from "../../install/claude_version.ts";
import { type HookNeeds, recognise, USUAL_MOMENTS } from "../../install/entries.ts";
import { install, openSettings } from "../../install/install.ts";
import { type InstallRecord, readRecords } from "../../install/record.ts";
import { settingsPath } from "../../install/settings_file.ts";
import { ownEntries } from "../../install/settings_json.ts";
import { tilde } from "../../paths.ts";
import { isAtCommands } from "../../obedience/rungs.ts";
import { assign } from "../../recall/assign.ts";
import { type CliContext, programOf } from "./command.ts";
import { configHere } from "../config.ts";
import { say } from "./output.ts";

/** The hooks that the settings here ask for. */
export function hookNeeds(context: CliContext): HookNeeds {
  const config = configHere(context);
  return {
    prefetch: assign(config).some(({ strategy }) => strategy.cost === "api"),
    moments: [
      ...WATCHED[config["recall.moments"] as keyof typeof WATCHED],
      ...hasGuardMoment(context) ? ["guard" as const] : [],
    ],
  };
}

/** Whether a guard is on, or a rule has climbed so far that it comes with what it forbids. */
function hasGuardMoment({ paths }: CliContext): boolean {
  return readGuards(paths.guards).length > 0 || isAtCommands(paths.rungs);
}

/** The kinds of moments that each value of `recall.moments` watches for. */
const WATCHED = { off: [], errors: ["error"], all: USUAL_MOMENTS } as const;

/**
 * Updates the installed hooks to match memo's settings. Does nothing if none are installed; if Claude Code's settings
 * cannot be read, it only warns.
 */
export async function followSettings(context: CliContext): Promise<void> {
  try {
    if (!isInstalled(context)) return;
    const options = {
      scope: "user",
      dryRun: false,
      self: programOf(context),
      ...hookNeeds(context),
      client: await claudeVersion(context),
      mcp: recordOf(context)?.mcp ?? "undecided",
    } as const;
    const change = await install(context, options);
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
  const { text } = openSettings(context, "user");
  return text !== undefined && text.trim() !== "" &&
    ownEntries(text, recognise([programOf(context)])).length > 0;
}
