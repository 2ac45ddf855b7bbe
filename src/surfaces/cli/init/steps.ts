import { delimiter, dirname, join } from "node:path";
import { isCompiled } from "../../../core/link/self.ts";
import { pluginFolder, pluginPlace } from "../../../core/memory/claude_settings.ts";
import { PRESETS } from "../../../core/settings/table.ts";
import { counted } from "../../../core/text/counted.ts";
import { findImportable } from "../../../features/import/mod.ts";
import { NAMES_SERVERS } from "../../../features/install/entries.ts";
import { inCache, placeExecutable, runnerOf } from "../../../features/install/executable.ts";
import { readRecords, writeInitSettings } from "../../../features/install/record.ts";
import { PERMISSIONS } from "../../../features/install/parts.ts";
import { settingsPath } from "../../../features/install/settings_file.ts";
import { tilde } from "../../../paths.ts";
import { examine } from "../doctor.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { warmUp } from "../shared/warm_up.ts";
import { formatLeft, formatRemoved, installHere, isChange, leftOut } from "./install.ts";
import { THEN_CHECK, THEN_TOOLS } from "./print.ts";
import { chooseProvider, PROVIDERS, whyUnavailable } from "../../../core/llm/mod.ts";
import { type Config, describeSource, sourceOf } from "../../../core/settings/config.ts";
import {
  answerIn,
  FIRST,
  OFF,
  unknownServer,
  withHost,
  withPurposes,
} from "../../../core/settings/purposes.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import { configHere } from "../shared/config_here.ts";
import { followSettings } from "../shared/follow_settings.ts";
import { formatPresetCost } from "../shared/preset_cost.ts";

/** One step of `memo init`. */
export interface InitStep {
  /** Its option: `--hooks no`. */
  readonly name: string;
  readonly title: string;
  /** What the option is about, for `--help`. */
  readonly summary: string;
  /** The answers that it can take; which of them are offered depends on the machine. */
  readonly answers: readonly string[];
  /** Looks at what is there, and changes nothing. */
  readonly plan: (context: CliContext, wanted: string | undefined) => StepPlan | Promise<StepPlan>;
}

/** What a step found, and what it can do about it. */
export interface StepPlan {
  /** What is there, and what a change would be: shown before the question. */
  readonly shows: readonly string[];
  /** The answers. None: there is nothing to do. One: nothing to ask. */
  readonly choices: readonly { readonly value: string; readonly label: string; hint?: string }[];
  readonly question?: string;
  /** The answer of `--yes`, and of Enter; undefined: only a person answers it. */
  readonly initial?: string | undefined;
  /** The answer for which nothing is to be changed. */
  readonly current?: string | undefined;
  /** Changes what the plan has shown. */
  readonly apply?: (answer: string) => InitStepResult | Promise<InitStepResult>;
}

/** A plan with nothing to do. */
function settled(...shows: string[]): StepPlan {
  return { shows, choices: [] };
}

/** What a step did, in lines. */
export interface InitStepResult {
  readonly did?: readonly string[];
  readonly warnings?: readonly string[];
  /** Whether memo does not work. */
  readonly failed?: true;
  /** The memo that later steps are to name, if it is another one than this. */
  readonly executable?: string;
}

/** The providers that can be chosen. */
const OFFERED = PROVIDERS.filter(({ name }) => name !== "none");

/** Every step of `memo init`, in order. */
export const STEPS: readonly InitStep[] = [
  {
    name: "hooks",
    title: "Claude Code",
    summary: "Add memo's hooks and tools to Claude Code",
    answers: ["yes", "only", "no"],
    plan: planHooks,
  },
  {
    name: "capture",
    title: "Language model",
    summary: "Language model that may read conversations and write memories",
    answers: ["auto", ...OFFERED.map(({ name }) => name), "off"],
    plan: planCapture,
  },
  {
    name: "recall",
    title: "Recall",
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

/** What memo's MCP server adds. */
const TOOLS =
  "memo's MCP server lets Claude search memories, and save, update or forget them when you ask. Neither shows a " +
  `permission prompt; before Claude Code ${NAMES_SERVERS}, changes do. Undo a change: \`memo undo\`.`;

/** Adds memo's hooks to Claude Code, and its MCP server unless only the hooks are wanted. */
async function planHooks(context: CliContext, wanted?: string): Promise<StepPlan> {
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
    return settled(`memo's plugin (${where}) has the hooks`);
  }
  const copy = join(paths.home, ".local/bin/memo");
  const isOnPath = (env["PATH"] ?? "").split(delimiter).includes(dirname(copy));
  const here = runner === undefined ? context : { ...context, executable: copy };
  // A no to the tools is remembered, so that a later `memo init --yes` does not add them all the same.
  const isDeclined = readRecords(paths.installs)[settingsPath("user", paths, cwd)]?.mcp === false;
  const initial = isDeclined ? "only" : "yes", mcp = (wanted ?? initial) === "yes";
  const found = await installHere(here, { scope: "user", mcp, dryRun: true });
  const { change, server = change, managed } = found;
  const hooks = counted((managed?.own ?? change.events).length, "hook");
  const notes = [
    ...isDeclined && !mcp ? ["You declined the tools before; `memo init --mcp yes` adds them"] : [],
    ...leftOut(change),
    ...found.warnings.map((warning) => `warning: ${warning}`),
  ];
  if (change.paste !== undefined) {
    const why = managed === undefined
      ? "Add this to it, or to the configuration that generates it (`memo init --print=nix` prints it for home-manager):"
      : `${
        name(managed.path)
      } has memo's hooks: delete this from it, or from the configuration that generates it:`;
    return settled(
      `Cannot change ${name(change.path)}: ${change.locked}. ${why}`,
      change.paste,
      ...notes,
      mcp ? THEN_TOOLS : THEN_CHECK,
    );
  }
  notes.push(...found.left.map((each) => `warning: ${formatLeft(each, env)}`));
  const changed = [...new Set([change, server])].filter(isChange)
    .map(({ path }) => name(path)).join(" and ");
  if (changed === "" && runner === undefined) {
    return settled(`${name(managed?.path ?? change.path)} has memo's ${hooks}`, ...notes);
  }
  const apply = async (answer: string) => {
    const mcp = answer === "yes";
    if (runner !== undefined) placeExecutable(paths, process.execPath, copy);
    const { change: { backup } } = await installHere(here, { scope: "user", mcp, dryRun: false });
    // Another tool wrote the hooks.
    const isOnlyTools = isChange(server) && (managed === undefined ? !isChange(change) : mcp);
    const did = [
      ...runner === undefined ? [] : [`Copied memo to ${name(copy)}`],
      ...managed && isChange(change) ? [formatRemoved(change, managed, env)] : [],
      ...isOnlyTools ? [`Added memo's tools to ${name(server.path)}`] : [],
      ...isOnlyTools || managed !== undefined
        ? []
        : [`Added memo's ${hooks}${mcp ? " and tools" : ""} to ${name(change.path)}`],
      ...backup === undefined ? [] : [`Backup: ${name(backup)}`],
    ];
    return { did, ...runner !== undefined && { executable: copy } };
  };
  return {
    shows: [
      because,
      because && `Copies memo to ${name(copy)}; \`memo uninstall --purge\` deletes it`,
      because && !isOnPath &&
      `${name(dirname(copy))} is not on your \`PATH\`: add it to run \`memo\``,
      `Changes ${changed || "nothing else"}; undo: \`memo uninstall\``,
      managed === undefined
        ? `${hooks} that run ${name(programOf(here).command)}: ${change.events.join(", ")}`
        : `${name(managed.path)} has memo's ${hooks}`,
      ...mcp ? [TOOLS] : [],
      mcp && managed === undefined &&
      `Added to \`permissions.allow\`: ${PERMISSIONS.join(", ")}`,
      ...notes,
    ].filter((each) => typeof each === "string"),
    question: "Add memo to Claude Code?",
    choices: [
      { value: "yes", label: "Yes, hooks and tools" },
      { value: "only", label: "Hooks only" },
      { value: "no", label: "No" },
    ],
    ...{ initial, current: "no", apply },
  };
}

/** Starts the daemon, builds the index, and runs the checks of `memo doctor`. */
async function planCheck(context: CliContext): Promise<StepPlan> {
  const found = await findImportable({ ...context.place, env: context.env });
  const sources = [...new Set(found.map(({ source }) => source))].join(", ");
  const apply = async () => {
    const warnings = await warmUp(context);
    const findings = await examine(context, { local: true });
    const wrong = findings.filter(({ status }) => status !== "ok");
    const passed = wrong.length === 0
      ? `All ${findings.length}`
      : `${findings.length - wrong.length} of ${findings.length}`;
    const told = wrong.map(({ name, detail, fix }) => `${name}: ${detail}${fix ? `. ${fix}` : ""}`);
    return {
      did: [`${passed} checks passed (language model not tested)`],
      ...wrong.some(({ status }) => status === "fail") && { failed: true as const },
      warnings: [...warnings, ...told],
    };
  };
  const later = `Available to import: ${sources} (\`memo import\` lists them)`;
  return {
    shows: [
      "Starts the daemon, indexes your memories and runs `memo doctor`'s checks",
      ...sources === "" ? [] : [later],
    ],
    ...{ choices: [{ value: "yes", label: "Check" }], initial: "yes", apply },
  };
}

const NEEDED = "set `ANTHROPIC_API_KEY` or log in to `claude`";

/** Chooses whether anything may be sent to a language model, and to which one. */
function planCapture(context: CliContext): StepPlan {
  const { env, paths } = context, config = configHere(context);
  const consent = answerIn(config);
  const isYes = consent !== "unasked" && consent !== OFF;
  // What is set now, as the answer that would set it; undefined where nobody has answered.
  const current = isYes ? config["llm.provider"] : consent === OFF ? "off" : undefined;
  const fixed = whoDecides(config, "capture.enabled", "llm.provider", "send");
  if (fixed !== undefined) return settled(`${fixed}: ${current ?? "not answered"}`);
  const usable = OFFERED.filter(({ available }) => available({ ...context, config }) === undefined);
  const first = chooseProvider({ ...context, config: { ...config, "llm.provider": "auto" } }).name;
  const choices = [
    { value: "off", label: "Off", hint: "nothing is sent" },
    {
      value: "auto",
      ...usable.length === 0
        ? { label: "On, as soon as one is available", hint: NEEDED }
        : { label: `On, with the first available (here \`${first}\`)` },
    },
    ...usable.map(({ name }) => ({ value: name, label: `On, with \`${name}\` only` })),
  ];
  const apply = (answer: string) => {
    const isOn = answer !== "off", hosts = config["llm.hosts"];
    if (isOn) refuseModel(env, "let a language model read conversations", "memo init");
    const { host } = unknownServer(env, hosts) ?? {};
    // What is said yes to is written, and a yes to more stays: whatever comes later waits for its own yes.
    writeInitSettings(paths, {
      ...!(isYes && isOn) && { send: isOn ? FIRST : OFF },
      "capture.enabled": undefined,
      ...isOn && { "llm.provider": answer === "auto" ? undefined : answer },
      ...isOn && host !== undefined && { "llm.hosts": withHost(hosts, host) },
    });
    const to = answer === "auto" ? "a language model" : `\`${answer}\``;
    const what = isOn
      ? `On: conversations go to ${to}`
      : "Off: nothing is sent to a language model";
    return { did: [`${what}; saved in \`${tilde(paths.config, env)}\``] };
  };
  return {
    shows: [
      `memo can let a language model (${formatReader(config, context)}) read your conversations ` +
      "and related memories, and write new ones.",
      `Secrets memo recognises are removed first; at most ${config["llm.daily_calls"]} calls and ` +
      `$${config["llm.daily_usd"]} a day. Off: memo sends nothing. ` +
      "Details: `memo help privacy`.",
    ],
    question: "May a language model read your conversations?",
    ...{ choices, initial: current, current, apply },
  };
}

/** What decides a setting in place of the person's own settings, such as a variable, in words. */
function whoDecides(config: Config, ...keys: string[]): string | undefined {
  const source = keys.map((key) => sourceOf(config, key))
    .find((source) => source !== undefined && source.from !== "settings");
  return source && `Set by \`${describeSource(source)}\``;
}

/** The model that reads conversations after a yes, and its login. */
function formatReader(config: Config, context: CliContext): string {
  const { "llm.base_url": address } = config;
  const { name } = chooseProvider({ ...context, config });
  const key = address === "" ? "with your API key" : `at \`${address}\``;
  const logins: Record<string, string> = { claude: "through your `claude` login", anthropic: key };
  const { host } = unknownServer(context.env, config["llm.hosts"]) ?? {};
  const model = `\`${config["extract.model"] || config["llm.model"]}\``;
  const login = logins[name] ?? `once you ${NEEDED}`;
  return [model, login, ...host ? [`at \`${host}\``] : []].join(", ");
}

/** Chooses how recall picks memories, and what that costs. */
function planRecall(context: CliContext, wanted?: string): StepPlan {
  const { env, paths } = context, config = configHere(context);
  const current = config["recall.preset"], fixed = whoDecides(config, "recall.preset");
  if (fixed !== undefined) return settled(`${fixed}: \`${current}\``);
  const consent = answerIn(config), isOff = consent === OFF || consent === "unasked";
  if (isOff && (current === "local" || wanted === undefined)) {
    return { ...settled(), initial: current };
  }
  const unavailable = whyUnavailable({ ...context, config }, isOff ? "recall" : undefined);
  const usable = PRESETS.filter(({ name, strategy }) =>
    unavailable === undefined || strategy === undefined || name === current
  );
  const apply = async (name: string) => {
    const { strategy } = usable.find((preset) => preset.name === name)!;
    const send = strategy && withPurposes(["recall"], config);
    writeInitSettings(paths, {
      ...send !== undefined && { send },
      "recall.preset": name === PRESETS[0].name ? undefined : name,
    });
    await followSettings(context);
    return { did: [`Recall uses \`${name}\`; saved in \`${tilde(paths.config, env)}\``] };
  };
  const costs = PRESETS.map(({ name, summary }) =>
    [`${name}: ${summary}`, formatPresetCost(name, config["llm.model"])].filter(Boolean).join(", ")
  );
  const missing = `Only \`local\` can be used now: ${unavailable}`;
  return {
    shows: [
      "Presets other than `local` send each prompt, the turns before it and memory titles to the model:",
      ...costs,
      ...usable.length < PRESETS.length ? [missing] : [],
    ],
    question: "How should recall pick memories?",
    choices: usable.length === 1 ? [] : usable.map(({ name, strategy }) => ({
      ...{ value: name, label: name, hint: strategy ? "sends prompts" : "default" },
    })),
    ...{ initial: current, current, apply },
  };
}
