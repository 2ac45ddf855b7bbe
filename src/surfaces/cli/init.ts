import { type Command, Option } from "commander";
import { refuseSmallDisk } from "../../core/native/mod.ts";
import { MemoError } from "../../errors.ts";
import { agentOption, type InstallFlags, installNow, scopeOption } from "./init/install.ts";
import { FORMS, printInstall } from "./init/print.ts";
import { visible } from "../../core/text/neutralise.ts";
import { type InitStep, type InitStepResult, type StepPlan, STEPS } from "./init/steps.ts";
import type { CliContext } from "./shared/command.ts";
import { fetchFromEnvironment } from "./shared/warm_up.ts";
import { INTERRUPTED } from "./shared/confirm.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

interface InitFlags extends Omit<InstallFlags, "mcp"> {
  readonly yes?: boolean;
  readonly mcp?: string | boolean;
  readonly print?: typeof FORMS[number];
  /** Answers by step. */
  readonly [step: string]: string | boolean | undefined;
}

const PRINT = "Print the settings it would write, and change nothing";

/** The heading of the options that ask nothing. */
const ALONE = "Only hooks and tools, without questions:";

/**
 * `memo init`: sets memo up step by step. Where it cannot ask, and where it is told what to install, it adds hooks and
 * tools alone.
 */
export function define(command: Command, context: CliContext): void {
  command
    .option("-y, --yes", "Ask nothing: keep settings, use defaults for the rest")
    .option("--dry-run", "Show every step without changing anything")
    .option("--json", "Print JSON");
  for (const { name, summary, answers } of STEPS) {
    command.addOption(new Option(`--${name} <answer>`, summary).choices([...answers]));
  }
  const plugin = new Option("--plugin", "Install as a plugin, with a skill and commands");
  command
    .addOption(
      new Option("--mcp [answer]", "Whether to add the tools with the hooks").choices([
        "yes",
        "no",
      ]),
    )
    .option("--no-mcp", "Same as `--hooks only`")
    .addOption(scopeOption().helpGroup(ALONE))
    .addOption(agentOption().helpGroup(ALONE))
    .addOption(plugin.helpGroup(ALONE))
    .addOption(new Option("--print [form]", PRINT).choices([...FORMS]).preset("settings"))
    .action(async ({ mcp: answer, print, ...flags }: InitFlags) => {
      const mcp = answer === undefined ? undefined : answer === true || answer === "yes";
      if (print !== undefined) {
        const isOnly = flags["hooks"] === "only" ? false : undefined;
        return await printInstall(print, { ...flags, mcp: mcp ?? isOnly }, context);
      }
      const isTold = command.getOptionValueSource("scope") === "cli" || flags.plugin === true ||
        flags.agent !== undefined;
      const isAnswered = STEPS.some(({ name }) => flags[name] !== undefined);
      const hasPerson = process.stdin.isTTY && process.stdout.isTTY;
      const isWalk = flags.yes || flags.dryRun || isAnswered || (hasPerson && !flags.json);
      if (isTold || !isWalk) return await installNow({ ...flags, mcp }, context);
      // A yes to the hooks leaves open whether the tools are wanted, too.
      const tools = mcp === undefined ? undefined : mcp ? "yes" : "only";
      const hooks = flags["hooks"] === "yes" ? tools : flags["hooks"] ?? tools;
      await init({ ...flags, hooks }, { context, hasPerson });
    });
}

async function init(
  { yes, dryRun = false, json: isSilent = false, ...flags }: InitFlags,
  { context, hasPerson }: { readonly context: CliContext; readonly hasPerson: boolean },
): Promise<void> {
  const isAsking = !yes && !dryRun;
  if (isAsking && (isSilent || !hasPerson)) {
    const why = isSilent ? " with `--json`" : ": this is not a terminal";
    throw new MemoError("usage", `Cannot ask questions${why}`, {
      hint: "Run `memo init --yes` to use the defaults, `memo init --dry-run` to see them",
    });
  }
  if (!dryRun) refuseSmallDisk(context.paths); // before anything is changed
  const results = await walk(context, { given: flags as InitFlags, dryRun, isAsking, isSilent });
  const isFailed = results?.some(({ failed }) => failed) === true;
  process.exitCode = results === undefined ? INTERRUPTED : isFailed ? 1 : 0;
  if (results !== undefined && !dryRun) await fetchFromEnvironment(context);
  if (isSilent) outJson(results);
  else if (results !== undefined) {
    const [title, ...next] = dryRun ? ["Nothing was changed"] : isFailed ? FAILED : DONE;
    out(`\n${title}\n${indented(next)}`);
  }
  if (isAsking) process.exit(); // now and then a terminal that was read from keeps the process
}

const FAILED = [
  "memo does not work yet: a check failed. Undo: `memo uninstall --purge`",
  "Fix the problems above, then check again: `memo doctor`",
];

const DONE = [
  "memo is set up. Undo: `memo uninstall --purge`",
  'Try it: `memo add "Use pnpm, never npm, to install packages"`',
  'Then start `claude` and ask "how do I install the dependencies?"',
  "See what the prompt got: `memo recall --log`",
];

/** The result of a step, as `--json` prints it. */
interface StepResult
  extends Omit<InitStepResult, "executable">, Pick<StepPlan, "shows">, Pick<InitStep, "title"> {
  readonly step: string;
  readonly answer?: string;
  readonly state: "changed" | "unchanged" | "planned";
}

/** Takes the steps in order; undefined if the person has stopped, who is told what is done. */
async function walk(
  context: CliContext,
  { given, dryRun, isAsking, isSilent }: {
    /** Answers from the command line, by step. */
    readonly given: InitFlags;
    readonly dryRun: boolean;
    /** Whether there is a person to ask; the answers are those of `--yes` otherwise. */
    readonly isAsking: boolean;
    /** Prints nothing, because the results are printed as JSON. */
    readonly isSilent: boolean;
  },
): Promise<StepResult[] | undefined> {
  const results: StepResult[] = [];
  let here = context;
  const leave = () => say(formatStop(results, given));
  const stop = () => process.exit(INTERRUPTED);
  process.on("exit", leave).on("SIGINT", stop);
  for (const { name: step, title, answers, plan: planStep } of STEPS) {
    const wanted = given[step] as string | undefined;
    if (wanted === "no" && answers.includes("no")) continue;
    const plan = await planStep(here, wanted), { shows, choices, initial } = plan;
    if (shows.length > 0 && !isSilent) out(`${paint("bold", title)}\n${indented(shows)}`);
    const isAsked = isAsking && wanted === undefined && choices.length > 1;
    const answer = isAsked ? await ask(plan) : wanted ?? initial;
    if (isAsked && answer === undefined) return undefined;
    const isSettled = answer === undefined ||
      choices.length === 0 && (initial === undefined || answer === initial);
    const isChange = !isSettled && answer !== plan.current;
    const applied = isChange && !dryRun ? await applyPlan(plan, answer) : {};
    const { did = [], warnings = [], failed, executable = here.executable } = applied;
    if (!isSilent) {
      out(indented(did, paint("green", "✓ ")) + indented(warnings, paint("yellow", "! ")));
    }
    if (executable !== undefined) here = { ...here, executable };
    const state = dryRun && isChange ? "planned" : did.length > 0 ? "changed" : "unchanged";
    results.push({
      ...{ step, title, shows, ...!isSettled && { answer }, state, did, warnings },
      ...failed && { failed },
    });
  }
  process.off("exit", leave).off("SIGINT", stop);
  return results;
}

/** Does what an answer asks for, unless it is not offered here, such as a language model that is not there. */
function applyPlan(
  { choices, apply }: StepPlan,
  answer: string,
): InitStepResult | Promise<InitStepResult> {
  const isOffered = choices.some(({ value }) => value === answer);
  return isOffered && apply !== undefined
    ? apply(answer)
    : { warnings: [`\`${answer}\` is not available here; nothing was changed`] };
}

/** Lines below a title. */
function indented(lines: readonly string[], mark = ""): string {
  return columns(lines.map((line) => ["", mark + visible(line)]));
}

/** Asks at the terminal; undefined: Ctrl-C. */
async function ask({ question = "", choices, initial }: StepPlan): Promise<string | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const options = choices.map((choice) => ({ hint: "", ...choice }));
  const initialValue = initial ?? options[0]!.value;
  const answer = await select({ message: question, options, initialValue });
  return isCancel(answer) ? undefined : answer;
}

/** Which steps are finished, and which are not. */
function formatStop(results: readonly StepResult[], given: InitFlags): string {
  const changed = results.filter(({ state }) => state === "changed").map(({ step }) => step);
  if (changed.length === 0) return "Stopped. Nothing was changed";
  const left = STEPS.map(({ name }) => name)
    .filter((name) => given[name] !== "no" && !results.some(({ step }) => step === name));
  return `Stopped. Finished: ${changed.join(", ")}. Not done: ${left.join(", ")}. ` +
    "Continue: `memo init`. Undo: `memo uninstall --purge`";
}
