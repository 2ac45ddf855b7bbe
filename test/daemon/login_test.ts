import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { readFixture } from "../support/fixtures.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { sendJson, serveLoopback } from "../support/loopback.ts";

const MEMORY = "---\nname: Package manager\ndescription: It is pnpm\ntype: tool\n---\nUse pnpm.\n";

/** Sends an event through the hook, with these variables besides. */
async function send(home: Home, name: string, variables: Record<string, string>, fields = {}) {
  const stdin = JSON.stringify({ ...readFixture(name), cwd: home.project, ...fields });
  await runMemo({ ...home, env: { ...home.env, ...variables } }, ["hook"], { stdin });
}

Deno.test("a daemon that was started without a key uses that of the session that begins", async () => {
  await using home = makeHome();
  home.write("tool_pnpm.md", MEMORY);
  await using server = await serveLoopback((_, response) => sendJson(response, 500, {}));
  await runMemo(home, ["config", "set", "strategy.*=sidequery"]);
  await runMemo(home, ["daemon", "start"]);

  const session = { ANTHROPIC_API_KEY: "key-of-today", ANTHROPIC_BASE_URL: server.url };
  await send(home, "SessionStart.startup", session);
  await send(home, "UserPromptSubmit", session, { prompt: "which package manager do we use?" });
  for (let tries = 0; tries < 100 && server.received.length === 0; tries++) await sleep(50);
  assert.match(JSON.stringify(server.received[0]?.headers), /key-of-today/);
});
