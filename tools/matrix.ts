// Runs the fault matrix (tools/reliability/matrix.ts) and writes `bench/results/matrix.json`; ends with 1 when a cell fails.
//
//   deno run -A tools/matrix.ts [--short] [--out FILE]

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, formatMachine } from "../bench/machine.ts";
import { runMemo } from "../test/support/home.ts";
import { combinations, makeTemplate, type Outcome, tryCell } from "./reliability/matrix.ts";
import { commit } from "./compile/compile.ts";

const OUT = fileURLToPath(new URL("../bench/results/matrix.json", import.meta.url));
const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    out: { type: "string", default: OUT },
  },
});

/** How long the machine takes for a process that does nothing, as busy as it is: the median of some. */
function emptyMs(): number {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    spawnSync("node", ["-e", "0"]);
    return performance.now() - start;
  });
  return Math.round(times.sort((a, b) => a - b)[4]!);
}

/** A daemon that has the socket and does not answer. */
const HUNG = ["stopped", "mute"];

const emptyBefore = emptyMs();
await using template = await makeTemplate();
const cells = combinations(values.short);
const outcomes: Outcome[] = [];
for (const [i, combination] of cells.entries()) {
  outcomes.push(await tryCell(template, combination));
  if (i % 25 === 24) console.error(`${i + 1} of ${cells.length}`);
}
const failed = outcomes.filter(({ fault }) => fault !== undefined);
for (const { event, daemon, index, fault } of failed) {
  console.error(`${event}, daemon ${daemon}, index ${index}: ${fault}`);
}
const { stdout: version } = await runMemo(template, ["--version"]);
const slowest = (event: string) =>
  outcomes.filter((outcome) => outcome.event === event).reduce((a, b) => a.ms > b.ms ? a : b);
const hung = (event: string) =>
  Math.max(
    ...outcomes.flatMap((cell) =>
      cell.event === event && HUNG.includes(cell.daemon) ? [cell.ms] : []
    ),
  );
const report = {
  machine: formatMachine({ ...describeMachine(commit()), memo: version.trim().split("\n")[0]! }),
  asOrdinaryUser: true,
  cells: outcomes.length,
  failed,
  /** Milliseconds that `node -e 0` took before the first cell and after the last one. */
  empty: [emptyBefore, emptyMs()],
  slowest: [...new Set(outcomes.map(({ event }) => event))]
    .map((event) => ({ ...slowest(event), hungMs: hung(event) })),
};
writeFileSync(values.out, JSON.stringify(report, null, 2) + "\n");
console.log(`${outcomes.length} cells, ${failed.length} failed; wrote ${values.out}`);
if (failed.length > 0) process.exitCode = 1;
