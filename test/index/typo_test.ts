import assert from "node:assert/strict";
import fc from "fast-check";
import { isOneTypoApart } from "../../src/core/index/words.ts";

for (const a of "migraton migrattion migratoin migratiom mgration".split(" ")) {
  Deno.test(`isOneTypoApart() takes ${a} for migration, either way round`, () => {
    assert.ok(isOneTypoApart(a, "migration") && isOneTypoApart("migration", a));
  });
}

Deno.test("isOneTypoApart() takes no word for itself, or for one that is two mistakes away", () => {
  for (const [a, b] of [["deploy", "deploy"], ["deploy", "depolyy"], ["cache", "catches"]]) {
    assert.ok(!isOneTypoApart(a!, b!));
  }
});

Deno.test("isOneTypoApart() sees any one letter left out", () => {
  const word = fc.stringMatching(/^[a-z]{2,12}$/);
  fc.assert(fc.property(word, fc.nat(), (text, n) => {
    const at = n % text.length;
    assert.ok(isOneTypoApart(text, text.slice(0, at) + text.slice(at + 1)));
  }));
});
