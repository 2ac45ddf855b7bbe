import { createInterface } from "node:readline/promises";
import { inWidth, say } from "./output.ts";

/** Whether a person can be asked. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** How a command is told whether to do what costs money. */
export interface CostlyFlags {
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

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
  return answer === "" ? usually : answer !== undefined && /^y(es)?$/i.test(answer);
}

/** Asks the person at the terminal a question; undefined: they gave none of its answers, but Ctrl-C. */
export async function choose(question: string, choices: string): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(`${inWidth(`${question} ${choices}`)} `)).trim();
  } catch {
    return undefined; // Ctrl-C, or stdin was closed
  } finally {
    prompt.close();
  }
}
