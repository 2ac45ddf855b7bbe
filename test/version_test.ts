import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import manifest from "../deno.json" with { type: "json" };
import { commit } from "../tools/compile/compile.ts";
import { HOST } from "../tools/compile/targets.ts";
import { VERSION } from "../src/version.ts";
import { makeHome, runMemo } from "./support/home.ts";

Deno.test("memo --version says the manifest's version, the commit, the runtime and the model", async () => {
  assert.equal(VERSION, manifest.version);
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["--version"]);
  const model = new URL("../dist/model/memo.json", import.meta.url);
  const [first, runtime, name] = stdout.split("\n");
  assert.match(first!, new RegExp(`^memo ${VERSION.replaceAll(".", "\\.")} \\(`));
  if (commit() !== "") assert.match(first!, /\(commit [0-9a-f]{12}\+?\)$/);
  assert.match(runtime!, new RegExp(`^runtime  Bun \\d+\\.\\d+\\.\\d+, ${HOST}$`));
  assert.equal(name, `model    ${JSON.parse(readFileSync(model, "utf8")).repo}`);
  const json = JSON.parse((await runMemo(home, ["--version", "--json"])).stdout);
  assert.deepEqual([json.version, json.target], [VERSION, HOST]);
  assert.match(runtime!, new RegExp(`^runtime  ${json.runtime}, `));
  assert.equal(name, `model    ${json.model}`);
});
