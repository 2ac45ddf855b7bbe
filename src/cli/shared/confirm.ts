import { createInterface } from "node:readline/promises";
import { inWidth } from "./output.ts";

/** Whether a person can be asked. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks the person at the terminal a question whose default answer is no, or yes. */
export async function confirm(
  question: string,
  { usually = false }: { readonly usually?: boolean } = {},
): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const choice = usually ? "[Y/n]" : "[y/N]";
    const answer = (await prompt.question(`${inWidth(`${question} ${choice}`)} `)).trim();
    return answer === "" ? usually : /^y(es)?$/i.test(answer);
  } catch {
    return false; // Ctrl-C, or stdin was closed
  } finally {
    prompt.close();
  }
}
