// Appends what coding agents made of tasks to a recording:
//
//   deno run -A tools/record_patches.ts FOLDER RECORDING "what the agents were"
//
// FOLDER is what `deno task lab tasks … --work FOLDER` wrote, with a file `done` where an agent has finished.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Patch } from "./bench/tasks/patches.ts";
import { WORK_FILE, type Worked } from "./bench/run_tasks.ts";

const [folder, recording, agent] = process.argv.slice(2);
if (folder === undefined || recording === undefined || agent === undefined) {
  console.error('Usage: record_patches.ts FOLDER RECORDING "what the agents were"');
  process.exit(2);
}
const work: Readonly<Record<string, Worked>> = JSON.parse(
  readFileSync(join(folder, WORK_FILE), "utf8"),
);
const names = Object.keys(work).filter((name) => existsSync(join(folder, name, "done")));
const at = new Date().toISOString();
const lines = names.map((name) => {
  const { module, ...facts } = work[name]!;
  const patch: Patch = {
    ...facts,
    module: readFileSync(join(folder, name, module), "utf8"),
    agent,
    at,
  };
  return JSON.stringify(patch) + "\n";
});
appendFileSync(recording, lines.join(""));
console.error(`${lines.length} patches, ${Object.keys(work).length - lines.length} unfinished`);
