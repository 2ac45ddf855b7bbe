import type { CliContext } from "../shared/command.ts";
import type { Dialogue } from "./dialogue.ts";
import type { Interrupts } from "./interrupt.ts";
import type { Applied, Choice, Plan, Step } from "./step.ts";

/** What became of a step. */
export interface StepResult {
  readonly step: string;
  readonly state: "changed" | "unchanged" | "planned";
  readonly answer?: string;
  readonly shows: readonly string[];
  readonly did: readonly string[];
  readonly warnings: readonly string[];
  /** Whether memo does not work. */
  readonly failed?: true;
}

/** The options of a walk. */
export interface WalkOptions {
  readonly dialogue: Dialogue;
  readonly interrupts: Interrupts;
  /** Answers from the command line, by step. */
  readonly given: Readonly<Record<string, string>>;
  readonly dryRun: boolean;
}

/** Goes through steps, one after the other; gives each result as soon as there is one, and ends where the user stops. */
export async function* walk(
  steps: readonly Step[],
  context: CliContext,
  options: WalkOptions,
): AsyncGenerator<StepResult, "done" | "stopped"> {
  let here = context;
  const planned = new Set<string>();
  for (const step of steps) {
    if (isDeclined(step, options)) continue;
    const plan = await step.plan(here, planned);
    if (plan.shows.length > 0) options.dialogue.show(step, plan);
    const choice = await choose(step, plan, options);
    if (choice === "stopped") return "stopped";
    const { executable, ...result } = await take(step, { plan, choice }, options);
    if (executable !== undefined) here = { ...here, executable };
    if (result.state === "planned") planned.add(step.name);
    yield result;
  }
  return "done";
}

/** A step that is declined on the command line is not even looked at. */
function isDeclined({ name, answers, notesNo }: Step, { given }: WalkOptions): boolean {
  return given[name] === "no" && answers.includes("no") && !notesNo;
}

async function choose(
  step: Step,
  plan: Plan,
  { dialogue, given, dryRun }: WalkOptions,
): Promise<Choice | undefined | "stopped"> {
  const wanted = given[step.name];
  const isSettled = wanted === undefined || plan.initial === undefined || wanted === plan.initial;
  if (plan.choices.length === 0 && isSettled) return undefined;
  const isOpen = wanted === undefined && plan.needsPerson && (dryRun || dialogue.isSilent);
  if (isOpen) return undefined;
  const answer = wanted ?? (dryRun ? plan.initial : await dialogue.choose(step, plan));
  if (answer === undefined) return "stopped";
  const choice = plan.choices.find((choice) => choice.answer === answer);
  // An answer that cannot be had here, such as a language model that is not there.
  return choice ?? { answer, label: answer, apply: () => unavailable(answer) };
}

function unavailable(answer: string) {
  return { did: [], warnings: [`\`${answer}\` is not available here; nothing was changed`] };
}

async function take(
  { name, title }: Step,
  { plan, choice }: { readonly plan: Plan; readonly choice: Choice | undefined },
  { dialogue, interrupts, dryRun }: WalkOptions,
): Promise<StepResult & Pick<Applied, "executable">> {
  const { apply, answer } = choice ?? {};
  const result = { step: name, title, shows: plan.shows, ...answer !== undefined && { answer } };
  if (apply === undefined || dryRun) {
    const state = apply === undefined ? "unchanged" : "planned";
    return { ...result, state, did: [], warnings: [] };
  }
  const applied = await (choice?.isLong ? apply() : interrupts.whole(apply));
  dialogue.did(applied);
  const { did, warnings = [], executable, failed } = applied;
  const state = did.length > 0 ? "changed" : "unchanged";
  return {
    ...{ ...result, state, did, warnings },
    ...executable !== undefined && { executable },
    ...failed && { failed },
  };
}
