import assert from "node:assert/strict";
import fc from "fast-check";
import GLOSSARY from "../../../src/core/text/language/glossary.txt" with { type: "text" };
import { inEnglish, isForeign } from "../../../src/core/text/language/english.ts";
import { readRows } from "../../support/fixtures.ts";
import { Query } from "../../../src/core/index/query.ts";
import { stem } from "../../../src/core/text/analyze.ts";

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

Deno.test("a function word that is written as a call is a name", () => {
  const isName = (text: string, word: string) => !new Query(text).isFunctionWord(word);
  assert.ok(isName("use :has() for the card", "has"));
  assert.ok(isName("chain .not(active) on it", "not"));
  assert.ok(isName("what does all() return", "all"));
  assert.ok(!isName("it has (as before) no parent", "has"));
  assert.ok(!isName("if(x) then what", "if"));
});

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
