import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { maintainedSecrets } from "../../src/core/redact/maintained.ts";

Deno.test("maintainedSecrets() leaves nothing behind in memory, r10", async () => {
  await maintainedSecrets("a first text");
  const before = performance.getEntries().length;
  for (let i = 0; i < 5; i++) await maintainedSecrets(`text ${i}`);
  assert.equal(performance.getEntries().length, before);
});
