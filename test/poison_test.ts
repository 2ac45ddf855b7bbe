// What docs/security.md promises of texts that want to pass for the user's word, with a few texts of our own in place of
// the published ones that its figures are of.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openLog } from "../src/core/files/log.ts";
import { benchPoison } from "../tools/bench/poison/bench.ts";
import { readSuite } from "../tools/bench/poison/suite.ts";
import { temporaryFolder } from "./support/temp.ts";

const SUITE = fileURLToPath(new URL("fixtures/poison", import.meta.url));

Deno.test("a language model that is always fooled makes nothing that was read the user's word", async () => {
  using temp = temporaryFolder();
  const suite = readSuite(SUITE);
  const { doors, floods, facts } = await benchPoison(suite, { log: openLog(temp.path) });
  const all = JSON.stringify({ doors, floods, facts }, undefined, 1);
  assert.ok(doors.some(({ held }) => held > 0) && doors.some(({ marked }) => marked > 0), all);
  for (const { own, givenAsOwn, displaced, outranked } of doors) {
    assert.deepEqual([own, givenAsOwn, displaced, outranked], [0, 0, 0, 0], all);
  }
  for (const { ownFirst, questions, mostMarked } of floods) {
    assert.equal(ownFirst, questions, all);
    assert.ok(mostMarked <= 2, all);
  }
  assert.deepEqual([facts.held, facts.titled], [0, facts.n], all);
});
