import assert from "node:assert/strict";
import { inheriting, LIMITS, sourceSessions } from "../../src/core/memory/memory.ts";
import { memoryOf } from "../support/memory.ts";

const from = (session: string, ...earlier: string[]) => memoryOf({ source: { session, earlier } });

Deno.test("inheriting() keeps the sessions of what is replaced, each once, and not the own one", () => {
  const heir = inheriting(memoryOf({ source: { session: "c", turn: "t" } }), [
    ...[from("b", "a"), from("c"), from("a"), memoryOf()],
  ]);
  assert.deepEqual(heir.source, { session: "c", turn: "t", earlier: ["a", "b"] });
  assert.deepEqual(sourceSessions(heir), ["a", "b", "c"]);
});

Deno.test("inheriting() keeps the newest sessions of a memory that was replaced again and again", () => {
  let memory = from("0");
  for (let i = 1; i <= 2 * LIMITS.supersedes; i++) memory = inheriting(from(`${i}`), [memory]);
  const { earlier } = memory.source!;
  assert.equal(earlier?.length, LIMITS.supersedes);
  assert.equal(earlier.at(-1), `${2 * LIMITS.supersedes - 1}`);
});

Deno.test("inheriting() leaves alone what a person has typed, and what replaces nothing told", () => {
  const typed = memoryOf(), told = memoryOf({ source: { session: "a" } });
  assert.equal(inheriting(typed, [told]), typed);
  assert.equal(inheriting(told, [typed]), told);
});
