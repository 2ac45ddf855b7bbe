import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { longestFirst } from "../../tools/test/order.ts";

const TESTS = fileURLToPath(new URL("..", import.meta.url));

Deno.test("longestFirst() gives every test file once, those with the real client before those of functions", () => {
  const files = longestFirst(TESTS);
  const there = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("_test.ts")).map((name) => join(TESTS, name));
  assert.deepEqual(files.toSorted(), there.toSorted());
  const at = (name: string) => files.findIndex((path) => basename(path) === name);
  assert.ok(at("client_test.ts") < at("columns_test.ts"));
});
