import { installHere, leftOut } from "../install.ts";
import { tilde } from "../../paths.ts";
import { inCache, runnerOf } from "../../install/runner.ts";
import { programOf } from "../command.ts";
import { counted } from "../doctor/check.ts";
import { settled, type Step, YES_OR_NO, yesOrNo } from "./step.ts";

/** Adds memo's hooks to Claude Code, as `memo install` does. */
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
    const { change, server, warnings } = await installHere(context, {
      scope: "user",
      dryRun: true,
    });
    const path = `\`${tilde(change.path, context.env)}\``;
    const hooks = counted(change.events.length, "hook");
    const notes = [...leftOut(change), ...warnings.map((warning) => `warning: ${warning}`)];
    const isRegistered = server === undefined || server.before === server.after;
    if (change.before === change.after && isRegistered) {
      return settled(`${path} has memo's ${hooks}`, ...notes);
    }
    return yesOrNo("Add the hooks?", [
      `Adds ${hooks} to ${path}; each runs \`${tilde(program, context.env)} hook\`:`,
      change.events.join(", "),
      ...isRegistered ? [] : [
        `Adds memo's MCP server to \`${
          tilde(server.path, context.env)
        }\`: Claude can search, save and forget memories`,
      ],
      change.before === undefined
        ? "The file does not exist yet. `memo uninstall` deletes it"
        : "All else in it stays as it is. `memo uninstall` restores the file to the byte",
      ...notes,
    ], async () => {
      const { change } = await installHere(context, { scope: "user", dryRun: false });
      const added = isRegistered
        ? []
        : [`Added memo's MCP server to \`${tilde(server.path, context.env)}\``];
      return {
        did: [`Added ${hooks} to ${path}`, ...added, ...backupOf(change.backup, context.env)],
      };
    });
  },
};

function backupOf(backup: string | undefined, env: Parameters<typeof tilde>[1]): string[] {
  return backup === undefined ? [] : [`Backup: \`${tilde(backup, env)}\``];
}
