// Kills memo at random moments, hundreds of times (tools/reliability/kills.ts), and writes `bench/results/kills.json`; ends
// with 1 when anything is lost or incomplete.
//
//   deno run -A tools/kills.ts [--rounds 100] [--only capture] [--out FILE]

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, formatMachine } from "../bench/machine.ts";
import { MEMO } from "../test/support/home.ts";
import { KILLS, type Kills } from "./reliability/kills.ts";
import { commit } from "./compile/compile.ts";

const OUT = fileURLToPath(new URL("../bench/results/kills.json", import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    only: { type: "string", default: "" },
    out: { type: "string", default: OUT },
  },
});

const isWanted = (what: string) => what.includes(values.only);
// What is not run keeps its figures.
const before: Kills[] = existsSync(values.out)
  ? JSON.parse(readFileSync(values.out, "utf8")).kills
  : [];
const kills: Kills[] = before.filter(({ what }) => !isWanted(what));
for (const [what, kill] of Object.entries(KILLS)) {
  if (!isWanted(what)) continue;
  kills.push(await kill(Number(values.rounds)));
  console.error(JSON.stringify(kills.at(-1)));
}
const [memo = ""] = execFileSync(MEMO, ["--version"], { encoding: "utf8" }).split("\n");
const report = { machine: formatMachine({ ...describeMachine(commit()), memo }), kills };
writeFileSync(values.out, JSON.stringify(report, null, 2) + "\n");
const bad = kills.flatMap(({ lost, torn }) => [...lost, ...torn]);
console.log(`${kills.length} × ${values.rounds} rounds, ${bad.length} lost; wrote ${values.out}`);
if (bad.length > 0) process.exitCode = 1;
