import { installHere, leftOut } from "./install.ts";
import { type Env, tilde } from "../../../paths.ts";
import { readRecords } from "../../../features/install/record.ts";
import { IN_STORE, settingsPath } from "../../../features/install/settings_file.ts";
import { pluginFolder, type PluginPlace, pluginPlace } from "../../../core/memory/claude_plugin.ts";
import { inCache, runnerOf } from "../../../features/install/runner.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { counted } from "../../../core/text/counted.ts";
import { settled, type Step, YES_OR_NO, yesOrNo } from "./step.ts";

/** Adds memo's hooks to Claude Code, as `memo init` does. */
export const hooks: Step = {
  name: "hooks",
  title: "Claude Code",
  summary: "Add memo's hooks to Claude Code",
  answers: YES_OR_NO,
  async plan(context) {
    const program = programOf(context).command;
    const runner = runnerOf(program);
    if (runner !== undefined) {
      const because = inCache(runner, tilde(program, context.env));
      return settled(`${because}. Run \`${runner.instead}\`, then \`memo init\` again`);
    }
    const plugin = pluginPlace(context);
    if (plugin !== undefined) {
      return settled(`memo's plugin, ${placeOf(plugin, context)}, has the hooks`);
    }
    const options = { scope: "user", mcp: registration(context) ?? "undecided" } as const;
    const { change, warnings } = await installHere(context, { ...options, dryRun: true });
    const path = `\`${tilde(change.path, context.env)}\``;
    const hooks = counted(change.events.length, "hook");
    const notes = [...leftOut(change), ...warnings.map((warning) => `warning: ${warning}`)];
    if (change.paste !== undefined) {
      const where = "Add this to the configuration that makes the file:";
      return settled(`${path} cannot be changed: ${IN_STORE}. ${where}`, change.paste, ...notes);
    }
    if (change.before === change.after) return settled(`${path} has memo's ${hooks}`, ...notes);
    return yesOrNo("Add the hooks?", [
      `Adds ${hooks} to ${path}; each runs \`${tilde(program, context.env)} hook\`:`,
      change.events.join(", "),
      change.before === undefined
        ? "The file does not exist yet. `memo uninstall` deletes it"
        : change.wasInstalled // hooks that somebody wrote by hand do not come back
        ? "All else in it stays as it is"
        : "All else in it stays as it is. `memo uninstall` restores the file to the byte",
      ...notes,
    ], async () => {
      const { change } = await installHere(context, { ...options, dryRun: false });
      return { did: [`Added ${hooks} to ${path}`, ...backupOf(change.backup, context.env)] };
    });
  },
};

/** Whether memo's MCP server is registered, or was declined; undefined: nobody has decided yet. */
export function registration({ paths, cwd }: CliContext): boolean | undefined {
  return readRecords(paths.installs)[settingsPath("user", paths, cwd)]?.mcp;
}

/** Whether memo's hooks are in the user's settings. */
export function hasInstall({ paths, cwd }: CliContext): boolean {
  return settingsPath("user", paths, cwd) in readRecords(paths.installs);
}

function placeOf(plugin: PluginPlace, { paths, env }: CliContext): string {
  return plugin === "folder" ? `\`${tilde(pluginFolder(paths), env)}\`` : "from a marketplace";
}

function backupOf(backup: string | undefined, env: Env): string[] {
  return backup === undefined ? [] : [`Backup: \`${tilde(backup, env)}\``];
}
