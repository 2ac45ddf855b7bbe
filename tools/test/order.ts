import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Seconds that each file took by itself, in the last run that was recorded. */
export type Durations = Readonly<Record<string, number>>;

const RECORD = fileURLToPath(new URL("durations.json", import.meta.url));

/** The durations of the last run that was recorded. */
export function readDurations(): Durations {
  return JSON.parse(readFileSync(RECORD, "utf8"));
}

/** Records the durations of a run, as `deno fmt` would write them. */
export function recordDurations(durations: Durations): void {
  const rounded = Object.keys(durations).sort().map((path) => [path, Math.ceil(durations[path]!)]);
  writeFileSync(RECORD, JSON.stringify(Object.fromEntries(rounded), null, 2) + "\n");
}

/** Every test file of a project, by its path from the root. */
export function testFiles(root: string): string[] {
  return readdirSync(`${root}/test`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("_test.ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`).sort();
}

/**
 * Files in the order in which they are best begun: a long one that is begun last keeps one processor at work while the
 * others wait. One that has not been recorded may be long.
 */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const secondsOf = (path: string) => durations[path] ?? Infinity;
  return files.toSorted((a, b) => secondsOf(b) === secondsOf(a) ? 0 : secondsOf(b) - secondsOf(a));
}
