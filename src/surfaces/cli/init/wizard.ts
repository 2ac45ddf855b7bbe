import { visible } from "../../../core/text/neutralise.ts";
import type { CliContext } from "../shared/command.ts";
import { INTERRUPTED } from "../shared/confirm.ts";
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
  /** Looks at what is there, and changes nothing. */
  readonly plan: (context: CliContext, wanted: string | undefined) => Plan | Promise<Plan>;
}

/** What a step found, and what it can do about it. */
export interface Plan {
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
  readonly apply?: (answer: string) => Applied | Promise<Applied>;
}

/** A plan with nothing to do. */
export function settled(...shows: string[]): Plan {
  return { shows, choices: [] };
}

/** What a step did, in lines. */
interface Applied {
  readonly did?: readonly string[];
  readonly warnings?: readonly string[];
  /** Whether memo does not work. */
  readonly failed?: true;
  /** The memo that later steps are to name, if it is another one than this. */
  readonly executable?: string;
}

/** The result of a step, as `--json` prints it. */
interface StepResult extends Required<Pick<Applied, "did" | "warnings">> {
  readonly step: string;
  readonly title: string;
  readonly shows: readonly string[];
  readonly answer?: string;
  readonly state: "changed" | "unchanged" | "planned";
  readonly failed?: true;
}

/** Takes the steps in order; undefined if the person has stopped, who is told what is done. */
export async function walk(
  steps: readonly Step[],
  context: CliContext,
  { given, dryRun, isAsking, isSilent }: {
    /** Answers from the command line, by step. */
    readonly given: Readonly<Record<string, string | undefined>>;
    readonly dryRun: boolean;
    /** Whether there is a person to ask; the answers are those of `--yes` otherwise. */
    readonly isAsking: boolean;
    /** Prints nothing, because the results are printed as JSON. */
    readonly isSilent: boolean;
  },
): Promise<StepResult[] | undefined> {
  const results: StepResult[] = [];
  let here = context;
  const leave = () => say(howFar(results));
  const stop = () => process.exit(INTERRUPTED);
  process.on("exit", leave).on("SIGINT", stop);
  for (const { name: step, title, answers, plan: planStep } of steps) {
    const wanted = given[step];
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
function applyPlan({ choices, apply }: Plan, answer: string): Applied | Promise<Applied> {
  const isOffered = choices.some(({ value }) => value === answer);
  return isOffered && apply !== undefined
    ? apply(answer)
    : { warnings: [`\`${answer}\` is not available here; nothing was changed`] };
}

/** Lines below a title. */
export function indented(lines: readonly string[], mark = ""): string {
  return columns(lines.map((line) => ["", mark + visible(line)]));
}

/** Asks at the terminal; undefined: Ctrl-C. */
async function ask({ question = "", choices, initial }: Plan): Promise<string | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const options = choices.map((choice) => ({ hint: "", ...choice }));
  const initialValue = initial ?? options[0]!.value;
  const answer = await select({ message: question, options, initialValue });
  return isCancel(answer) ? undefined : answer;
}

/** How far it came. */
function howFar(results: readonly StepResult[]): string {
  const changed = results.filter(({ state }) => state === "changed").map(({ step }) => step);
  return changed.length === 0
    ? "Stopped. Nothing was changed"
    : `Stopped. Done: ${
      changed.join(", ")
    }. Continue with \`memo init\`, undo with \`memo uninstall --purge\``;
}
