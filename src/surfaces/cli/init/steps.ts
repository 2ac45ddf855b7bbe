import { delimiter, dirname, join } from "node:path";
import { isCompiled } from "../../../core/link/self.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { PRESETS } from "../../../core/settings/table.ts";
import { counted } from "../../../core/text/counted.ts";
import { findImportable } from "../../../features/import/mod.ts";
import { NAMES_SERVERS } from "../../../features/install/entries.ts";
import { inCache, placeExecutable, runnerOf } from "../../../features/install/executable.ts";
import { readRecords } from "../../../features/install/record.ts";
import { PERMISSIONS } from "../../../features/install/parts.ts";
import { IN_STORE, settingsPath } from "../../../features/install/settings_file.ts";
import { tilde } from "../../../paths.ts";
import { examine } from "../doctor.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { warmUp } from "../shared/warm_up.ts";
import { installHere, leftOut } from "./install.ts";
import { OFFERED, planCapture, planRecall } from "./sending.ts";
import { type Plan, settled, type Step } from "./wizard.ts";

/** Every step of `memo init`, in order. */
export const STEPS: readonly Step[] = [
  {
    name: "hooks",
    title: "Claude Code",
    summary: "Add memo's hooks and tools to Claude Code",
    answers: ["yes", "only", "no"],
    plan: planHooks,
  },
  {
    name: "capture",
    title: "Language model: memories from conversations",
    summary: "Language model that memories may be sent to, and that writes them from conversations",
    answers: ["auto", ...OFFERED.map(({ name }) => name), "off"],
    plan: planCapture,
  },
  {
    name: "recall",
    title: "Recall: memories for prompts",
    summary: "How recall picks memories",
    answers: PRESETS.map(({ name }) => name),
    plan: planRecall,
  },
  {
    name: "check",
    title: "Check",
    summary: "Start memo and check that it works",
    answers: ["yes", "no"],
    plan: planCheck,
  },
];

/** What memo's MCP server brings. */
const TOOLS =
  "With memo's MCP server Claude can search memories, and save, update and forget them when you ask it to: at " +
  `once, without a permission dialogue (Claude Code before ${NAMES_SERVERS} asks). \`memo undo\` takes a change back.`;

/** Adds memo's hooks to Claude Code, and its MCP server unless only the hooks are wanted. */
async function planHooks(context: CliContext, wanted?: string): Promise<Plan> {
  const { env, paths, cwd } = context, program = programOf(context).command;
  const name = (path: string) => `\`${tilde(path, env)}\``;
  const from = isCompiled ? process.execPath : program, runner = runnerOf(from);
  const because = runner && inCache(runner, tilde(from, env));
  // On Windows a program cannot be deleted while it runs, so nothing could take a copy away again.
  if (runner !== undefined && (!isCompiled || process.platform === "win32")) {
    return settled(`${because}. Run \`${runner.instead}\`, then \`memo init\` again`);
  }
  const plugin = pluginPlace(context);
  if (plugin !== undefined) {
    const where = plugin === "folder" ? name(pluginFolder(paths)) : "from a marketplace";
    return settled(`memo's plugin, ${where}, has the hooks`);
  }
  const copy = join(paths.home, ".local/bin/memo");
  const isOnPath = (env["PATH"] ?? "").split(delimiter).includes(dirname(copy));
  const here = runner === undefined ? context : { ...context, executable: copy };
  // A no to the tools is remembered, so that a later `memo init --yes` does not add them all the same.
  const isDeclined = readRecords(paths.installs)[settingsPath("user", paths, cwd)]?.mcp === false;
  const initial = isDeclined ? "only" : "yes", mcp = (wanted ?? initial) === "yes";
  const found = await installHere(here, { scope: "user", mcp, dryRun: true });
  const { change, server = change } = found;
  const hooks = counted(change.events.length, "hook");
  const notes = [
    ...isDeclined && !mcp ? ["Tools declined before; `memo init --mcp yes` adds them"] : [],
    ...leftOut(change),
    ...found.warnings.map((warning) => `warning: ${warning}`),
  ];
  if (change.paste !== undefined) {
    const why = `${name(change.path)} cannot be changed: ${IN_STORE}. Add this to what makes it:`;
    return settled(why, change.paste, ...notes);
  }
  const changed = [...new Set([change, server])].filter(({ before, after }) => before !== after)
    .map(({ path }) => name(path)).join(" and ");
  if (changed === "" && runner === undefined) {
    return settled(`${name(change.path)} has memo's ${hooks}`, ...notes);
  }
  const applyWith = (mcp: boolean) => async () => {
    if (runner !== undefined) placeExecutable(paths, process.execPath, copy);
    const { change: { backup } } = await installHere(here, { scope: "user", mcp, dryRun: false });
    const did = [
      ...runner === undefined ? [] : [`Copied memo to ${name(copy)}`],
      `Added memo's ${hooks}${mcp ? " and its tools" : ""}: ${name(change.path)}`,
      ...backup === undefined ? [] : [`Backup: ${name(backup)}`],
    ];
    return { did, ...runner !== undefined && { executable: copy } };
  };
  return {
    shows: [
      ...because === undefined
        ? []
        : [because, `Copies it to ${name(copy)}; \`memo uninstall --purge\` deletes it`],
      ...because === undefined || isOnPath
        ? []
        : [`${name(dirname(copy))} is not on your \`PATH\`: add it to run \`memo\``],
      `Changes ${changed || "nothing else"}; \`memo uninstall\` takes it out`,
      `${hooks}, each runs ${name(programOf(here).command)}: ${change.events.join(", ")}`,
      ...mcp ? [TOOLS, `Allowed without asking: ${PERMISSIONS.join(", ")}`] : [],
      ...notes,
    ],
    question: "Add memo to Claude Code?",
    choices: [
      { answer: "yes", label: "Yes, hooks and tools", apply: applyWith(true) },
      { answer: "only", label: "Only the hooks", apply: applyWith(false) },
      { answer: "no", label: "No" },
    ],
    initial,
  };
}

/** Starts the daemon, builds the index, and runs the checks of `memo doctor`. */
async function planCheck(context: CliContext): Promise<Plan> {
  const found = await findImportable({ ...context.place, env: context.env });
  const sources = [...new Set(found.map(({ source }) => source))].join(", ");
  const apply = async () => {
    const warnings = await warmUp(context);
    const findings = await examine(context, { local: true });
    const wrong = findings.filter(({ status }) => status !== "ok");
    const told = wrong.map(({ name, detail, fix }) => `${name}: ${detail}${fix ? `. ${fix}` : ""}`);
    return {
      did: [
        `${findings.length - wrong.length} of ${findings.length} checks are ok`,
        "Not asked: the language model; `memo doctor --deep` asks it a short question",
      ],
      ...wrong.some(({ status }) => status === "fail") && { failed: true as const },
      warnings: [...warnings, ...told],
    };
  };
  const does =
    "Starts memo's daemon, indexes the memories here, and runs the checks of `memo doctor`";
  const later = `Can be imported: ${sources} (\`memo import\` lists them)`;
  const shows = [does, ...sources === "" ? [] : [later]];
  return { shows, choices: [{ answer: "yes", label: "Check", apply }], initial: "yes" };
}
