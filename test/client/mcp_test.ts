// With the real Claude Code: memo's tools are used without a question, and act at once.

import assert from "node:assert/strict";
import { makeHome, succeed } from "../support/home.ts";
import { assertServed, converse } from "../support/mcp_session.ts";

Deno.test("installed, memo saves, answers and forgets when the user asks for it, without a dialogue", async () => {
  await using home = makeHome({}, { hasModel: true });
  await succeed(home, ["init"]);
  await assertServed(home, "mcp__memo");
  await succeed(home, ["uninstall"]);
  const { results } = await converse(home, "mcp__memo");
  assert.ok(results.every((result) => /No such tool/.test(result)));
});
