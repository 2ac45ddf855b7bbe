import assert from "node:assert/strict";
import { repeatsRun } from "../../../tools/bench/run_repeats.ts";

Deno.test("memo prove is right about planted repeats in nine of ten, by recorded replies", async () => {
  const run = await repeatsRun({ log: () => {} });
  assert.deepEqual(run.open, [], "run `deno task lab repeats --questions FOLDER`");
  assert.ok(run.planted >= 30 && run.prompts >= 100);
  assert.ok(run.precision >= 0.9, `precision ${run.precision}`);
  assert.ok(run.share >= 0.9, `found ${run.share}`);
  const isPlanted = ({ verdict }: { verdict: string }) => verdict !== "wrong";
  assert.equal(run.rows.filter(isPlanted).length, run.planted);
});
