import assert from "node:assert/strict";
import fc from "fast-check";
import { inEnglish, isForeign } from "../../../src/core/text/language/english.ts";
import GLOSSARY from "../../../src/core/text/language/glossary.txt" with { type: "text" };
import { readRows } from "../../support/fixtures.ts";

for (const [text = "", english] of readRows("text/english.tsv")) {
  Deno.test(`inEnglish() makes \`${english}\` of \`${text}\``, () => {
    assert.equal(inEnglish(text)?.text, english);
  });
}

for (const text of [...readRows("text/english_already.txt").map(([text]) => text!), ""]) {
  Deno.test(`inEnglish() leaves \`${text}\` alone`, () => {
    assert.equal(isForeign(text), false);
    assert.equal(inEnglish(text), undefined);
  });
}

Deno.test("inEnglish() gives every English word that a word may stand for", () => {
  assert.deepEqual(inEnglish("la carpeta")?.words, ["folder", "directory"]);
});

Deno.test("inEnglish() takes any text", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const english = inEnglish(text);
    if (english !== undefined) assert.ok(english.words.length > 0 && english.text !== "");
  }));
});

Deno.test("the glossary is English words, then words of other languages, a line each", () => {
  for (const line of GLOSSARY.trim().split("\n")) {
    assert.match(line, /^[a-z]+( [a-z]+)*: [^\s:]+( [^\s:]+)*$/);
  }
});
