import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failuresIn, type Outcome, runFiles, runTests } from "../../tools/test/run_files.ts";
import { temporaryFolder } from "../support/temp.ts";

const FILES: Readonly<Record<string, string>> = {
  "test/good_test.ts": `
    Deno.test("is well", async (t) => void await t.step("a step", () => {}));
    Deno.test("is well, too", () => console.log("9 passed | 9 failed"));`,
  "test/deep/bad_test.ts": `
    Deno.test("is well", () => {});
    Deno.test("is not", () => { throw new Error("no tea"); });`,
  "test/no_module_test.ts": `throw new Error("no kettle");`,
  "test/killed_test.ts": `
    Deno.test("is well", () => {});
    Deno.test("goes", () => process.kill(process.pid, "SIGKILL"));`,
};

Deno.test("runFiles() runs each file, and counts what passed, what failed and what broke down", async () => {
  using folder = temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  const ended = new Map<string, Outcome>();
  const run = await runFiles(Object.keys(FILES), {
    jobs: 2,
    cwd: folder.path,
    onFile: (path, outcome) => void ended.set(path, outcome),
  });
  assert.deepEqual(ended, run.byFile);
  assert.deepEqual([run.code, run.passed, run.failed], [1, 3, 3]);
  const counts = Object.keys(FILES).map((path) => {
    const { code, passed, failed } = ended.get(path)!;
    return [code === 0, passed, failed];
  });
  assert.deepEqual(counts, [[true, 2, 0], [false, 1, 1], [false, 0, 1], [false, 0, 1]]);
  assert.match(failuresIn(ended.get("test/deep/bad_test.ts")!), /^ERRORS \n[^]*no tea/);
  assert.match(failuresIn(ended.get("test/no_module_test.ts")!), /no kettle/);
  assert.match(failuresIn(ended.get("test/killed_test.ts")!), /^running 2 tests[^]*goes/);
});

Deno.test("runTests() takes the arguments of `deno test`, and hands on what it prints", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "a_test.ts"), FILES["test/deep/bad_test.ts"]!);
  let printed = "";
  const onOutput = (text: string) => void (printed += text);
  const args = ["a_test.ts", "--filter", "well"];
  const outcome = await runTests(args, { cwd: folder.path, onOutput });
  assert.deepEqual([outcome.code, outcome.passed, outcome.failed], [0, 1, 0]);
  assert.equal(printed, outcome.output);
});
