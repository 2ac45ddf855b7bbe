import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze, identifiersIn, queryTerms } from "../../src/core/text/analyze.ts";
import { readRows } from "../support/fixtures.ts";

Deno.test("analyze() folds case and marks, splits identifiers and CJK, and takes endings off", () => {
  for (const [text = "", ...terms] of readRows("text/terms.tsv")) {
    assert.deepEqual(analyze(text), terms, text);
  }
});

Deno.test("analyze() of any text gives terms that FTS5 keeps as they are", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    for (const term of analyze(text)) assert.match(term, /^[\p{L}\p{N}\p{M}ー々]+$/u);
  }));
});

Deno.test("queryTerms() names each term once", () => {
  assert.deepEqual(queryTerms("test the test"), ["test", "the"]);
});

Deno.test("identifiersIn() takes what is not an ordinary word", () => {
  const text =
    "Why does getUserById throw E1042 with PGBOUNCER_URL set in docker-compose since 2024, e.g. now";
  assert.deepEqual([...identifiersIn(text)], ["getuserbyid", "e1042", "pgbouncerurl"]);
});

Deno.test("a text of ASCII alone is cut as it is beside another letter", () => {
  const texts = [
    "getUserById of HTTPServer, parseURL2Path and node.js v1.2.3; snake_case, kebab-case, a-B.c_D",
    "E1042\tPGBOUNCER_URL\r\n'deploying' (libraries) x__y --flag=value 3.14 IDs iOS 2FA",
    "a.b.c -x- _y_ . - _ 10MB 0xFF UTF8String\u00a0and more",
  ];
  for (const text of texts) {
    assert.deepEqual(analyze(`${text} ü`), [...analyze(text), "u"]);
    assert.deepEqual(identifiersIn(`${text} ü`), identifiersIn(text));
  }
});
