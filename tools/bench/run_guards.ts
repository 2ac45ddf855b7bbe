import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonOption, present } from "../../src/cli/bench/shared.ts";
import { benchGuards, type GuardsResult } from "./guards/bench.ts";

export interface GuardsRun {
  readonly suite?: string;
  readonly json?: JsonOption;
}

const SUITE = fileURLToPath(new URL("../../bench/suites/guards", import.meta.url));

/** Measures what guards stop that rules propose by their own words. */
export async function runGuards({ suite = SUITE, json }: GuardsRun): Promise<void> {
  const result = benchGuards(resolve(suite));
  await present(result, { json, depth: { missed: 1, falseStops: 1 }, table: renderGuards(result) });
}

/** The results in lines, with every miss and every false stop. */
export function renderGuards(result: GuardsResult): string {
  const { rules, proposed, planted, stoppedPlanted, breaches, stopped } = result;
  const { ordinary, meetings, missed, falseStops } = result;
  const number = (count: number) => count.toLocaleString("en-US");
  return [
    `guards proposed by their words: ${proposed} of ${rules} rules`,
    `planted breaches stopped: ${stoppedPlanted} of ${planted}; with their variants ${stopped} of ${breaches}`,
    `false stops: ${falseStops.length} of ${number(ordinary)} ordinary commands (${
      number(meetings)
    } times a command met a guard)`,
    ...missed.map(({ rule, call }) => `missed: ${call} (${rule})`),
    ...falseStops.map(({ rule, call }) => `false stop: ${call} (${rule})`),
  ].join("\n") + "\n";
}
