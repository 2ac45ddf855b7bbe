import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** How many tests of each file have passed, by its path. */
export type Passed = Readonly<Record<string, number>>;

const STAMP = fileURLToPath(
  new URL("../../node_modules/.cache/tests_passed.json", import.meta.url),
);

/** The test files that have passed on certain inputs. */
interface Stamp {
  readonly inputs: string;
  readonly passed: Passed;
}

/** The test files that have passed on these inputs; none where there is nothing to tell inputs by. */
export function readPassed(inputs: string | undefined, path = STAMP): Passed {
  if (inputs === undefined || !existsSync(path)) return {};
  const stamp: Stamp = JSON.parse(readFileSync(path, "utf8"));
  return stamp.inputs === inputs ? stamp.passed : {};
}

/** Notes which test files have passed on these inputs, and forgets what passed on others. */
export function writePassed(inputs: string, passed: Passed, path = STAMP): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ inputs, passed } satisfies Stamp));
}
