// With the real Claude Code: memo's tools are used without a question, and act at once.

import assert from "node:assert/strict";
import { makeHome, runMemo } from "../support/home.ts";
import { assertServed, converse } from "../support/mcp_session.ts";

Deno.test("installed, memo saves, answers and forgets when the user asks for it, without a dialogue", async () => {
  await using home = makeHome({}, { hasModel: true });
  assert.equal((await runMemo(home, ["init"])).code, 0);
  await assertServed(home, "mcp__memo");
  assert.equal((await runMemo(home, ["uninstall"])).code, 0);
  const { results } = await converse(home, "mcp__memo");
  assert.ok(results.every((result) => /No such tool/.test(result)));
});
