import assert from "node:assert/strict";
import fc from "fast-check";
import { titleOf } from "../../src/core/memory/title.ts";

const EXAMPLES: readonly (readonly [text: string, name: string, sentence: string])[] = [
  ["Use pnpm, never npm", "Use pnpm, never npm", "Use pnpm, never npm"],
  ["Use pnpm. It is faster.", "Use pnpm", "Use pnpm."],
  ["Prefer tools, e.g. pnpm, that are fast.", "Prefer tools, e.g. pnpm, that are fast", ""],
  ["# A heading\nand text", "A heading", "A heading"],
  ["- first\n- second", "first", "first"],
  ["\n\n  wrapped\nsentence ends. Next", "wrapped sentence ends", "wrapped sentence ends."],
  ["用 pnpm。不用 npm。", "用 pnpm", "用 pnpm。"],
  ["Never call `save!` in a callback.", "Never call `save!` in a callback", ""],
  ["Call `a?` Then `b`.", "Call `a?` Then `b`", ""],
  ["Really?! Yes", "Really?!", "Really?!"],
  ["wait...", "wait...", "wait..."],
  ["", "", ""],
];

for (const [text, name, sentence] of EXAMPLES) {
  Deno.test(`titleOf() of ${JSON.stringify(text)} is ${JSON.stringify(name)}`, () => {
    assert.deepEqual(titleOf(text), { name, sentence: sentence || (name && `${name}.`) });
  });
}

for (
  const first of [
    "Send the St. Gallen office a copy of each release note",
    "Am 7. Januar ist Freeze",
    "Jede 3. Woche ist Freeze",
    "Sichere z. B. die Tabelle orders vor der Migration",
    "Sichere z.B. Tabellen, d.h. Schemas und Daten",
    "El Sr. Pérez decide las fechas",
    "Keep approx. 5 GB free",
    "Ask Prof. Li, Dr. Meyer or Mrs. P. Jones",
    "Lege Branches bzw. Tags an",
    "The server answers on 8080",
    "The suite takes until 07:30",
    "Deploys wait for version 1.2",
    "Install everything with pnpm",
    "The backup lives in Zurich",
  ]
) {
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
