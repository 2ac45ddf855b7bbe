// Kills at random moments in their short form; `deno task kills` runs hundreds of rounds.

import assert from "node:assert/strict";
import { KILLS } from "../../tools/reliability/kills.ts";

const ROUNDS = 3;
/** A round of an edit is short, and its window narrow. */
const EDITS = 20;

for (const [what, kill] of Object.entries(KILLS)) {
  Deno.test(`kill -9 at any moment loses nothing: ${what}, r10`, async () => {
    const { lost, torn } = await kill(what.includes("edit") ? EDITS : ROUNDS);
    assert.deepEqual({ lost, torn }, { lost: [], torn: [] });
  });
}
