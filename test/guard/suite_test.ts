import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { benchGuards } from "../../tools/bench/guards/bench.ts";

Deno.test("guards that rules propose stop every planted breach, and none of a thousand ordinary commands", () => {
  const { rules, ordinary, missed, falseStops } = benchGuards(
    fileURLToPath(new URL("../../bench/suites/guards", import.meta.url)),
  );
  assert.ok(rules >= 30 && ordinary >= 1000);
  assert.deepEqual(missed, []);
  assert.deepEqual(falseStops, []);
});
