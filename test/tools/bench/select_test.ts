import assert from "node:assert/strict";
import { select } from "../../../tools/bench/select.ts";
import type { Suite } from "../../../bench/suite.ts";
import { MemoError } from "../../../src/errors.ts";

const SUITE: Suite = {
  documents: [{ id: "a", text: "A", scope: "one" }, { id: "b", text: "B", scope: "two" }, {
    id: "c",
    text: "C",
  }],
  queries: [
    { id: "q1", text: "?", split: "dev", category: "easy", scope: "one" },
    { id: "q2", text: "?", split: "test", category: "easy" },
    { id: "q3", text: "?", split: "dev", category: "hard", scope: "two" },
  ],
  qrels: new Map(),
};

function ids(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

Deno.test("select() takes the queries of a split and a category, up to a limit", () => {
  assert.deepEqual(ids(select(SUITE, {}).queries), ["q1", "q2", "q3"]);
  assert.deepEqual(ids(select(SUITE, { split: "dev" }).queries), ["q1", "q3"]);
  assert.deepEqual(ids(select(SUITE, { split: "dev", category: "hard" }).queries), ["q3"]);
  assert.deepEqual(ids(select(SUITE, { category: "easy", limit: 1 }).queries), ["q1"]);
});

Deno.test("select() leaves out documents in scopes that no chosen query can reach", () => {
  assert.deepEqual(ids(select(SUITE, { category: "hard" }).documents), ["b"]);
  assert.deepEqual(ids(select(SUITE, { split: "test" }).documents), ["a", "b", "c"]);
});

Deno.test("select() says which splits and categories there are when none is left", () => {
  assert.throws(
    () => select(SUITE, { split: "training" }),
    (error) => error instanceof MemoError && /dev, test; categories: easy, hard/.test(error.hint!),
  );
});
