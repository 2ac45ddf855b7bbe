import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testFiles } from "../../tools/test/order.ts";
import { isOfOkAlone, OK_ALONE } from "../../tools/test/sets.ts";
import { readPassed, writePassed } from "../../tools/test/stamp.ts";
import { temporaryFolder } from "../support/temp.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

Deno.test("every test file is in one of both sets, by at most one row, and no row is about nothing", () => {
  const rowsOf = (path: string) =>
    OK_ALONE.filter(({ at }) => path === at || at.endsWith("/") && path.startsWith(at));
  const files = testFiles(ROOT);
  for (const path of files) assert.equal(rowsOf(path).length, isOfOkAlone(path) ? 1 : 0, path);
  for (const row of OK_ALONE) {
    assert.ok(files.some((path) => rowsOf(path).includes(row)), `${row.at} has no test file`);
  }
  assert.ok(files.some((path) => !isOfOkAlone(path)));
});

Deno.test("the gate runs every file, and the last line of .ci/run is its sum", () => {
  const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));
  assert.match(tasks.ok.command, /&& deno task test --all$/);
  assert.match(readFileSync(join(ROOT, ".ci/run"), "utf8"), / task test\n.* task ok\n$/);
});

Deno.test("what has passed counts on the same inputs alone", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "cache", "passed.json");
  assert.deepEqual(readPassed("a", path), {});
  writePassed("a", { "test/x_test.ts": 3 }, path);
  assert.deepEqual(readPassed("a", path), { "test/x_test.ts": 3 });
  for (const other of ["b", undefined]) assert.deepEqual(readPassed(other, path), {});
});
