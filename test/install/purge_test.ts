import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { purgeState } from "../../src/install/purge.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome } from "../support/home.ts";

Deno.test("purgeState() deletes memo's state and the folder", async () => {
  await using home = makeHome();
  for (const name of ["index.db", "index.db-wal", "logs/daemon.log", "models/x/model.onnx"]) {
    home.write(`state/${name}`, "x");
  }
  home.write("a.md", "a memory");
  purgeState(pathsFor(home.env));
  assert.equal(existsSync(home.memoHome), false);
  assert.ok(existsSync(`${home.claude}/memory/a.md`));
});

Deno.test("purgeState() leaves memories, settings and what is not memo's", async () => {
  await using home = makeHome();
  for (const name of ["config.yaml", "notes.txt", "memory/a.md", "receipts.jsonl"]) {
    home.write(`state/${name}`, "x");
  }
  const env = { ...home.env, CLAUDE_CONFIG_DIR: home.memoHome };
  assert.deepEqual(purgeState(pathsFor(env)), [`${home.memoHome}/receipts.jsonl`]);
  assert.deepEqual(readdirSync(home.memoHome).sort(), ["config.yaml", "memory", "notes.txt"]);
});
