import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What takes a test long, and how many of the first one a use of it is worth. */
const COSTS = [
  { uses: /\b(runMemo|spawn)\(/g, worth: 1 },
  { uses: /\bwarmUp\(/g, worth: 5 },
  {
    uses: /\b(runClaude|openTerminal|runInTerminal|startBrowser|makeAccount|olderMemo)\(/g,
    worth: 10,
  },
] as const;

/**
 * Every test file below a folder, those first that use most of what takes long: one that is begun last keeps one
 * processor at work while the others wait.
 */
export function longestFirst(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("_test.ts")).sort()
    .map((name) => join(folder, name))
    .map((path) => ({ path, cost: costOf(readFileSync(path, "utf8")) }));
  return files.sort((a, b) => b.cost - a.cost).map(({ path }) => path);
}

function costOf(text: string): number {
  return COSTS.reduce((sum, { uses, worth }) => sum + worth * [...text.matchAll(uses)].length, 0);
}
