import wrapAnsi from "wrap-ansi";
import { visible } from "../../../core/text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { INTERRUPTED } from "../shared/interrupted.ts";
import { columns, out, paint, say } from "../shared/output.ts";

/** One step of `memo init`. */
export interface Step {
  /** Its option: `--hooks no`. */
  readonly name: string;
  readonly title: string;
  /** What the option is about, for `--help`. */
  readonly summary: string;
  /** The answers that it can take; which of them are offered depends on the machine. */
  readonly answers: readonly string[];
  /** Whether its "no" is remembered, so that it is taken even where the command line declines. */
  readonly remembersNo?: true;
  /** Looks at what is there; changes nothing. `planned` are the steps before it that a dry run would have done. */
  readonly plan: (context: CliContext, planned: readonly string[]) => Plan | Promise<Plan>;
}

/** What a step found, and what it can do about it. */
export interface Plan {
  /** What is there, and what a change would be: shown before the question. */
  readonly shows: readonly string[];
  /** None: there is nothing to do. One: nothing to ask. */
  readonly choices: readonly Choice[];
  readonly question?: string;
  /** The answer of `--yes`, and of Enter: what is set now, else the default. */
  readonly initial?: string;
  /** Only a person answers it: `--yes` leaves it open. */
  readonly needsPerson?: boolean;
}

/** A plan with nothing to do. */
export function settled(...shows: string[]): Plan {
  return { shows, choices: [] };
}

/** An answer, and what it does. */
export interface Choice {
  readonly answer: string;
  readonly label: string;
  readonly hint?: string;
  /** Changes what the plan has shown; undefined: nothing to change. */
  readonly apply?: () => Applied | Promise<Applied>;
  /** It takes seconds, and may be interrupted at any time. */
  readonly isLong?: true;
}

/** What a step did, in lines. */
export interface Applied {
  readonly did: readonly string[];
  readonly warnings?: readonly string[];
  /** Whether memo does not work. */
  readonly failed?: true;
  /** The memo that later steps are to name, if it is another one than this. */
  readonly executable?: string;
}

/** The result of a step, as `--json` prints it. */
export interface StepResult {
  readonly step: string;
  readonly title: string;
  readonly shows: readonly string[];
  readonly answer?: string;
  readonly state: "changed" | "unchanged" | "planned";
  readonly did: readonly string[];
  readonly warnings: readonly string[];
  readonly failed?: true;
}

/** How `memo init` shows what happens, and asks. */
export interface Screen {
  readonly show: (title: string, lines: readonly string[]) => void;
  readonly showDone: (applied: Applied) => void;
  /** Ends with a title, and what to do next. */
  readonly close: (title: string, next: readonly string[]) => void;
  /** Asks a person; undefined: Ctrl-C. Without it the answers are those of `--yes`. */
  readonly ask?: (plan: Plan) => Promise<string | undefined>;
}

/** Prints what happens, in plain lines. */
export const PLAIN: Screen = {
  show(title, lines) {
    out(`${paint("bold", title)}\n${indented(lines)}`);
  },
  showDone({ did, warnings = [] }) {
    out(indented(did, paint("green", "✓ ")) + indented(warnings, paint("yellow", "! ")));
  },
  close: (title, next) => out(`\n${title}\n${indented(next)}`),
};

/** Prints nothing: the results are printed as JSON. */
export const SILENT: Screen = { show() {}, showDone() {}, close() {} };

function indented(lines: readonly string[], mark = ""): string {
  return columns(lines.map((line) => ["", mark + visible(line)]));
}

/** Columns that the guide at the left edge takes. */
const GUIDE = 3;

/** Asks in a terminal. */
export async function terminalScreen(): Promise<Screen> {
  const { intro, isCancel, log, outro, select } = await import("@clack/prompts");
  const fit = (lines: readonly string[]) =>
    lines.map((line) => wrapAnsi(visible(line), process.stdout.columns - GUIDE)).join("\n");
  intro(`${paint("bold", "memo")}: persistent memory for Claude Code and other agents`);
  return {
    show(title, lines) {
      log.step(paint("bold", title));
      log.message(fit(lines), { spacing: 0 });
    },
    showDone({ did, warnings = [] }) {
      if (did.length > 0) log.success(fit(did));
      if (warnings.length > 0) log.warn(fit(warnings));
    },
    close(title, next) {
      if (next.length > 0) log.message(fit(next));
      outro(title);
    },
    async ask({ question = "", choices, initial }) {
      const options = choices.map(({ answer, label, hint = "" }) => ({
        value: answer,
        label,
        hint,
      }));
      const answer = await select({ message: question, options, initialValue: initial ?? "" });
      return isCancel(answer) ? undefined : answer;
    },
  };
}

interface RunOptions {
  readonly screen: Screen;
  /** Answers from the command line, by step. */
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly dryRun: boolean;
}

/**
 * Takes the steps in order; undefined if the person has stopped. Ctrl-C waits for the end of a change, and whoever
 * leaves before the end is told what is done.
 */
export async function runSteps(
  steps: readonly Step[],
  context: CliContext,
  { screen, given, dryRun }: RunOptions,
): Promise<StepResult[] | undefined> {
  const results: StepResult[] = [];
  let here = context, isChanging = false, isInterrupted = false;
  const stop = () => {
    if (isChanging) isInterrupted = true;
    else process.exit(INTERRUPTED);
  };
  const report = () => say(howFar(steps, results));
  process.on("SIGINT", stop).on("exit", report);
  try {
    for (const step of steps) {
      const { name, title, answers } = step, wanted = given[name];
      if (wanted === "no" && answers.includes("no") && !step.remembersNo) continue;
      const planned = results.filter(({ state }) => state === "planned").map(({ step }) => step);
      const plan = await step.plan(here, planned);
      if (plan.shows.length > 0) screen.show(title, plan.shows);
      const choice = await choose(plan, wanted, { screen, dryRun });
      if (choice === "stopped") {
        report();
        return undefined;
      }
      let applied: Applied = { did: [] };
      if (choice?.apply !== undefined && !dryRun) {
        isChanging = !choice.isLong;
        applied = await choice.apply();
        isChanging = false;
        if (isInterrupted) process.exit(INTERRUPTED);
        screen.showDone(applied);
      }
      const { did, warnings = [], failed, executable } = applied;
      if (executable !== undefined) here = { ...here, executable };
      const isPlanned = dryRun && choice?.apply !== undefined;
      results.push({
        step: name,
        title,
        shows: plan.shows,
        ...choice !== undefined && { answer: choice.answer },
        state: isPlanned ? "planned" : did.length > 0 ? "changed" : "unchanged",
        did,
        warnings,
        ...failed && { failed },
      });
    }
    return results;
  } catch (error) {
    report();
    throw error;
  } finally {
    process.off("SIGINT", stop).off("exit", report);
  }
}

async function choose(
  plan: Plan,
  wanted: string | undefined,
  { screen: { ask }, dryRun }: Pick<RunOptions, "screen" | "dryRun">,
): Promise<Choice | undefined | "stopped"> {
  const { choices, initial, needsPerson } = plan;
  if (choices.length === 0 && (initial === undefined || (wanted ?? initial) === initial)) return;
  const isAsked = ask !== undefined && !dryRun && wanted === undefined;
  if (needsPerson && wanted === undefined && !isAsked) return undefined;
  const answer = isAsked && choices.length > 1 ? await ask(plan) : wanted ?? initial;
  if (answer === undefined) return "stopped";
  return choices.find((choice) => choice.answer === answer) ?? {
    answer,
    label: answer,
    // Such as a language model that is not there.
    apply: () => ({
      did: [],
      warnings: [`\`${answer}\` is not available here; nothing was changed`],
    }),
  };
}

/** How far it came: no step is left half done. */
function howFar(steps: readonly Step[], results: readonly StepResult[]): string {
  const changed = results.filter(({ state }) => state === "changed").map(({ step }) => step);
  if (changed.length === 0) return "Stopped. Nothing was changed";
  const left = steps.map(({ name }) => name)
    .filter((name) => !results.some(({ step }) => step === name));
  return `Stopped. Done, and whole: ${changed.join(", ")}. ` +
    `Not done: ${left.join(", ") || "nothing"}. ` +
    "Continue with `memo init`, undo with `memo uninstall --purge`";
}
