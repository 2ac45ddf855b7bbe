import assert from "node:assert/strict";
import {
  type Attributed,
  BASES,
  type Basis,
  basisOf,
  isSuspect,
  mayOvertake,
} from "../../src/core/memory/provenance.ts";
import { readRows } from "../support/fixtures.ts";

const CASES: readonly (readonly [what: string, memory: Attributed, basis: Basis])[] = [
  ["a note without marks", { tags: [] }, "said"],
  ["a note with tags of the user's", { tags: ["infra"], scope: "project" }, "said"],
  ["what a person kept of a page", { tags: ["read-web", "confirmed"] }, "confirmed"],
  ["what a page says", { tags: ["read-web"] }, "seen"],
  ["what a tool put out", { tags: ["read-tool"] }, "seen"],
  ["what the model made of it", { tags: ["concluded"] }, "concluded"],
  ["what is held", { tags: ["suspect", "confirmed"] }, "elsewhere"],
  ["an import, as the index has it", { tags: [], importedFrom: "mem0" }, "elsewhere"],
  ["an import, as its file says", { tags: [], source: { import: "mem0" } }, "elsewhere"],
  ["an import that was kept", { tags: ["confirmed"], importedFrom: "mem0" }, "confirmed"],
  ["a note that memo wrote into a repository", { tags: [], scope: "shared", isOwn: true }, "said"],
  [
    "a page's words that memo wrote into a repository",
    { tags: ["read-web"], scope: "shared", isOwn: true },
    "seen",
  ],
  ["a repository's note", { tags: [], scope: "shared" }, "elsewhere"],
  ["a team's note", { tags: [], scope: "team" }, "elsewhere"],
];

for (const [what, memory, basis] of CASES) {
  Deno.test(`basisOf() takes ${what} for ${basis}`, () => {
    assert.equal(basisOf(memory), basis);
  });
}

Deno.test("only the user's words and what a person has kept overtake a user's note", () => {
  const over = CASES.filter(([, memory]) => mayOvertake(memory)).map(([, , basis]) => basis);
  assert.deepEqual(new Set(over), new Set(["said", "confirmed"]));
  assert.ok(BASES.said.rank < BASES.confirmed.rank && BASES.confirmed.rank < BASES.seen.rank);
});

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
