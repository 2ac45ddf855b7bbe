// Instructions in Markdown, as memories: each item can be read alone, and no line is lost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { rulesOf } from "../../src/features/import/rules.ts";
import { written } from "../../src/features/import/split.ts";
import { fixture } from "./support.ts";

function memoriesOf(text: string) {
  return rulesOf(written(text).text, { prefix: "CLAUDE.md", scope: "project" })
    .map(({ content: { name = "", description = "", type = "", body } }) => ({
      ...{ name, description, type, body },
      all: `${name}\n${description}\n${body}`,
    }));
}

/** The rows of a table of `test/fixtures/import`. */
const rowsOf = <Row>(name: string): readonly Row[] =>
  readFileSync(fixture(name), "utf8").trim().split("\n").map((line) => JSON.parse(line));

type Form = readonly [what: string, text: string, names: readonly string[], lines?: string[]];

/** Of these, what forbids in no table's words: said in the name all the same. */
const UNKNOWN = ["a heading that no table knows", "a sign", "a word that begins like a topic"];

Deno.test("what forbids or limits a list stands in the name of each item, a rule", async (t) => {
  // Lists of which each item says the opposite without what leads to it.
  for (const [what, text, names] of rowsOf<Form>("leads.jsonl")) {
    await t.step(what, () => {
      const memories = memoriesOf(text);
      assert.deepEqual(memories.map(({ name }) => name), names);
      for (const { name, body } of memories) assert.equal(body, name, "its text says it, too");
      const types = new Set(memories.map(({ type }) => type));
      if (!UNKNOWN.includes(what)) assert.deepEqual([...types], ["feedback"]);
    });
  }
});

Deno.test("each form of instructions gives memories that can be read alone", async (t) => {
  for (const [what, text, names, lines] of rowsOf<Form>("forms.jsonl")) {
    await t.step(what, () => {
      const memories = memoriesOf(text);
      assert.deepEqual(memories.map(({ name }) => name), names);
      const line = ({ type, name, description }: typeof memories[number]) =>
        `${type} ${name}${description && ": "}${description}`;
      if (lines !== undefined) assert.deepEqual(memories.map(line), lines);
    });
  }
});

Deno.test("code below an item keeps its indentation, and loses that of the item", () => {
  const code = "```py\nif a:\n    b\n```";
  const nested = code.replace(/^/gm, "  ");
  for (const text of [`- Run it like this\n\n${code}`, `- Run it like this\n${nested}`]) {
    assert.ok(memoriesOf(text)[0]!.body.endsWith(code), text);
  }
});

Deno.test("comments are left out, and blocks that tools write, but nothing of code", () => {
  for (const [text, left, leftOut] of rowsOf<Form>("not_written.jsonl")) {
    assert.deepEqual(written(text), { text: left, leftOut }, text);
  }
});

/** A text with words of its own in each part, what must be kept of it, and what stands below a prohibition. */
interface Part {
  readonly text: string;
  readonly kept: readonly string[];
  readonly forbidden?: readonly string[];
}

let count = 0;
const word = fc.constant(undefined).map(() => `w${++count}x`);
const words = fc.array(word, { minLength: 2, maxLength: 6 });
const sentence = words.map((all) => ({ all, text: all.join(" ") }));
const ended = fc.constantFrom(".", "!", ":", "", "。");
const paragraph = fc.array(fc.tuple(sentence, ended), { minLength: 1, maxLength: 3 })
  .map((all): Part => ({
    text: all.map(([{ text }, end]) => text + end).join(" "),
    kept: all.flatMap(([{ all }]) => all),
  }));
const mark = fc.constantFrom("- ", "* ", "1. ", "- [ ] ", "  - ");
const list = fc.tuple(
  mark,
  fc.array(fc.tuple(sentence, fc.boolean()), { minLength: 1, maxLength: 4 }),
)
  .map(([mark, items]): Part => ({
    text: items.map(([{ text }, isNested]) =>
      isNested ? `${mark}${text.replace(" ", `\n${" ".repeat(mark.length)}- `)}` : mark + text
    ).join("\n"),
    kept: items.flatMap(([{ all }]) => all),
  }));
const forbidding = fc.tuple(fc.constantFrom("**Never:**", "Never:", "Never"), list)
  .map(([lead, { text, kept }]): Part => ({ text: `${lead}\n\n${text}`, kept, forbidden: kept }));
const code = sentence.map(({ text, all }): Part => ({
  text: `\`\`\`sh\n# ${text} <!-- ${all[0]} -->\n\n- ${text}\n\`\`\``,
  kept: all,
}));
const table = sentence.map(({ text, all }): Part => ({
  text: `| a | b |\n| --- | --- |\n| ${text} | ${all[0]} |`,
  kept: all,
}));
const comment = fc.constantFrom<Part>(
  { text: "<!-- gone:\n- gone -->", kept: [] },
  { text: "---", kept: [] },
  { text: "<!-- tool:START -->\n- gone\n<!-- tool:END -->", kept: [] },
);
const quote = sentence.map(({ text, all }): Part => ({ text: `> ${text}`, kept: all }));
const heading = fc.constantFrom<Part>(
  ...["# Shop", "## Rules", "### Money", "#### Testing", "Parts\n-----", "Shop\n===="]
    .map((text) => ({ text, kept: [] })),
);
const part = fc.oneof(heading, paragraph, list, forbidding, code, table, comment, quote);
const documents = fc.array(part, { maxLength: 12 });

Deno.test("no word of any document is lost, and what is forbidden stays so", () => {
  fc.assert(
    fc.property(documents, (parts) => {
      const memories = memoriesOf(parts.map(({ text }) => text).join("\n\n"));
      const all = memories.map(({ all }) => all).join("\n");
      for (const each of parts.flatMap(({ kept }) => kept)) assert.ok(all.includes(each), each);
      assert.ok(!all.includes("gone"));
      for (const each of parts.flatMap(({ forbidden = [] }) => forbidden)) {
        for (const { name, body } of memories) {
          const [before, after] = body.split(each, 2);
          if (after !== undefined) assert.match(`${name}\n${before}`, /Never/, each);
        }
      }
    }),
    { numRuns: 300 },
  );
});
