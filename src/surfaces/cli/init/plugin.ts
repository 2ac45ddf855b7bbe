import { MemoError } from "../../../errors.ts";
import { diffOf } from "../../../features/install/diff.ts";
import { claudeVersion } from "../../../features/install/claude_version.ts";
import { installPlugin } from "../../../features/install/plugin.ts";
import { refuseRunner } from "../../../features/install/runner.ts";
import { changeServer } from "../../../features/install/server.ts";
import type { SettingsScope } from "../../../features/install/settings_file.ts";
import { uninstall } from "../../../features/install/uninstall.ts";
import { tilde } from "../../../paths.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { hookNeeds } from "../shared/follow_settings.ts";
import { out, outJson, say } from "../shared/output.ts";
import { warmUp } from "../shared/warm_up.ts";

export interface PluginFlags {
  readonly scope: SettingsScope;
  readonly mcp?: boolean | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `memo init --plugin`: memo as a plugin, in place of hooks in the settings and a registered MCP server. */
export async function installAsPlugin(flags: PluginFlags, context: CliContext): Promise<void> {
  refuseOthers(flags);
  const { dryRun, json } = flags;
  const self = programOf(context);
  refuseRunner(self.command);
  const client = await claudeVersion(context);
  const plugin = await installPlugin(context, { dryRun, self, client, ...hookNeeds(context) });
  // Everything else of memo's would be there twice.
  const removed = [
    await changeServer(context, { isWanted: false, dryRun, self }),
    await uninstall(context, { scope: "user", dryRun, self }),
  ].filter(({ before, after }) => before !== after);
  const path = tilde(plugin.path, context.env);
  if (json) {
    const { path, changed, files } = plugin;
    outJson({ plugin: path, dryRun, changed, files, removedFrom: removed.map(({ path }) => path) });
  } else if (dryRun) {
    for (const file of plugin.changed ? plugin.files : []) out(`Would write \`${path}/${file}\`\n`);
    for (const change of removed) out(diffOf(change, tilde(change.path, context.env)));
    if (!plugin.changed && removed.length === 0) out("No changes\n");
  } else {
    out(
      plugin.changed
        ? `Installed memo as a plugin in \`${path}\`: hooks, MCP server, skill and commands\n`
        : `Already installed: \`${path}\` has memo's plugin\n`,
    );
    for (const change of removed) {
      out(`Took memo out of \`${tilde(change.path, context.env)}\`; the plugin has it\n`);
    }
    if (plugin.changed) out(USE);
  }
  if (!dryRun) { for (const warning of await warmUp(context)) say(`warning: ${warning}`); }
}

const USE = `
In a new session:   /memo:memo, /memo:remember, /memo:forget, /memo:pause, and the skill memory-recall
To remove memo:     memo uninstall
`;

function refuseOthers({ scope, mcp }: PluginFlags): void {
  const other = scope !== "user" ? `--scope ${scope}` : mcp === false ? "--no-mcp" : undefined;
  if (other === undefined) return;
  throw new MemoError("usage", `Cannot install the plugin with \`${other}\``, {
    hint: "Pass only one of them; `memo init --help` lists the options",
  });
}
