import { messageOf } from "../errors.ts";
import { recognise } from "../install/entries.ts";
import { install, openSettings } from "../install/install.ts";
import { ownEntries } from "../install/settings_json.ts";
import { tilde } from "../paths.ts";
import { assign } from "../recall/assign.ts";
import { selfCommand } from "../link/self.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "./config.ts";
import { say } from "./output.ts";

/** Whether a language model picks memories of some type, under the settings in force here. */
export function needsPrefetch(context: CliContext): boolean {
  return assign(configHere(context)).some(({ strategy }) => strategy.cost === "api");
}

/**
 * Brings the hooks in the user's own settings in step with memo's settings; where none are installed, or Claude Code's
 * settings cannot be read, nothing happens but a warning.
 */
export async function followSettings(context: CliContext): Promise<void> {
  try {
    if (!isInstalled(context)) return;
    const options = {
      scope: "user",
      dryRun: false,
      self: selfCommand(),
      prefetch: needsPrefetch(context),
    } as const;
    const change = await install(context, options);
    if (change.before !== change.after) {
      say(`Brought memo's hooks in step: \`${tilde(change.path, context.env)}\``);
    }
  } catch (error) {
    say(`warning: memo's hooks were left as they are: ${messageOf(error)}`);
  }
}

function isInstalled(context: CliContext): boolean {
  const { text } = openSettings(context, "user");
  return text !== undefined && text.trim() !== "" &&
    ownEntries(text, recognise([selfCommand()])).length > 0;
}
