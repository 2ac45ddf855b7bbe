import assert from "node:assert/strict";
import fc from "fast-check";
import { fileName, freeNumber, slug, titleOf } from "../../src/core/memory/title.ts";
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
  assert.match(
    titleOf(`\`${"a ".repeat(60)}\``).name,
    /^`a a .* a`…$/,
    "unless it is all there is",
  );
});

Deno.test("titleOf() makes one short line of any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
    const { name, sentence } = titleOf(text);
    assert.ok([...name].length <= 80 && [...sentence].length <= 200);
    assert.ok(!/[\r\n]/.test(name + sentence));
    assert.ok((name + sentence).isWellFormed());
  }));
});

Deno.test("slug() makes one safe path component of any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const part = slug(text);
    assert.match(part, /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u);
    assert.ok(Buffer.byteLength(part) <= 170);
  }));
});

Deno.test("slug() changes nothing in a slug", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    assert.equal(slug(slug(text)), slug(text));
  }));
});

Deno.test("fileName() leaves room for the archive's stamp in the 255 bytes of a file name", () => {
  const long = fc.string({ unit: "grapheme", minLength: 80, maxLength: 400 });
  fc.assert(fc.property(long, long, (type, name) => {
    assert.ok(Buffer.byteLength(fileName(type, name)) <= 225);
  }));
});

const EXAMPLES = [
  ...readRows("memory/slugs.tsv"),
  ["x".repeat(300), "x".repeat(60)],
  ["記".repeat(300), "記".repeat(50)],
];

for (const [text = "", expected = ""] of EXAMPLES) {
  Deno.test(`slug() of ${JSON.stringify(text.slice(0, 30))} is ${expected.slice(0, 30)}`, () => {
    assert.equal(slug(text), expected);
  });
}

Deno.test("freeNumber() is the first free number, and asks for few of thousands", () => {
  for (const count of [0, 1, 2, 3, 7, 8, 100, 3000]) {
    let asked = 0;
    const found = freeNumber((n) => (asked++, n <= count));
    assert.equal(found, count + 1);
    assert.ok(asked <= 30, `${asked} for ${count}`);
  }
});

Deno.test("freeNumber() is free where there are gaps, too", () => {
  const taken = new Set([1, 2, 3, 4, 6, 9, 16, 17]);
  assert.equal(taken.has(freeNumber((n) => taken.has(n))), false);
});
