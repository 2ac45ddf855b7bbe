// What the documents say of tables is what those say: `deno task docs` fills it in.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { refused, SETTINGS, variableOf } from "../src/core/settings/table.ts";
import { BLOCKS, DOCUMENTS } from "../tools/docs/blocks.ts";
import { fill } from "../tools/docs/fill.ts";
import { markdownTable, paragraph } from "../tools/docs/table.ts";

for (const document of DOCUMENTS) {
  Deno.test(`${document} says what the tables say (else: deno task docs)`, () => {
    const text = readFileSync(new URL(`../${document}`, import.meta.url), "utf8");
    assert.match(text, /<!-- generated: /);
    assert.equal(text, fill(text, BLOCKS));
  });
}

Deno.test("every relative link in a document leads to a file", () => {
  const root = new URL("../", import.meta.url);
  const pages = ["", "docs/", "bench/"].flatMap((folder) =>
    readdirSync(new URL(folder, root)).filter((name) => name.endsWith(".md"))
      .map((name) => new URL(folder + name, root))
  );
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(new URL(target, page)))
      .map((target) => `${page.pathname.slice(root.pathname.length)}: ${target}`)
  );
  assert.ok(pages.length > 10);
  assert.deepEqual(broken, []);
});

/** Words that a person has written: without generated tables, and without programs and files that are shown. */
function wordsIn(document: string): number {
  const written = readFileSync(new URL(`../${document}`, import.meta.url), "utf8")
    .replace(/<!-- generated: [^]*?<!-- \/generated -->/g, "")
    .replace(/^```(\w*)\n([^]*?)^```$/gm, (_, language, text) => language === "sh" ? text : "");
  return written.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

Deno.test("README.md takes minutes to read, and the ten pages of docs/ less than an hour, i43", () => {
  const pages = readdirSync(new URL("../docs", import.meta.url)).filter((name) =>
    name.endsWith(".md")
  );
  const counts = Object.fromEntries(pages.map((name) => [name, wordsIn(`docs/${name}`)]));
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.ok(wordsIn("README.md") <= 700, `README.md has ${wordsIn("README.md")} words`);
  assert.ok(pages.length <= 10, `docs/ has ${pages.length} pages: ${pages.join(", ")}`);
  assert.ok(all > 5000 && all <= 8500, `docs/ has ${all} words: ${JSON.stringify(counts)}`);
});

Deno.test("The tables of settings have no variable where none can set the setting", () => {
  const tables = ["settings", "rare-settings"].map((name) => BLOCKS[name]!()).join("\n");
  for (const { key, narrow } of SETTINGS) {
    assert.equal(tables.includes(`\`${variableOf(key)}\``), narrow !== refused, key);
  }
});

Deno.test("Every block stands in some document", () => {
  const all = DOCUMENTS.map((document) =>
    readFileSync(new URL(`../${document}`, import.meta.url), "utf8")
  ).join("");
  for (const name of Object.keys(BLOCKS)) {
    assert.ok(all.includes(`<!-- generated: ${name} -->\n`), name);
  }
});

Deno.test("fill() replaces what is between the marks, twice the same, and refuses an unknown block", () => {
  const text = "a\n<!-- generated: x -->\nold\n<!-- /generated -->\nb\n";
  const filled = fill(text, { x: () => "new $&" });
  assert.equal(filled, "a\n<!-- generated: x -->\n\nnew $&\n\n<!-- /generated -->\nb\n");
  assert.equal(fill(filled, { x: () => "new $&" }), filled);
  assert.throws(() => fill(text, {}), /x/);
});

Deno.test("Tables and paragraphs are laid out as `deno fmt` does", () => {
  assert.equal(
    markdownTable(["", "n"], [["a|b", "1"], ["ccc", "22222"]], { figuresFrom: 1 }),
    "|      |     n |\n| ---- | ----: |\n| a\\|b |     1 |\n| ccc  | 22222 |",
  );
  assert.equal(
    paragraph(`${"x".repeat(60)} ${"y".repeat(39)} z`),
    `${"x".repeat(60)} ${"y".repeat(39)}\nz`,
  );
});
