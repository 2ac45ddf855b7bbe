import { createInterface } from "node:readline/promises";
import type { Flags } from "./options.ts";
import { inWidth, say } from "./output.ts";

/** Whether a person can be asked. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** How a command is told whether to do what costs money. */
export type CostlyFlags = Flags<"yes" | "dryRun" | "json">;

/** Whether a costly thing may be done: by `--yes`, or by the answer to a question, which nobody is asked without a terminal. */
export async function mayDo(
  { yes, dryRun, json }: CostlyFlags,
  { question, hint, note }: {
    readonly question: string;
    /** What to run where nobody can be asked. */
    readonly hint: string;
    /** Said before the question. */
    readonly note?: string;
  },
): Promise<boolean> {
  if (dryRun) return false;
  if (yes) return true;
  if (json || !process.stdin.isTTY) {
    if (!json) say(`hint: ${hint}`);
    return false;
  }
  if (note !== undefined) say(note);
  return await confirm(question);
}

/** Asks the person at the terminal a question whose default answer is no, or yes. */
export async function confirm(
  question: string,
  { usually = false }: { readonly usually?: boolean } = {},
): Promise<boolean> {
  const answer = await choose(question, usually ? "[Y/n]" : "[y/N]");
  return answer === "" ? usually : /^y(es)?$/i.test(answer);
}

/** Asks the person at the terminal a question; throws `Interrupted` for Ctrl-C, and where stdin is closed. */
export async function choose(question: string, choices: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(`${inWidth(`${question} ${choices}`)} `)).trim();
  } catch {
    say(""); // the terminal's cursor is still behind the question
    throw new Interrupted();
  } finally {
    prompt.close();
  }
}

/** The exit code of a process that Ctrl-C has ended. */
export const INTERRUPTED = 130;

/** The signals that end a command. */
export const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A person has answered a question with Ctrl-C: the command ends with `INTERRUPTED`, and does nothing more. */
export class Interrupted extends Error {}
