import assert from "node:assert/strict";
import fc from "fast-check";
import { stem } from "../../../src/core/text/analyze.ts";
import { readRows } from "../../support/fixtures.ts";

for (const forms of readRows("text/stems.tsv")) {
  Deno.test(`stem() takes ${forms.join(", ")} for one term`, () => {
    assert.equal(new Set(forms.map(stem)).size, 1, forms.map(stem).join(" "));
  });
}

Deno.test("stem() keeps words that only look inflected, and whatever is no plain word", () => {
  for (const term of ["string", "status", "class", "redis", "bus", "v2s", "数据", "straße"]) {
    assert.equal(stem(term), term);
  }
});

Deno.test("stem() never makes a term empty or longer", () => {
  fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (term) => {
    const short = stem(term);
    assert.ok(short.length > 0 && short.length <= term.length);
  }));
});
