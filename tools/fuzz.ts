// Fuzzes memo (tools/fuzz/): random commands on one or more machines with sync, in rounds with new machines each. Ends
// with 1 when a text is lost, and prints the seed and the fewest steps found that lose it.
//
//   deno run -A tools/fuzz.ts [--commands 10000] [--machines 2] [--seed 1] [--round 250] [--shrink 40]

import { parseArgs } from "node:util";
import { fuzzRound, play, type Round, shrink } from "./fuzz/fuzz.ts";

const { values } = parseArgs({
  options: {
    commands: { type: "string", default: "10000" },
    machines: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    round: { type: "string", default: "250" },
    shrink: { type: "string", default: "40" },
  },
});
const [commands, machines, first, perRound, tries] = [
  ...[values.commands, values.machines, values.seed, values.round, values.shrink],
].map(Number) as [number, number, number, number, number];

let [done, texts, killed, wrong] = [0, 0, 0, 0];
const failed: Round[] = [];
for (let seed = first; done < commands; seed++) {
  const round = await fuzzRound(seed, Math.min(perRound, commands - done), { machines });
  done += round.steps.length;
  texts += round.texts;
  killed += round.killed;
  wrong += round.wrong.length;
  for (const line of round.wrong) console.log(`  ${line}`);
  const said = round.failure === undefined ? "0 lost" : round.failure.what.join("; ");
  console.log(`seed ${seed}: ${round.steps.length} commands, ${round.texts} texts, ${said}`);
  if (round.failure === undefined) continue;
  failed.push(round);
  const steps = await shrink(round.steps.slice(0, round.failure.after), {
    machines,
    tries,
    onTry: (left) => console.error(`  ${left} steps`),
  });
  const { history, failure } = await play(steps, { machines });
  for (const line of history) console.log(`  ${line}`);
  console.log(`  lost: ${failure?.what.join("; ") ?? "nothing this time; steps:"}`);
  if (failure === undefined) console.log(`  ${JSON.stringify(steps)}`);
}
console.log(
  `${done} commands on ${machines} machines, ${killed} killed, ${texts} texts, ` +
    `${wrong} wrong restores, ${failed.length} rounds that lost something` +
    (failed.length === 0 ? "" : ` (seeds ${failed.map(({ seed }) => seed).join(", ")})`),
);
if (failed.length + wrong > 0) process.exitCode = 1;
