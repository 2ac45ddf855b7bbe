import { delimiter, dirname, join } from "node:path";
import { isCompiled } from "../../../core/link/self.ts";
import { PRESETS } from "../../../core/settings/table.ts";
import { counted } from "../../../core/text/counted.ts";
import { findImportable } from "../../../features/import/mod.ts";
import type { ImportPlan } from "../../../features/import/plan.ts";
import { sourceNamed } from "../../../features/import/sources.ts";
import { PERMISSIONS } from "../../../features/install/server.ts";
import { inCache, placeExecutable, runnerOf } from "../../../features/install/executable.ts";
import { readRecords } from "../../../features/install/record.ts";
import { IN_STORE, settingsPath } from "../../../features/install/settings_file.ts";
import { NAMES_SERVERS } from "../../../features/install/entries.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { tilde } from "../../../paths.ts";
import { examine } from "../doctor.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { warmUp } from "../shared/warm_up.ts";
import { installHere, leftOut } from "./install.ts";
import { OFFERED, planCapture, planRecall } from "./sending.ts";
import { type Choice, type Plan, settled, type Step } from "./wizard.ts";

const YES_OR_NO = ["yes", "no"];

/** Every step of `memo init`, in order. */
export const STEPS: readonly Step[] = [
  {
    name: "place",
    title: "Executable",
    summary: "Copy memo out of npx's cache",
    answers: YES_OR_NO,
    plan: planPlace,
  },
  {
    name: "hooks",
    title: "Claude Code",
    summary: "Add memo's hooks to Claude Code",
    answers: YES_OR_NO,
    plan: planHooks,
  },
  {
    name: "mcp",
    title: "Tools for Claude",
    summary: "Register memo's MCP server in Claude Code",
    answers: YES_OR_NO,
    remembersNo: true,
    plan: planTools,
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
    name: "import",
    title: "Import: memories of other tools",
    summary: "Import the memories of other tools found here",
    answers: YES_OR_NO,
    plan: planImport,
  },
  {
    name: "check",
    title: "Check",
    summary: "Start memo and check that it works",
    answers: YES_OR_NO,
    plan: planCheck,
  },
];

/** Yes, which applies, or no; Enter is yes. */
function yesOrNo(
  question: string,
  shows: readonly string[],
  yes: NonNullable<Choice["apply"]>,
  no?: Choice["apply"],
): Plan {
  const choices = [
    { answer: "yes", label: "Yes", apply: yes },
    { answer: "no", label: "No", ...no && { apply: no } },
  ];
  return { shows, question, choices, initial: "yes" };
}

/** Copies memo out of a package runner's cache, so that hooks can rely on it. */
function planPlace({ paths, env }: CliContext): Plan {
  const runner = isCompiled ? runnerOf(process.execPath) : undefined;
  if (runner === undefined) return settled();
  const because = inCache(runner, tilde(process.execPath, env));
  // There a program cannot be deleted while it runs, so nothing could take the copy away again.
  if (process.platform === "win32") return settled(because, `Run \`${runner.instead}\` instead`);
  const executable = join(paths.home, ".local/bin/memo"), name = tilde(executable, env);
  const folder = dirname(executable);
  const isOnPath = (env["PATH"] ?? "").split(delimiter).includes(folder);
  return yesOrNo("Copy it?", [
    because,
    `Copies it to \`${name}\`; \`memo uninstall --purge\` deletes it`,
    ...isOnPath
      ? []
      : [`\`${tilde(folder, env)}\` is not on your \`PATH\`: add it to run \`memo\``],
  ], () => {
    placeExecutable(paths, process.execPath, executable);
    return { did: [`Copied memo to \`${name}\``], executable };
  });
}

/** The record of an install in the user's settings; its `mcp` is missing while nobody has decided about the tools. */
function installRecord({ paths, cwd }: CliContext) {
  return readRecords(paths.installs)[settingsPath("user", paths, cwd)];
}

/** Adds memo's hooks to Claude Code. */
async function planHooks(context: CliContext): Promise<Plan> {
  const { env, paths } = context, program = programOf(context).command;
  const runner = runnerOf(program);
  if (runner !== undefined) {
    const because = inCache(runner, tilde(program, env));
    return settled(`${because}. Run \`${runner.instead}\`, then \`memo init\` again`);
  }
  const plugin = pluginPlace(context);
  if (plugin !== undefined) {
    const where = plugin === "folder"
      ? `\`${tilde(pluginFolder(paths), env)}\``
      : "from a marketplace";
    return settled(`memo's plugin, ${where}, has the hooks`);
  }
  const options = { scope: "user", mcp: installRecord(context)?.mcp ?? "undecided" } as const;
  const { change, warnings } = await installHere(context, { ...options, dryRun: true });
  const path = `\`${tilde(change.path, env)}\``;
  const hooks = counted(change.events.length, "hook");
  const notes = [...leftOut(change), ...warnings.map((warning) => `warning: ${warning}`)];
  if (change.paste !== undefined) {
    const where = "Add this to the configuration that makes the file:";
    return settled(`${path} cannot be changed: ${IN_STORE}. ${where}`, change.paste, ...notes);
  }
  if (change.before === change.after) return settled(`${path} has memo's ${hooks}`, ...notes);
  return yesOrNo("Add the hooks?", [
    `Adds ${hooks} to ${path}; each runs \`${tilde(program, env)} hook\`:`,
    change.events.join(", "),
    change.before === undefined
      ? "The file does not exist yet. `memo uninstall` deletes it"
      : change.wasInstalled // hooks that somebody wrote by hand do not come back
      ? "All else in it stays as it is"
      : "All else in it stays as it is. `memo uninstall` restores the file to the byte",
    ...notes,
  ], async () => {
    const { change: { backup } } = await installHere(context, { ...options, dryRun: false });
    const kept = backup === undefined ? [] : [`Backup: \`${tilde(backup, env)}\``];
    return { did: [`Added ${hooks} to ${path}`, ...kept] };
  });
}

/** Registers memo's MCP server, and allows those of its tools that only read. */
async function planTools(context: CliContext, planned: readonly string[]): Promise<Plan> {
  const record = installRecord(context);
  if (record === undefined && !planned.includes("hooks")) return settled(); // it belongs to an install
  const isDeclined = record?.mcp === false;
  const options = { scope: "user", mcp: true } as const;
  const { change, server } = await installHere(context, { ...options, dryRun: true });
  const paths = [change, ...server === undefined ? [] : [server]]
    .flatMap(({ path, before, after }) =>
      before === after ? [] : [`\`${tilde(path, context.env)}\``]
    ).join(" and ");
  if (paths === "") return settled("Claude has memo's tools");
  const plan = yesOrNo("Add the tools?", [
    "With memo's MCP server Claude can search memories, and save, update and forget them when you ask it to: at " +
    `once, without a permission dialogue (Claude Code before ${NAMES_SERVERS} asks). \`memo undo\` takes a change back.`,
    `Changes ${paths}. Allowed without asking: ${PERMISSIONS.join(", ")}`,
    ...isDeclined ? ["Declined before; `memo init --mcp yes` adds them"] : [],
  ], async () => {
    await installHere(context, { ...options, dryRun: false });
    return { did: [`Added memo's tools to ${paths}`] };
  }, async () => { // remembered, so that a later `memo init --yes` does not add them all the same
    await installHere(context, { ...options, mcp: false, dryRun: false });
    return { did: [] };
  });
  return { ...plan, initial: isDeclined ? "no" : "yes" };
}

/** Sources that are not imported unseen: split by guesswork, read by memo in any case, or for money. */
const BY_HAND: readonly string[] = ["auto-memory", "claude-md", "conversations"];

/** Imports the memories of other tools that lie here. */
async function planImport(context: CliContext): Promise<Plan> {
  const { env } = context;
  const found = await findImportable({ ...context.place, env });
  const unseen = found.filter(({ source, records }) =>
    !BY_HAND.includes(source) && records !== undefined
  );
  const fresh: { source: string; path: string; plan: ImportPlan }[] = [];
  for (const { source, path } of unseen) {
    const { placeOf, planned } = await import("../import.ts"); // it loads the database's library
    const reading = await sourceNamed(source).read(path, placeOf(context));
    const plan = await planned(source, reading, { options: {}, context });
    if (plan.steps.length > 0) fresh.push({ source, path, plan });
  }
  const later = found.filter(({ source }) => BY_HAND.includes(source))
    .map(({ source, path }) => `\`${tilde(path, env)}\`: later, with \`memo import ${source}\``);
  if (fresh.length === 0) return settled(...later);
  const count = (memories: number) => counted(memories, "memory", "memories");
  return yesOrNo("Import them?", [
    ...fresh.map(({ source, path, plan }) =>
      `${source}: ${count(plan.steps.length)} from \`${tilde(path, env)}\``
    ),
    "Writes a copy of each below `~/.claude/memory`; the other tool keeps its own",
    ...later,
  ], async () => {
    const { write } = await import("../import.ts");
    const did: string[] = [];
    for (const { source, plan } of fresh) {
      const { added, updated } = await write(plan, context);
      did.push(`Imported ${count(added.length + updated.length)} from ${source}`);
    }
    return { did };
  });
}

/** Starts the daemon, builds the index, and runs the checks of `memo doctor`. */
function planCheck(context: CliContext): Plan {
  const apply = async () => {
    const warnings = await warmUp(context);
    const findings = await examine(context, { local: true });
    const wrong = findings.filter(({ status }) => status !== "ok");
    return {
      did: [
        `${findings.length - wrong.length} of ${findings.length} checks are ok`,
        "Not asked: the language model; `memo doctor --deep` asks it a short question",
      ],
      ...wrong.some(({ status }) => status === "fail") && { failed: true as const },
      warnings: [
        ...warnings,
        ...wrong.map(({ name, detail, fix }) => `${name}: ${detail}${fix ? `. ${fix}` : ""}`),
      ],
    };
  };
  return {
    shows: [
      "Starts memo's daemon, indexes the memories here, and runs the checks of `memo doctor`",
    ],
    choices: [{ answer: "yes", label: "Check", isLong: true, apply }],
    initial: "yes",
  };
}
