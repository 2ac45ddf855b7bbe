import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { RecallReport } from "../../bench/recall_report.ts";
import { costPerPrompt, type RetentionReport } from "../../tools/bench/retention/report.ts";
import { formatPresetCost } from "../../src/surfaces/cli/shared/preset_cost.ts";
import { PRESETS } from "../../src/core/settings/table.ts";

function results<T>(name: string): T {
  return JSON.parse(
    readFileSync(new URL(`../../bench/results/${name}.json`, import.meta.url), "utf8"),
  );
}

/** What memo says may be this far from what the bench has measured last. */
const NEAR = 0.1;

function assertNear(said: number, measured: number): void {
  assert.ok(Math.abs(said / measured - 1) <= NEAR, `${said} is said, ${measured} was measured`);
}

Deno.test("what a preset is said to cost is what the bench has measured", () => {
  const { rows } = results<RetentionReport>("retention");
  const { strategies } = results<RecallReport>("triggers/none");
  const asking = PRESETS.filter((preset) => preset.asks !== undefined);
  assert.deepEqual(asking.map(({ name }) => name), ["balanced", "best"]);
  for (const { name, strategy, asks } of asking) {
    const row = rows.find(({ preset }) => preset === name)!;
    const { tokens } = costPerPrompt(row.asked, row.served.prompts);
    assertNear(asks!.small + asks!.output, tokens);
    const large = strategies.find((each) => each.strategy === strategy);
    if (large !== undefined) assertNear(asks!.large + asks!.output, large.tokensPerPrompt);
  }
});

Deno.test("a preset's cost is said in tokens and dollars of the model in use, and no dollars are made up", () => {
  assert.equal(formatPresetCost("local", "claude-haiku-5-5"), undefined);
  assert.match(
    formatPresetCost("best", "claude-haiku-5-5")!,
    /tokens per prompt.*\$0\.00\d\d to \$0\.00\d\d with `claude-haiku-5-5`, at most \$0\.\d\d for a session of 30 prompts$/,
  );
  assert.match(formatPresetCost("best", "claude-opus-5-5")!, /\$0\.0\d{3} to \$0\.0\d{3}/);
  assert.match(
    formatPresetCost("balanced", "house-model")!,
    /the price of `house-model` is unknown$/,
  );
});
