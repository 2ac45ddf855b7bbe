import assert from "node:assert/strict";
import fc from "fast-check";
import { fileName, slug } from "../../src/core/memory/title.ts";
import { readRows } from "../support/fixtures.ts";

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
