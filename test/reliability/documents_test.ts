// What the documents promise is held by tests that exist.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

Deno.test("docs/security.md names only tests, tasks and documents that exist", () => {
  const text = readFileSync(new URL("docs/security.md", ROOT), "utf8");
  const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1]!);
  const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => `docs/${match[1]}`);
  const missing = [...tests, ...links].filter((path) => !existsSync(new URL(path, ROOT)));
  assert.deepEqual(missing, []);
  const { tasks } = JSON.parse(readFileSync(new URL("deno.json", ROOT), "utf8"));
  for (const [, task] of text.matchAll(/deno task (\w+)/g)) assert.ok(tasks[task!], `${task}`);
});

/** What pages promise, and the test that holds memo to it: its file, and a part of its name. */
const PROMISES = readFileSync(new URL("test/fixtures/promises.tsv", ROOT), "utf8").trim()
  .split("\n").slice(1).map((row) => row.split("\t") as [string, string, string, string]);

for (const [page, said, file, test] of PROMISES) {
  Deno.test(`what ${page} says, \`${said}\`, is held by ${file}, r10`, () => {
    assert.match(readFileSync(new URL(page, ROOT), "utf8"), new RegExp(said));
    assert.match(readFileSync(new URL(file, ROOT), "utf8"), new RegExp(test));
  });
}
