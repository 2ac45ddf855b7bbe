import type { CliContext } from "../shared/command.ts";

/** One step of `memo init`. */
export interface Step {
  /** Its option: `--hooks no`. */
  readonly name: string;
  readonly title: string;
  /** What the option is about, for `--help`. */
  readonly summary: string;
  /** The answers that it can take; which of them are offered depends on the machine. None: it asks nothing. */
  readonly answers: readonly string[];
  /** Whether its "no" is remembered, so that it is taken even where the command line declines. */
  readonly notesNo?: true;
  /** Looks at what is there; changes nothing. `planned` are the steps before it that a dry run would have done. */
  readonly plan: (context: CliContext, planned: ReadonlySet<string>) => Plan | Promise<Plan>;
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

/** A plan with nothing to do. */
export function settled(...shows: string[]): Plan {
  return { shows, choices: [] };
}

/** Yes, which applies, or no, which changes nothing, or only notes the answer; Enter is yes. */
export function yesOrNo(
  question: string,
  shows: readonly string[],
  apply:
    | NonNullable<Choice["apply"]>
    | Readonly<Record<"yes" | "no", NonNullable<Choice["apply"]>>>,
): Plan {
  const { yes, no } = typeof apply === "function" ? { yes: apply } : apply;
  const choices = [
    { answer: "yes", label: "Yes", apply: yes },
    { answer: "no", label: "No", ...no && { apply: no } },
  ];
  return { shows, question, choices, initial: "yes" };
}

/** The answers of `yesOrNo`. */
export const YES_OR_NO = ["yes", "no"] as const;
