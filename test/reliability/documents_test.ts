// What the documents promise is held by tests that exist.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

for (const document of ["docs/SECURITY.md", "docs/RELIABILITY.md", "docs/privacy.md"]) {
  Deno.test(`${document} names only tests, tasks and documents that exist`, () => {
    const text = readFileSync(new URL(document, ROOT), "utf8");
    const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1]!);
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => `docs/${match[1]}`);
    const missing = [...tests, ...links].filter((path) => !existsSync(new URL(path, ROOT)));
    assert.deepEqual(missing, []);
    const { tasks } = JSON.parse(readFileSync(new URL("deno.json", ROOT), "utf8"));
    for (const [, task] of text.matchAll(/deno task (\w+)/g)) assert.ok(tasks[task!], `${task}`);
  });
}

Deno.test("the privacy page says that nothing leaves the machine, and the tracing test holds it to that", () => {
  const privacy = readFileSync(new URL("docs/privacy.md", ROOT), "utf8");
  const test = readFileSync(new URL("test/native/telemetry_test.ts", ROOT), "utf8");
  assert.match(privacy, /no language model: nothing\. memo has no telemetry/);
  for (const command of ["index", "recall", "search", "bench"]) {
    assert.match(test, new RegExp(`"${command}"`));
  }
});
