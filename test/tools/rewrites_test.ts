import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onnxFolder } from "../../tools/compile/locate.ts";
import { rewrite, REWRITES } from "../../tools/compile/rewrites.ts";

const fromHere = createRequire(import.meta.url);
const FILES = [
  createRequire(fromHere.resolve("@libsql/client")).resolve("libsql"),
  join(onnxFolder(), "../../dist/binding.js"),
  join(dirname(fromHere.resolve("@huggingface/transformers")), "transformers.node.mjs"),
];

Deno.test("Every rewrite has its one line in the installed packages", () => {
  for (const { file, find, replace } of REWRITES) {
    const path = FILES.find((path) => file.test(path));
    assert.ok(path, String(file));
    const rewritten = rewrite(path, readFileSync(path, "utf8"));
    assert.ok(rewritten.includes(replace));
    assert.ok(!rewritten.includes(find));
  }
});

Deno.test("rewrite() refuses a package in which the line has changed", () => {
  assert.throws(() => rewrite("/node_modules/libsql/index.js", "something else"), /0 times/);
});

Deno.test("rewrite() leaves every other file as it is", () => {
  const path = fileURLToPath(import.meta.url);
  assert.equal(rewrite(path, "text"), "text");
});
