import { createInterface } from "node:readline/promises";

/** Asks the person at the terminal a question whose default answer is no. */
export async function confirm(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } catch {
    return false; // Ctrl-C, or stdin was closed
  } finally {
    prompt.close();
  }
}
