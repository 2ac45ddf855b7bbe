import assert from "node:assert/strict";
import { Engine } from "../../src/engine/engine.ts";
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
