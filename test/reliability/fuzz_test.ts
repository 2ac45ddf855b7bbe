// The fuzz in its short form; `deno task fuzz` runs thousands of commands.

import assert from "node:assert/strict";
import { fuzzRound } from "../../tools/fuzz/fuzz.ts";

const COMMANDS = 60;

for (const [machines, seed] of [[1, 7], [2, 24]] as const) {
  Deno.test(`random commands on ${machines} machines, killed and edited meanwhile, lose no text`, async () => {
    const { failure, texts, wrong, history } = await fuzzRound(seed, COMMANDS, { machines });
    assert.ok(texts > 0);
    assert.deepEqual(wrong, [], "`memo undo --archived` brings back what it was asked for");
    assert.deepEqual({ failure, ...failure && { history } }, { failure: undefined });
  });
}
