import assert from "node:assert/strict";
import manifest from "../deno.json" with { type: "json" };
import { VERSION } from "../src/version.ts";
import { makeHome, runMemo } from "./support/home.ts";

Deno.test("the version is the manifest's, also in the executable", async () => {
  assert.equal(VERSION, manifest.version);
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["--version"]);
  assert.ok(stdout.startsWith(`memo ${VERSION} `) || stdout.trim() === VERSION, stdout);
});
