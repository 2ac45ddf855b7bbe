import {
  type HookDifference,
  install,
  openSettings,
  whyDisabled,
} from "../../../features/install/install.ts";
import { isAtLeast, NAMES_SERVERS, unknownEvents } from "../../../features/install/entries.ts";
import { installPlugin } from "../../../features/install/plugin.ts";
import {
  autoMemory,
  managedFolder,
  managedSettings,
  pluginPlace,
} from "../../../core/memory/claude_settings.ts";
import { readRecords } from "../../../features/install/record.ts";
import { changeServer } from "../../../features/install/server.ts";
import { SETTINGS_SCOPES, settingsPath } from "../../../features/install/settings_file.ts";
import { findClaude } from "../../../core/llm/mod.ts";
import { autoFolder, leftOutFolder } from "../../../core/memory/scopes.ts";
import { memoryPaths } from "../../../core/memory/folder.ts";
import { tilde } from "../../../paths.ts";
import { programOf } from "../shared/command.ts";
import { hookNeeds } from "../shared/follow_settings.ts";
import { counted } from "../../../core/text/counted.ts";
import { installedAgents } from "./agents.ts";
import { fail, type Finding, ok, type Patient, warn } from "./check.ts";

/** Checks that Claude Code can read its settings: it ignores a file that is not strict JSON. */
export function claudeSettings(patient: Patient): Finding {
  const refusal = managedRefusal();
  if (refusal !== undefined) {
    return fail(refusal, "Ask whoever manages this machine to allow memo's hooks");
  }
  const names: string[] = [];
  for (const scope of SETTINGS_SCOPES) {
    const file = openSettings(patient, scope);
    const name = `\`${tilde(file.path, patient.env)}\``;
    if (file.text === undefined || names.includes(name)) continue;
    if (whyDisabled(file.text) !== undefined) {
      return fail(`${name} sets \`disableAllHooks\`: no hook runs`, "Remove it from that file");
    }
    names.push(name);
  }
  return ok(names.length === 0 ? "no settings files" : names.join(", "));
}

/** Says where Claude Code's own auto memory is, and whether memo follows it there. */
export function claudeAutoMemory(patient: Patient): Finding {
  const { paths, cwd, env, place } = patient;
  for (const scope of ["project", "local"] as const) {
    const { path, text } = openSettings(patient, scope);
    if (path !== settingsPath("user", paths, cwd) && setsAutoMemory(text ?? "")) {
      return warn(
        `\`${
          tilde(path, env)
        }\` sets \`autoMemoryDirectory\`, which memo does not take from a project`,
        "Move it to your own settings to have memo read that folder",
      );
    }
  }
  const where = `\`${tilde(autoFolder(place), env)}\``;
  if (autoMemory(place).isOff) {
    const off = leftOutFolder(place);
    const count = off === undefined ? 0 : memoryPaths(off).length;
    const lost = counted(count, "memory", "memories");
    return ok(
      `off (\`autoMemoryEnabled\`), and ` +
        (count === 0
          ? `not recalled: ${where}`
          : `${lost} in ${where} not recalled; \`memo import auto-memory\` copies them to memo's own`),
    );
  }
  return ok(where);
}

function setsAutoMemory(settings: string): boolean {
  return settings.includes('"autoMemoryDirectory"');
}

/** Checks that Claude Code has the events that memo needs. */
export async function claudeCode(patient: Patient): Promise<Finding> {
  const client = await patient.client();
  const unknown = unknownEvents({ client, ...hookNeeds(patient) });
  const needs = unknown.map(({ name, since, purpose }) => `\`${name}\` needs ${since} (${purpose})`)
    .join(", ");
  if (client === undefined) {
    const found = findClaude(patient);
    const without = needs === "" ? "" : `; left out: ${needs}`;
    if (found === undefined) return ok(`version unknown, \`claude\` was not found${without}`);
    return warn(
      `\`${tilde(found, patient.env)}\` does not tell its version${without}`,
      "Run `claude --version` to see why, or install Claude Code again",
    );
  }
  if (needs === "") return ok(client);
  return warn(`${client}; ${needs}`, "Run `claude update`, then `memo init`");
}

/** Checks that the hooks start this executable, at every event. */
export async function hooks(patient: Patient): Promise<Finding> {
  const options = {
    dryRun: true,
    self: programOf(patient),
    ...hookNeeds(patient),
    client: await patient.client(),
  };
  let wrong:
    | { readonly where: string; readonly differences: readonly HookDifference[] }
    | undefined;
  for (const scope of SETTINGS_SCOPES) {
    // The hooks are right if an install would not change them.
    const change = await install(patient, { ...options, scope });
    const { path, events, differences, wasInstalled } = change;
    const where = `\`${tilde(path, patient.env)}\``;
    if (wasInstalled && differences.length === 0) {
      return ok(`${events.length} in ${where}`);
    }
    const left = differences.filter(({ kind }) => kind !== "by hand");
    if (wasInstalled && left.length === 0) return ok(`in ${where}, written by hand`);
    if (left.length < differences.length && left.every(({ kind }) => kind === "missing")) {
      const names = left.map(({ event }) => `\`${event}\``).join(", ");
      return warn(`in ${where}, written by hand, without ${names}`, "Run `memo init` to add them");
    }
    if (wasInstalled) wrong ??= { where, differences: left };
  }
  const plugin = pluginPlace(patient);
  if (wrong === undefined && plugin === "marketplace") return ok("by memo's plugin");
  if (wrong === undefined && plugin === "folder") {
    const { path, changed } = await installPlugin(patient, options);
    const where = `\`${tilde(path, patient.env)}\``;
    if (!changed) return ok(`by memo's plugin, ${where}`);
    return fail(`${where} does not start this memo`, "Run `memo init --plugin`");
  }
  if (wrong === undefined) {
    const others = installedAgents(patient).map(({ agent }) => agent.label).join(", ");
    if (others !== "") return ok(`not in Claude Code, only in ${others}`);
    return fail("Claude Code's settings have no hooks of memo's", "Run `memo init`");
  }
  const { where, differences } = wrong;
  return fail(`${where}: ${differences.map(inWords).join(", ")}`, "Run `memo init`");
}

/** Checks that Claude Code starts memo's MCP server, unless the user has left it out. */
export async function mcpServer(patient: Patient): Promise<Finding> {
  const { paths, cwd, env } = patient;
  const client = await patient.client();
  const asks = client === undefined || isAtLeast(client, NAMES_SERVERS)
    ? ""
    : `; Claude Code asks before it saves or forgets, until ${NAMES_SERVERS}`;
  if (pluginPlace(patient) !== undefined) return ok(`by memo's plugin${asks}`);
  const record = readRecords(paths.installs)[settingsPath("user", paths, cwd)];
  if (record === undefined) return ok("not registered: the hooks are not in your own settings");
  if (record.mcp === false) return ok("left out (`memo init --no-mcp`)");
  const change = await changeServer(patient, {
    isWanted: true,
    dryRun: true,
    self: programOf(patient),
  });
  const where = `\`${tilde(change.path, env)}\``;
  if (change.isTaken) {
    return warn(
      `${where} has another MCP server called \`memo\``,
      "Rename that one, then run `memo init`",
    );
  }
  if (change.before === change.after) return ok(`in ${where}${asks}`);
  return warn(`${where} does not start this memo's MCP server`, "Run `memo init`");
}

const DIFFERENCES: Readonly<Record<HookDifference["kind"], string>> = {
  missing: "is missing",
  "by hand": "is written by hand",
  different: "does not start this memo",
  "not needed": "is not needed, or not known to this Claude Code",
};

function inWords({ event, kind }: HookDifference): string {
  return `\`${event}\` ${DIFFERENCES[kind]}`;
}

/** Managed settings that keep memo's hooks from running, with their meaning. */
const REFUSALS = {
  disableAllHooks: "Claude Code runs no hooks",
  allowManagedHooksOnly: "Claude Code does not run the hooks in your own settings",
} as const;

/** Why managed settings keep memo's hooks from running, in words; undefined when they do not. */
export function managedRefusal(folder: string = managedFolder()): string | undefined {
  for (const { path, values } of managedSettings(folder)) {
    for (const [key, meaning] of Object.entries(REFUSALS)) {
      if (values[key] === true) return `\`${path}\` sets \`${key}\`: ${meaning}`;
    }
  }
  return undefined;
}
