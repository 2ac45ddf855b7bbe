import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LOADERS, openSuite, suitesIn } from "../../bench/loaders/mod.ts";
import { MemoError } from "../../src/errors.ts";
import { temporaryFolder } from "../support/temp.ts";

const SUITES = fileURLToPath(new URL("../fixtures/suites", import.meta.url));
/** What stands in the folder of a form, as its users pass it. */
const PATHS: Readonly<Record<string, string>> = {
  memo: "mine",
  beir: "scifact",
  locomo: "locomo10.json",
  longmemeval: "longmemeval_s_cleaned.json",
};

for (const { kind } of LOADERS) {
  Deno.test(`openSuite() reads the form ${kind}`, () => {
    const { suite, ...rest } = openSuite(join(SUITES, kind, PATHS[kind]!));
    assert.equal(rest.kind, kind);
    const qrels = Object.fromEntries(
      [...suite.qrels].map(([query, grades]) => [query, Object.fromEntries(grades)]),
    );
    const expected = JSON.parse(readFileSync(join(SUITES, "expected", `${kind}.json`), "utf8"));
    assert.deepEqual({ ...suite, qrels }, expected);
  });
}

Deno.test("openSuite() says what it takes when it is given something else", () => {
  using temp = temporaryFolder();
  const isMemoError = (kind: string) => (error: unknown) =>
    error instanceof MemoError && error.kind === kind && error.hint !== undefined;
  assert.throws(() => openSuite(temp.path), isMemoError("usage"));
  assert.throws(() => openSuite(join(temp.path, "nowhere")), isMemoError("not-found"));
});

Deno.test("openSuite() names file and line of what is not JSON", () => {
  using temp = temporaryFolder();
  cpSync(join(SUITES, "memo", "mine"), temp.path, { recursive: true });
  writeFileSync(join(temp.path, "queries.jsonl"), '{"id":"q1","text":"?"}\n{oops\n');
  assert.throws(() => openSuite(temp.path), /queries\.jsonl`: line 2 is not JSON/);
});

Deno.test("suitesIn() lists the suites of a folder, and nothing else in it", () => {
  assert.deepEqual(suitesIn(join(SUITES, "memo")), ["mine", "priced", "toy"]);
  for (const none of [".", "nowhere"]) assert.deepEqual(suitesIn(join(SUITES, none)), []);
});
