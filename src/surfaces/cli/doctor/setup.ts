// The checks of what is installed: this executable, memo's folder and settings, Claude Code and other agents.

import { accessSync, constants, existsSync, lstatSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { messageOf } from "../../../errors.ts";
import { readCursors } from "../../../core/capture/cursor.ts";
import { freeBytes, nearestThere } from "../../../core/files/real_path.ts";
import { statsOf } from "../../../core/files/there.ts";
import { selfCommand } from "../../../core/link/self.ts";
import { findClaude } from "../../../core/llm/mod.ts";
import { autoMemory, managedSettings, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { sayOff } from "../../../core/files/off.ts";
import { offAt } from "../../../core/memory/off.ts";
import { projectAt } from "../../../core/memory/project.ts";
import { autoFolder } from "../../../core/memory/scopes.ts";
import { allowedText, ownFile } from "../../../core/settings/config_file.ts";
import { counted } from "../../../core/text/counted.ts";
import { clientOf } from "../../../core/transcript/find.ts";
import { transcriptStats } from "../../../core/transcript/lines.ts";
import { AGENTS } from "../../../features/install/agents/mod.ts";
import { unknownEvents } from "../../../features/install/entries.ts";
import {
  changeServer,
  install,
  managedHooks,
  openSettings,
  whyDisabled,
} from "../../../features/install/install.ts";
import { changePlugin } from "../../../features/install/plugin.ts";
import { readRecords } from "../../../features/install/record.ts";
import { SETTINGS_SCOPES, settingsPath } from "../../../features/install/settings_file.ts";
import { tilde } from "../../../paths.ts";
import { BUILD, VERSION } from "../../../version.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { hookNeeds } from "../shared/follow_settings.ts";
import { fail, type Finding, minute, type Patient, warn } from "./check.ts";

/** Names the version and path of this executable. */
export function executable({ env }: Patient): string {
  return `memo ${VERSION} (build ${BUILD}) at \`${tilde(selfCommand().command, env)}\``;
}

/** Minimum free space for an index or a model. */
const ENOUGH_BYTES = 50e6;

/** Checks that the state folder is private, writable, and has free space. */
export function stateFolder({ paths, env }: Patient): Finding | string {
  const path = tilde(paths.state, env);
  const { MEMO_HOME: home } = env;
  if (home && !isAbsolute(home)) {
    return warn(
      `\`MEMO_HOME\` is relative (\`${home}\`), so it depends on the working directory; here it is \`${path}\``,
      "Set it to an absolute path",
    );
  }
  const there = nearestThere(paths.state);
  if (there !== paths.state && lstatSync(paths.state, { throwIfNoEntry: false })) {
    return fail(`\`${path}\` is a broken link`, "Create its target, or delete the link");
  }
  try {
    if (!statSync(there).isDirectory()) throw new Error(`\`${tilde(there, env)}\` is not a folder`);
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(
      `cannot write to \`${path}\`: ${messageOf(error)}`,
      "Make it a folder you own, or set `MEMO_HOME` to one",
    );
  }
  const free = freeBytes(there) ?? Infinity;
  if (free < ENOUGH_BYTES) {
    return warn(
      `only ${(free / 1e6).toFixed(0)} MB free on the disk with \`${path}\``,
      "Free up space, or set `MEMO_HOME` to a folder on another disk",
    );
  }
  if (there !== paths.state) return `\`${path}\` (not created yet)`;
  const mode = statSync(there).mode & 0o777;
  if (process.platform === "win32" || (mode & 0o077) === 0) return `\`${path}\``;
  return warn(
    `\`${path}\` is readable by other users (mode ${mode.toString(8)})`,
    `Run \`chmod 700 ${path}\``,
  );
}

/** Checks that every setting could be applied. */
export function settings(patient: Patient): Finding | string {
  const { config, paths, env } = patient;
  if (config.warnings.length > 0) {
    const isOwn = config.warnings.some((warning) => warning.includes(`\`${paths.config}\``));
    return warn(
      config.warnings.join("; "),
      isOwn ? "Run `memo config edit` to fix it" : "Fix the file or variable named here",
    );
  }
  const trouble = strategyTrouble(patient);
  if (trouble !== undefined) {
    return warn(
      `${trouble}; \`hybrid\` is used instead`,
      "Fix the file in memo's settings folder, then allow it again with `memo config set strategy.TYPE=./FILE`",
    );
  }
  const changed = Object.keys(config.sources).length;
  if (changed === 0) return "all defaults";
  return `${changed} changed from the default, see \`${tilde(paths.config, env)}\``;
}

/** Says whether memo is off in this folder, and where what it has of it is. */
export function folder({ place, env }: Patient): string {
  const pattern = offAt(place);
  if (pattern === undefined) return `memo is on in \`${tilde(place.cwd, env)}\``;
  const kept = projectAt(place)?.folder;
  const left = kept !== undefined && existsSync(kept)
    ? `; what it saved before is in \`${tilde(kept, env)}\`, unused`
    : "";
  return sayOff(pattern) + left;
}

/** Why a strategy in a file does not rank, or did not with one of the last prompts. */
function strategyTrouble({ config, paths, receipts }: Patient): string | undefined {
  for (const own of Object.values(config.perType).map((value) => ownFile(String(value)))) {
    if (own === undefined) continue;
    try {
      allowedText(config.folder, own);
    } catch (error) {
      return `${own.name}: ${messageOf(error)}`;
    }
    const since = statSync(paths.config).mtime.toISOString(); // when it was allowed, or later
    const failed = receipts.flatMap(({ at, why = "" }) => at < since ? [] : why.split("; "))
      .filter((why) => why.startsWith(`${own.name}: `));
    if (failed.length > 0) return `${failed.at(-1)} (${counted(failed.length, "prompt")})`;
  }
  return undefined;
}

/** Checks that Claude Code has the events that memo needs. */
export async function claudeCode(patient: Patient): Promise<Finding | string> {
  const client = await patient.client();
  const needs = unknownEvents({ client, ...hookNeeds(patient) })
    .map(({ name, since, purpose }) => `\`${name}\` needs ${since} (${purpose})`).join(", ");
  if (client !== undefined) {
    if (needs === "") return client;
    return warn(`${client}; ${needs}`, "Run `claude update`, then `memo init`");
  }
  const found = findClaude(patient);
  const without = needs === "" ? "" : `; not added: ${needs}`;
  if (found === undefined) return `version unknown, \`claude\` was not found${without}`;
  return warn(
    `\`${tilde(found, patient.env)}\` does not report its version${without}`,
    "Run `claude --version` to see why, or reinstall Claude Code",
  );
}

/** Checks that Claude Code can read its settings: it ignores a file that is not strict JSON. */
export function claudeSettings(patient: Patient): Finding | string {
  const refusal = managedRefusal(patient);
  if (refusal !== undefined) {
    return fail(refusal, "Ask whoever manages this machine to allow memo's hooks");
  }
  const files = SETTINGS_SCOPES.map((scope) => openSettings(patient, scope))
    .filter(({ text }) => text !== undefined);
  const off = files.find(({ text }) => whyDisabled(text!) !== undefined);
  const name = ({ path }: { readonly path: string }) => `\`${tilde(path, patient.env)}\``;
  if (off === undefined) return [...new Set(files.map(name))].join(", ") || "no settings files";
  return fail(`${name(off)} sets \`disableAllHooks\`: no hooks run`, "Remove it from that file");
}

/** Managed settings that keep memo's hooks from running, with their meaning. */
const REFUSALS = {
  disableAllHooks: "Claude Code runs no hooks",
  allowManagedHooksOnly: "Claude Code does not run the hooks in your own settings",
} as const;

/** Why managed settings keep memo's hooks from running, in words; undefined when they do not. */
export function managedRefusal(context: CliContext): string | undefined {
  const isManaged = managedHooks(context, { self: programOf(context) }) !== undefined;
  return managedSettings(context.managed).flatMap(({ path, values }) =>
    Object.entries(REFUSALS).filter(([key]) => values[key] === true)
      .filter(([key]) => !(isManaged && key === "allowManagedHooksOnly"))
      .map(([key, meaning]) => `\`${path}\` sets \`${key}\`: ${meaning}`)
  )[0];
}

/** Says where Claude Code's own auto memory is, and whether memo follows it there. */
export function claudeAutoMemory(patient: Patient): Finding | string {
  const { paths, cwd, env, place } = patient;
  for (const scope of ["project", "local"] as const) {
    const { path, text = "" } = openSettings(patient, scope);
    if (path === settingsPath("user", paths, cwd) || !text.includes('"autoMemoryDirectory"')) {
      continue;
    }
    const name = `\`${tilde(path, env)}\``;
    return warn(
      `${name} sets \`autoMemoryDirectory\`, which memo ignores in a project`,
      "Move it to your own settings so that memo reads that folder",
    );
  }
  const where = `\`${tilde(autoFolder(place), env)}\``;
  return autoMemory(place).isOff
    ? `off (\`autoMemoryEnabled\`); \`memo import auto-memory\` imports ${where}`
    : where;
}

/** Checks that the hooks start this executable, at every event. */
export async function hooks(patient: Patient): Promise<Finding | string> {
  const client = await patient.client();
  const options = { dryRun: true, self: programOf(patient), ...hookNeeds(patient), client };
  let wrong: Finding | undefined;
  const managed = managedHooks(patient, options);
  if (managed !== undefined) {
    const what = whatIsWrong(managed.differences),
      where = `\`${tilde(managed.path, patient.env)}\``;
    if (what === "") return `${managed.own.length} in ${where}`;
    return fail(`${where}: ${what}`, "Replace them by what `memo init --print=managed` prints");
  }
  for (const scope of SETTINGS_SCOPES) {
    // The hooks are right if an install would not change them.
    const { path, events, differences, wasInstalled } = install(patient, { ...options, scope });
    const where = `\`${tilde(path, patient.env)}\``;
    const left = differences.filter(({ kind }) => kind !== "by hand");
    const isByHand = left.length < differences.length;
    if (wasInstalled && left.length === 0) {
      return isByHand ? `in ${where}, written by hand` : `${events.length} in ${where}`;
    }
    if (isByHand && left.every(({ kind }) => kind === "missing")) {
      const names = left.map(({ event }) => `\`${event}\``).join(", ");
      return warn(`in ${where}, written by hand, without ${names}`, "Run `memo init` to add them");
    }
    const what = whatIsWrong(left);
    if (wasInstalled) wrong ??= fail(`${where}: ${what}`, "Run `memo init`");
  }
  if (wrong !== undefined) return wrong;
  const plugin = pluginPlace(patient);
  if (plugin === "marketplace") return "in memo's plugin";
  if (plugin === "folder") {
    const { path, changed } = changePlugin(patient, { ...options, isWanted: true });
    const where = `\`${tilde(path, patient.env)}\``;
    if (!changed) return `in memo's plugin, ${where}`;
    return fail(`${where} does not start this memo`, "Run `memo init --plugin`");
  }
  const others = installedAgents(patient).map(({ agent }) => agent.label).join(", ");
  if (others !== "") return `not in Claude Code, only in ${others}`;
  return fail("memo's hooks are not in Claude Code's settings", "Run `memo init`");
}

/** What differs from the hooks of an install, in words. */
function whatIsWrong(differences: ReturnType<typeof install>["differences"]): string {
  return differences.map(({ event, kind }) => `\`${event}\` ${DIFFERENCES[kind]}`).join(", ");
}

const DIFFERENCES = {
  missing: "is missing",
  "by hand": "is written by hand",
  different: "does not start this memo",
  "not needed": "is not needed, or unknown to this Claude Code",
} as const;

/** Checks that Claude Code starts memo's MCP server, unless the user has left it out. */
export function mcpServer(patient: Patient): Finding | string {
  const { paths, cwd, env } = patient;
  if (pluginPlace(patient) !== undefined) return "in memo's plugin";
  const record = readRecords(paths.installs)[settingsPath("user", paths, cwd)];
  if (record?.mcp === false) return "declined (`memo init --no-mcp`)";
  const options = { isWanted: true, dryRun: true, self: programOf(patient) };
  const { path, before, after, isTaken } = changeServer(patient, options);
  const where = `\`${tilde(path, env)}\``;
  if (record === undefined && (isTaken || before !== after)) {
    return "not registered; `memo init` adds it";
  }
  if (isTaken) {
    return warn(
      `${where} has another MCP server named \`memo\``,
      "Rename it, then run `memo init`",
    );
  }
  if (before === after) return `in ${where}`;
  return warn(`${where} does not start this memo's MCP server`, "Run `memo init`");
}

/** Checks that other agents run memo's hooks: some wait for the person's trust, in silence. */
export function agents(patient: Patient): Finding | string {
  const { paths, receipts } = patient;
  const heard = new Set(receipts.map(({ session }) => session));
  const own = installedAgents(patient);
  for (const { agent, since } of own) {
    const later = agent.sessions?.(patient).filter(({ at }) => at > since) ?? [];
    if (later.length === 0 || later.some(({ id }) => heard.has(id))) continue;
    return warn(`${agent.label} does not run memo's hooks`, agent.next ?? "Install it again");
  }
  const stateOf = ({ name, label }: typeof own[number]["agent"]) => {
    const captured = readCursors(paths.capture)
      .filter(({ transcript, turns }) =>
        turns.length > 0 && clientOf(transcript, paths.home) === name
      )
      .map(({ transcript }) => transcriptStats(transcript)?.mtimeMs ?? 0);
    if (captured.length === 0) return label;
    return `${label} (last captured ${minute(Math.max(...captured))})`;
  };
  return own.map(({ agent }) => stateOf(agent)).join("; ") || "none installed";
}

/** The other agents that memo is installed for, and since when. */
function installedAgents(patient: Patient) {
  const installed = readRecords(patient.paths.installs);
  return AGENTS.flatMap((agent) => {
    const files = agent.files(patient, selfCommand()).filter(({ path }) => installed[path]);
    const [since] = files.flatMap(({ path }) => statsOf(path)?.mtime ?? []);
    return since === undefined ? [] : [{ agent, since }];
  });
}
