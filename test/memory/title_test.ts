import assert from "node:assert/strict";
import fc from "fast-check";
import { titleOf } from "../../src/core/memory/title.ts";
import { readRows } from "../support/fixtures.ts";

for (const [text = "", name = "", sentence] of readRows("memory/titles.tsv")) {
  Deno.test(`titleOf() of ${JSON.stringify(text)} is ${JSON.stringify(name)}`, () => {
    assert.deepEqual(titleOf(text), { name, sentence: sentence || (name && `${name}.`) });
  });
}

for (const [first = ""] of readRows("memory/first_sentences.txt")) {
  Deno.test(`titleOf() of a text that begins with ${JSON.stringify(first)} is that sentence`, () => {
    assert.equal(titleOf(first).name, first);
    assert.equal(titleOf(`${first}. Nothing else is meant.`).name, first);
  });
}

Deno.test("titleOf() cuts a long sentence at a word, for the name shorter than for itself", () => {
  const { name, sentence } = titleOf("word ".repeat(100));
  assert.equal(name, "word ".repeat(15) + "word…");
  assert.equal([...sentence].length, 200);
});

Deno.test("titleOf() cuts no span of code", () => {
  const long =
    `Before each release of the shop tell operations and run \`make ship --to production\``;
  assert.equal(titleOf(long).name, "Before each release of the shop tell operations and run…");
  assert.match(titleOf(`\`${"a ".repeat(60)}\``).name, /^`a a .* a…$/, "unless it is all there is");
});

Deno.test("titleOf() makes one short line of any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
    const { name, sentence } = titleOf(text);
    assert.ok([...name].length <= 80 && [...sentence].length <= 200);
    assert.ok(!/[\r\n]/.test(name + sentence));
    assert.ok((name + sentence).isWellFormed());
  }));
});
