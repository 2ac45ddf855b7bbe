import assert from "node:assert/strict";
import { rememberingLists, repeatsIn } from "../../src/core/recall/near_titles.ts";

const TITLES = [
  "Deploy the storefront from the release branch alone",
  "Deploy the storefront from the release branch only alone",
  "Deploy the storefront not from the release branch alone",
  "Keep logs for 30 days",
];

Deno.test("a title that nearly repeats an earlier one is found, and one that denies it is not", () => {
  assert.deepEqual([...repeatsIn(TITLES)], [1]);
  assert.deepEqual([...repeatsIn(TITLES.toReversed())], [3]);
});

Deno.test("a list of titles is worked on once, until others have taken its place", () => {
  const worked: string[] = [];
  const first = rememberingLists((titles) => {
    worked.push(titles.join());
    return titles[0];
  });
  assert.equal(first(["a", "b"]), "a");
  assert.equal(first(["a", "b"]), "a");
  assert.equal(first(["a"]), "a");
  assert.equal(first(["b", "a"]), "b");
  assert.deepEqual(worked, ["a,b", "a", "b,a"]);
  for (let i = 0; i < 20; i++) first([`${i}`]);
  first(["a", "b"]);
  assert.equal(worked.length, 24);
});
