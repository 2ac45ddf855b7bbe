// What every strategy promises, asked of each in the table and of one that reads no text at all.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { Strategy } from "../../strategies/strategy.ts";
import { testContract } from "./contract.ts";
import { pathAffinity } from "./path_affinity.ts";

const ROWS: readonly Strategy[] = STRATEGIES;
const RESULTS = new URL("../../bench/results/coding-agent.json", import.meta.url);

for (const strategy of [...ROWS, pathAffinity]) testContract(strategy);

Deno.test("strategies have names of their own", () => {
  assert.equal(new Set(ROWS.map(({ name }) => name)).size, ROWS.length);
});

Deno.test("a strategy is stable once the results have its row (else: deno task bench)", () => {
  const { strategies } = JSON.parse(readFileSync(RESULTS, "utf8")) as {
    strategies: { strategy: string; answerable: number }[];
  };
  const measured = strategies.filter(({ answerable }) => answerable > 0)
    .map(({ strategy }) => strategy);
  for (const { name, status } of ROWS) {
    if (status === "stable") assert.ok(measured.includes(name), `${name} has no row`);
  }
});
