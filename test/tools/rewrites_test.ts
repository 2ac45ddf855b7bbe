import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onnxPackage } from "../../tools/compile/locate.ts";
import { rewrite, REWRITES, rewritesFor } from "../../tools/compile/rewrites.ts";

const fromHere = createRequire(import.meta.url);
const FILES = [
  createRequire(fromHere.resolve("@libsql/client")).resolve("libsql"),
  join(onnxPackage("native"), "dist/binding.js"),
  join(dirname(fromHere.resolve("@huggingface/transformers")), "transformers.node.mjs"),
];

Deno.test("Every rewrite has its one line in the installed packages", () => {
  for (const row of REWRITES) {
    const { file, find, replace } = row;
    const path = FILES.find((path) => file.test(path));
    assert.ok(path, String(file));
    const rewritten = rewrite(path, readFileSync(path, "utf8"), [row]);
    assert.ok(rewritten.includes(replace));
    assert.ok(!rewritten.includes(find));
  }
});

Deno.test("rewrite() refuses a package in which the line has changed", () => {
  assert.throws(
    () => rewrite("/node_modules/libsql/index.js", "something else", REWRITES),
    /0 times/,
  );
});

Deno.test("rewrite() leaves every other file as it is", () => {
  const path = fileURLToPath(import.meta.url);
  assert.equal(rewrite(path, "text", REWRITES), "text");
});

Deno.test("rewritesFor() loads one engine and not the other", () => {
  const replaced = (engine: "native" | "wasm") =>
    rewritesFor(engine).map(({ replace }) => replace).join("\n");
  assert.match(replaced("native"), /require\("onnxruntime-node"\)/);
  assert.doesNotMatch(replaced("native"), /onnxruntime-web/);
  assert.match(replaced("wasm"), /require\("onnxruntime-web"\)/);
  assert.doesNotMatch(replaced("wasm"), /onnxruntime-node/);
});
