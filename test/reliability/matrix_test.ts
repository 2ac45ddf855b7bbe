// The fault matrix in its short form; `deno task matrix` runs all of it.

import assert from "node:assert/strict";
import { combinations, makeTemplate, tryCell } from "../../tools/reliability/matrix.ts";

Deno.test({
  name: "a hook survives every bad state of daemon and index, as an ordinary user",
  ignore: process.platform === "win32",
  fn: async () => {
    await using template = await makeTemplate();
    const failed = [];
    for (const combination of combinations(true)) {
      const outcome = await tryCell(template, combination);
      if (outcome.fault !== undefined) failed.push(outcome);
    }
    assert.deepEqual(failed, []);
  },
});
