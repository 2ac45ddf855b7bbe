// What the runtime in the executable reads from the environment of a session.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BLANKED } from "../../tools/compile/runtime.ts";
import { readFixture } from "../support/fixtures.ts";
import { makeHome, runMemo } from "../support/home.ts";

Deno.test("no variable of a session makes the executable load a file or be another program", async () => {
  await using home = makeHome();
  const trap = join(home.root, "trapped");
  const script = join(home.root, "trap.js");
  writeFileSync(script, `require("node:fs").writeFileSync(${JSON.stringify(trap)}, "");`);
  const usual = await runMemo(home, ["--version"]);
  const values = [
    ...["BUN_OPTIONS", "NODE_OPTIONS"].map((name) => ({ [name]: `--preload=${script}` })),
    { BUN_OPTIONS: "--preload=/nowhere.js" },
    { NODE_OPTIONS: `--require ${script}` },
    { BUN_BE_BUN: "1" },
    { BUN_INSPECT_PRELOAD: script },
    { BUN_INSPECT: "ws://127.0.0.1:1/x" },
    { BUN_INSPECT_CONNECT_TO: "ws://127.0.0.1:1/x" },
    { DENO_V8_FLAGS: "--bogus", DENO_AUTH_TOKENS: "x" },
  ];
  const named = new Set(values.flatMap((variables) => Object.keys(variables)));
  assert.deepEqual(BLANKED.filter((name) => !named.has(name)), [], "each has its case here");
  for (const variables of values) {
    const session = { ...home, env: { ...home.env, ...variables } };
    assert.deepEqual(await runMemo(session, ["--version"]), usual, JSON.stringify(variables));
    const stdin = JSON.stringify(readFixture("Stop"));
    const { code, stderr } = await runMemo(session, ["hook"], { stdin });
    assert.deepEqual([code, stderr], [0, ""], JSON.stringify(variables));
  }
  assert.equal(existsSync(trap), false);
});
