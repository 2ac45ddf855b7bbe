// What takes a clock or a failure of the test's own: the server of the page in this process, over real sockets.

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Engine } from "../../src/core/engine/engine.ts";
import { MemoError } from "../../src/errors.ts";
import type { Log } from "../../src/core/files/log.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { IDLE_MS, type ServeOptions, servePage } from "../../src/surfaces/ui/serve.ts";
import { type Home, makeHome } from "../support/home.ts";
import { callPage, enter, pageAt } from "../support/page.ts";
import { until } from "../support/until.ts";

const LOOK_MS = 10;

/** Serves the page of a home; `more` is what differs from the daemon's own way. */
async function serve(home: Home, more: Partial<ServeOptions> & { readonly now?: () => Date }) {
  const paths = pathsFor(home.env);
  const logged: string[] = [];
  const log: Log = (event, fields) => void logged.push(JSON.stringify({ event, ...fields }));
  const engine = new Engine({ paths, env: home.env, log, background: false });
  const { now = () => new Date(), ...options } = more;
  const { address, close } = await servePage({
    context: { engine, paths, log, env: home.env, now, place: placeIn(paths, home.project) },
    onEvent: () => {},
    ...options,
  });
  return {
    at: pageAt(address),
    logged,
    async [Symbol.asyncDispose]() {
      await close();
      await engine.close();
    },
  };
}

Deno.test("the address closes 15 minutes after the page was last heard of", async () => {
  await using home = makeHome();
  const events: string[] = [];
  let time = 0;
  await using page = await serve(home, {
    onEvent: (event) => events.push(event),
    clock: () => time,
    lookMs: LOOK_MS,
  });
  const { at } = page;
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
  const token = await enter(page.at);
  const unknown = await callPage(page.at, "now", {}, token);
  assert.equal(unknown.status, 500);
  assert.deepEqual(Object.keys(JSON.parse(unknown.body)), ["error", "hint"]);
  assert.doesNotMatch(unknown.body, /ENOENT|plan|[/]/);
  assert.ok(page.logged.some((line) => line.includes(secret)));

  const memory = join(home.claude, "memory", "kiln.md");
  failure = new MemoError("file", `Cannot move \`${secret}\` to \`${memory}\``, {
    hint: `Look at \`${secret}\``,
  });
  const known = await callPage(page.at, "now", {}, token);
  assert.equal(known.status, 422);
  assert.deepEqual(JSON.parse(known.body), {
    error: "Cannot move `plan.txt` to `~/.claude/memory/kiln.md`",
    hint: "Look at `plan.txt`",
  });
});
