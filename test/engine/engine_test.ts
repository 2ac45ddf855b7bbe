import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../../src/core/engine/engine.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("a prompt does not wait for a model that is still being loaded", async () => {
  using home = temporaryFolder();
  const env = { HOME: home.path, MEMO_HOME: home.path };
  const engine = new Engine({ paths: pathsFor(env), env, log: () => {}, background: false });
  await assert.rejects(engine.embedWithin("how do I deploy", 0), /model is still loading/);
  assert.equal((await engine.embedWithin("how do I deploy", 60_000)).length, 384);
  await engine.close();
});

Deno.test("a prompt waits for the vectors of a few new memories, which are made while it does", async () => {
  using home = temporaryFolder();
  const env = { HOME: home.path, MEMO_HOME: home.path };
  const engine = new Engine({ paths: pathsFor(env), env, log: () => {}, background: true });
  const folder: MemoryFolder = {
    path: join(home.path, "memory"),
    scope: "user",
    project: undefined,
  };
  mkdirSync(folder.path);
  for (const name of ["heron", "kiln"]) {
    writeFileSync(join(folder.path, `${name}.md`), `The ${name} is in shed nine.\n`);
  }
  await engine.first(async () => {
    await engine.sync(folder);
    assert.equal(await engine.withIndex(async (index) => (await index.queue.pending(9)).length), 2);
    await engine.embedWithin("which shed has the kiln", 600_000);
    assert.equal(await engine.withIndex(async (index) => (await index.queue.pending(9)).length), 0);
  });
  await engine.close();
});
