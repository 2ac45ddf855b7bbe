import assert from "node:assert/strict";
import { isSuspect } from "../../src/core/memory/provenance.ts";
import { readRows } from "../support/fixtures.ts";

/** What a page may want to be remembered, and what a person may. */
const [BAD, GOOD] = ["suspect", "unsuspect"].map((name) =>
  readRows(`memory/${name}.txt`).map(([text]) => text!)
) as [string[], string[]];

Deno.test("what nobody needs to remember is suspect in any language, unless the user said it", () => {
  assert.deepEqual(BAD.filter((text) => !isSuspect(text)), []);
  assert.deepEqual(
    BAD.filter((text) => isSuspect(text, `Well: ${text}`)),
    [],
  );
  assert.deepEqual(GOOD.filter((text) => isSuspect(text)), []);
});

Deno.test("no text takes the patterns long", () => {
  for (const [part = ""] of readRows("memory/slow.txt")) {
    isSuspect(part.repeat(100_000 / part.length));
  }
});
