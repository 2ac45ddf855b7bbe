// Runs every test and ends with one plain line, `N passed, N failed`. The whole suite is run several files at a time:
// each has homes of its own, and most of its time it waits for other processes.
//
//   deno run -A tools/test.ts [path ...] [--filter text]
//   deno run -A tools/test.ts --reuse     not again what has passed on these very files
//   deno run -A tools/test.ts --record    the whole suite, and record how long each file takes

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOfInputs } from "./test/inputs.ts";
import { longestFirst, readDurations, recordDurations, testFiles } from "./test/order.ts";
import { failuresIn, type Outcome, runFiles, runTests } from "./test/run_files.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STAMP = fileURLToPath(new URL("../node_modules/.cache/tests_passed.json", import.meta.url));

/** A whole run in which every test passed, and what it ran on. */
interface Stamp {
  readonly inputs: string;
  readonly passed: number;
  readonly at: string;
}

const args = process.argv.slice(2);
const [isReuse, isRecord] = ["--reuse", "--record"].map((flag) => args.join(" ") === flag);

if (args.length > 0 && !isReuse && !isRecord) {
  const paths = args.some((arg) => !arg.startsWith("-")) ? args : ["test", ...args];
  conclude(await runTests(paths, { onOutput: (text) => process.stdout.write(text) }));
} else {
  const inputs = hashOfInputs(ROOT);
  const earlier = isReuse ? readStamp() : undefined;
  if (earlier !== undefined && earlier.inputs === inputs) {
    console.log(`These files passed at ${earlier.at}, and none has changed since`);
    conclude({ code: 0, passed: earlier.passed, failed: 0 });
  } else {
    rmSync(STAMP, { force: true });
    const outcome = await runEverything();
    // A file that was changed meanwhile has been tested in part.
    if (outcome.code === 0 && inputs !== undefined && hashOfInputs(ROOT) === inputs) {
      const stamp: Stamp = { inputs, passed: outcome.passed, at: new Date().toISOString() };
      mkdirSync(dirname(STAMP), { recursive: true });
      writeFileSync(STAMP, JSON.stringify(stamp));
    }
    conclude(outcome);
  }
}

/** Runs every file, prints what each has printed when it ends, and in the end once more what has failed. */
async function runEverything() {
  const run = await runFiles(longestFirst(testFiles(ROOT), readDurations()), {
    jobs: Number(process.env["DENO_JOBS"]) || Math.ceil(1.5 * availableParallelism()),
    cwd: ROOT,
    onFile: (_path, { output }) => process.stdout.write(output.trim() + "\n\n"),
  });
  if (isRecord) {
    recordDurations(Object.fromEntries(
      [...run.byFile].map(([path, { seconds }]) => [path, seconds]),
    ));
  }
  for (const [path, outcome] of run.byFile) {
    if (outcome.code !== 0) console.log(`${path}:\n${failuresIn(outcome)}\n`);
  }
  console.log(`${run.byFile.size} files in ${Math.round(run.seconds)} s`);
  return run;
}

function conclude({ code, passed, failed }: Pick<Outcome, "code" | "passed" | "failed">): void {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = code;
}

function readStamp(): Stamp | undefined {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, "utf8")) : undefined;
}
