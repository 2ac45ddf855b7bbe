// Runs tests and ends with one plain line, `N passed, N failed`. Several files are run at a time: each has homes of its
// own, and most of its time it waits for other processes.
//
//   deno run -A tools/test.ts             every file but those of `OK_ALONE`
//   deno run -A tools/test.ts --all       every file that has not passed on these very inputs; counts those that have
//   deno run -A tools/test.ts --record    every file, and record how long each takes
//   deno run -A tools/test.ts path ... [--filter text]

import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { hashOfInputs } from "./test/inputs.ts";
import { longestFirst, readDurations, recordDurations, testFiles } from "./test/order.ts";
import { failuresIn, type Outcome, runFiles, runTests } from "./test/run_files.ts";
import { isOfOkAlone } from "./test/sets.ts";
import { type Passed, readPassed, writePassed } from "./test/stamp.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const args = process.argv.slice(2);
const [isAll, isRecord] = ["--all", "--record"].map((flag) => args.join(" ") === flag);

if (args.length > 0 && !isAll && !isRecord) {
  const paths = args.some((arg) => !arg.startsWith("-")) ? args : ["test", ...args];
  conclude(await runTests(paths, { onOutput: (text) => process.stdout.write(text) }));
} else {
  const inputs = hashOfInputs(ROOT);
  const before = readPassed(inputs);
  const files = testFiles(ROOT).filter((path) => isAll || isRecord || !isOfOkAlone(path));
  const earlier = isAll ? files.filter((path) => path in before) : [];
  const run = await runEach(files.filter((path) => !earlier.includes(path)));
  // A file that was changed meanwhile has been tested in part.
  if (inputs !== undefined && hashOfInputs(ROOT) === inputs) {
    writePassed(inputs, passedAfter(before, run.byFile));
  }
  const passedBefore = earlier.reduce((sum, path) => sum + before[path]!, 0);
  if (earlier.length > 0) {
    console.log(
      `${earlier.length} files (${passedBefore} tests) already passed on the same inputs`,
    );
  }
  conclude({ ...run, passed: run.passed + passedBefore });
}

/** Runs files, prints what each has printed when it ends, and in the end once more what has failed. */
async function runEach(files: readonly string[]) {
  const run = await runFiles(longestFirst(files, readDurations()), {
    jobs: Number(process.env["DENO_JOBS"]) || 4 * availableParallelism(),
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

/** What has passed on these inputs once a run is over: what it ran counts as this run found it. */
function passedAfter(before: Passed, byFile: ReadonlyMap<string, Outcome>): Passed {
  const now = [...byFile].filter(([, { code }]) => code === 0);
  return {
    ...Object.fromEntries(Object.entries(before).filter(([path]) => !byFile.has(path))),
    ...Object.fromEntries(now.map(([path, { passed }]) => [path, passed])),
  };
}

function conclude({ code, passed, failed }: Pick<Outcome, "code" | "passed" | "failed">): void {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = code;
}
