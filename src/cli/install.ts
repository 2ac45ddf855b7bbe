import { type Command, Option } from "commander";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { diffOf } from "../install/diff.ts";
import { HOOK_EVENTS } from "../install/entries.ts";
import { install, type SettingsChange } from "../install/install.ts";
import { SETTINGS_SCOPES, type SettingsScope } from "../install/settings_file.ts";
import { hooksAreDisabled } from "../install/settings_json.ts";
import { tilde } from "../paths.ts";
import { isCompiled, selfCommand } from "../self.ts";
import type { CliContext } from "./command.ts";
import { out, outJson, say } from "./output.ts";

interface Flags {
  readonly scope: SettingsScope;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `--scope`, as install and uninstall take it. */
export function scopeOption(): Option {
  return new Option("--scope <scope>", "whose settings: yours, the project's, yours in the project")
    .choices([...SETTINGS_SCOPES])
    .default("user");
}

/** `memo install`. */
export function define(command: Command, context: CliContext): void {
  command
    .addOption(scopeOption())
    .option("--dry-run", "show what would change, and write nothing")
    .option("--json", "print JSON")
    .action(async ({ scope, dryRun = false, json = false }: Flags) => {
      const self = selfCommand();
      const change = await install(context, { scope, dryRun, self });
      const changed = change.before !== change.after;
      if (json) {
        const command = [self.command, ...self.args, "hook"];
        outJson({ scope, dryRun, changed, command, ...summary(change) });
      } else if (dryRun) {
        out(diffOf(change, tilde(change.path, context.env)) || "Nothing to change\n");
      } else report(change, context);
      for (const warning of warnings(change, scope, self.command)) say(`warning: ${warning}`);
    });
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

function report(change: SettingsChange, { paths, env }: CliContext): void {
  const path = tilde(change.path, env);
  if (change.before === change.after) {
    out(`Already installed: \`${path}\` has memo's hooks\n`);
    return;
  }
  out(`Added memo's hooks to \`${path}\`: ${HOOK_EVENTS.join(", ")}\n`);
  if (change.backup) out(`The file as it was: \`${tilde(change.backup, env)}\`\n`);
  out(`
Your memories:      \`${tilde(paths.userMemory, env)}\`
A project's:        \`.claude/memory\` in its folder
See what a prompt gets, and why:
                    memo recall "how do we deploy" --explain
Take it out again:  memo uninstall
`);
}

function warnings(change: SettingsChange, scope: SettingsScope, executable: string): string[] {
  const found: string[] = [];
  if (change.after !== undefined && hooksAreDisabled(change.after)) {
    found.push("`disableAllHooks` is true in these settings, so Claude Code runs no hooks");
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
