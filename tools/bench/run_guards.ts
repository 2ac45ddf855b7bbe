import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonOption, present } from "../../src/cli/bench/shared.ts";
import {
  benchGuards,
  benchHeldOut,
  type GuardsResult,
  type HeldOutResult,
} from "./guards/bench.ts";

export interface GuardsRun {
  readonly suite?: string;
  readonly json?: JsonOption;
}

const SUITE = fileURLToPath(new URL("../../bench/suites/guards", import.meta.url));

/** Measures what guards stop that rules propose by their own words. */
export async function runGuards({ suite = SUITE, json }: GuardsRun): Promise<void> {
  const folder = resolve(suite);
  const result = {
    ...benchGuards(folder),
    seen: benchHeldOut(join(folder, "seen.jsonl")),
    heldOut: benchHeldOut(join(folder, "held-out.jsonl")),
  };
  await present(result, { json, depth: { missed: 1, falseStops: 1 }, table: renderGuards(result) });
}

/** The results in lines, with every miss and every false stop. */
export function renderGuards(
  result: GuardsResult & { readonly seen: HeldOutResult; readonly heldOut: HeldOutResult },
): string {
  const { rules, proposed, planted, stoppedPlanted, breaches, stopped } = result;
  const { ordinary, meetings, missed, falseStops, seen, heldOut } = result;
  return [
    `guards proposed by their words: ${proposed} of ${rules} rules`,
    `planted breaches stopped: ${stoppedPlanted} of ${planted}; with their variants ${stopped} of ${breaches}`,
    `false stops: ${falseStops.length} of ${number(ordinary)} ordinary commands (${
      number(meetings)
    } times a command met a guard)`,
    ...missed.map(({ rule, call }) => `missed: ${call} (${rule})`),
    ...falseStops.map(({ rule, call }) => `false stop: ${call} (${rule})`),
    "",
    ...renderOthers("rules by others, which memo's words were extended by", seen),
    "",
    ...renderOthers("rules by others, held out", heldOut),
  ].join("\n") + "\n";
}

function renderOthers(what: string, result: HeldOutResult): string[] {
  const { rules, proposed, offered, stopped, fine, missed, falseStops } = result;
  return [
    `${what}: ${proposed} of ${rules} proposed, ${stopped} of ${rules} breaches stopped, ` +
    `${falseStops.length} of ${fine} commands that look alike stopped; of the ${offered} without a condition ` +
    `${result.offeredFalseStops} of ${result.offeredFine}`,
    ...missed.map(({ rule, call, patterns }) => `missed: ${call} (${rule}) ${patterns.join("; ")}`),
    ...falseStops.map(({ rule, call, patterns }) =>
      `false stop: ${call} (${rule}) ${patterns.join("; ")}`
    ),
  ];
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
