import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { longestFirst, testFiles } from "../../tools/test/order.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

Deno.test("testFiles() gives every test file once, by its path from the root", () => {
  const there = readdirSync(`${ROOT}/test`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("_test.ts"));
  assert.equal(new Set(testFiles(ROOT)).size, there.length);
  assert.ok(testFiles(ROOT).includes("test/tools/order_test.ts"));
});

Deno.test("longestFirst() begins with what has not been recorded, then goes by duration, then by name", () => {
  const files = ["a", "new", "b", "c", "newer"];
  const order = longestFirst(files, { a: 1, b: 30, c: 1, gone: 50 });
  assert.deepEqual(order, ["new", "newer", "b", "a", "c"]);
});
