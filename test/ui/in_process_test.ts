// What takes a clock or a failure of the test's own: the server of the page in this process, over real sockets.

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoError } from "../../src/errors.ts";
import { pathsFor } from "../../src/paths.ts";
import { forPage, IDLE_MS } from "../../src/surfaces/ui/serve.ts";
import { readRows } from "../support/fixtures.ts";
import { makeHome } from "../support/home.ts";
import { callPage, enter, pageAt } from "../support/page.ts";
import { until } from "../support/until.ts";
import { serve } from "./support.ts";

const LOOK_MS = 10;

Deno.test("the address closes 15 minutes after the page was last heard of", async () => {
  await using home = makeHome();
  const events: string[] = [];
  let time = 0;
  await using page = await serve(home, {
    onEvent: (event) => events.push(event),
    clock: () => time,
    lookMs: LOOK_MS,
  });
  const at = pageAt(page.address);
  assert.equal(IDLE_MS, 15 * 60_000);
  time += IDLE_MS; // the browser took its time
  await sleep(5 * LOOK_MS);
  const token = await enter(at);
  time += IDLE_MS;
  assert.equal((await callPage(at, "now", {}, token)).status, 200);
  time += IDLE_MS;
  await sleep(5 * LOOK_MS);
  // Whoever has no token does not keep it open.
  assert.equal((await callPage(at, "now", {}, at.token)).status, 401);
  assert.deepEqual(events, ["came"]);
  time += 1;
  await until("the server has closed", () => events.length === 2);
  assert.deepEqual(events, ["came", "closed"]);
  await assert.rejects(callPage(at, "now", {}, token));
});

Deno.test("what fails is told without a path or a stack, and logged with both", async () => {
  await using home = makeHome();
  const secret = join(home.root, "elsewhere", "plan.txt");
  let failure: unknown = new Error(`ENOENT: no such file, open '${secret}'`);
  await using page = await serve(home, {
    now: () => {
      throw failure;
    },
  });
  const at = pageAt(page.address), token = await enter(at);
  const unknown = await callPage(at, "now", {}, token);
  assert.equal(unknown.status, 500);
  assert.deepEqual(Object.keys(JSON.parse(unknown.body)), ["error", "hint"]);
  assert.doesNotMatch(unknown.body, /ENOENT|plan|[/]/);
  assert.ok(page.logged.some((line) => line.includes(secret)));

  const memory = join(home.claude, "memory", "kiln.md");
  failure = new MemoError("file", `Cannot move \`${secret}\` to \`${memory}\``, {
    hint: `Look at \`${secret}\``,
  });
  const known = await callPage(at, "now", {}, token);
  assert.equal(known.status, 422);
  assert.deepEqual(JSON.parse(known.body), {
    error: "Cannot move `plan.txt` to `~/.claude/memory/kiln.md`",
    hint: "Look at `plan.txt`",
  });
});

Deno.test("a message keeps the names of memories, and of other paths the last part alone", () => {
  const env = { HOME: "/home/kim", CLAUDE_CONFIG_DIR: "/home/kim/.claude" };
  const context = { env, paths: pathsFor(env, "linux") };
  for (const [message, told] of readRows("ui/messages.tsv")) {
    assert.equal(forPage(message!, context), told);
  }
});
