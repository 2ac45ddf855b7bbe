// Runs the bench with the executable and the experiments of the laboratory, and writes their results.
//
//   deno task bench              memo's own suite, and the hook on 100, 1,000 and 10,000 memories
//   deno task bench:large        the hook on 25,000 and 100,000 memories: 50,000 and 200,000 passages
//   deno task bench:shared DIR   the suites in a folder, one below the other

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { LOADERS, suitesIn } from "../bench/loaders/mod.ts";
import { lab, memo, RESULTS } from "./bench/executable.ts";

const SIZES = "100,1000,10000";
const LARGE = "25000,100000";
const OWN = "coding-agent";
/** The folder of bugs that an agent fixes, among suites. */
const TASKS = "sde-bench";

const [folder] = process.argv.slice(2);
if (folder === undefined) benchOwn();
else if (folder === "--large") benchLarge();
else benchSuites(folder);

function benchOwn(): void {
  recall(OWN, OWN);
  recall("conversation", "conversation");
  lab("retention", ["--preset", "local,balanced,best", "--json", join(RESULTS, "retention.json")]);
  memo("hook", ["--memories", SIZES, "--json", join(RESULTS, "hook.json")]);
}

function benchLarge(): void {
  const few = ["--runs", "40", "--sessions", "1,8"];
  const file = join(RESULTS, "hook-large.json");
  memo("hook", ["--memories", LARGE, ...few, "--json", file]);
}

function benchSuites(folder: string): void {
  const tasks = [folder, join(folder, TASKS)].find((each) => existsSync(join(each, "tasks")));
  if (tasks !== undefined) {
    lab("tasks", ["--suite", tasks, "--json", join(RESULTS, "tasks.json")]);
    if (tasks === folder) return;
  }
  const loads = LOADERS.some((loader) => loader.recognises(folder));
  const found = loads ? [folder] : suitesIn(folder).map((name) => join(folder, name));
  if (found.length === 0) throw new Error(`No suite found in ${folder}`);
  for (const suite of found) {
    const name = basename(suite).replace(/\.json$/, "");
    recall(suite, name);
  }
}

function recall(suite: string, name: string): void {
  memo("recall", ["--suite", suite, "--json", join(RESULTS, `${name}.json`)]);
}
