// Instructions in Markdown, as memories: each item can be read alone, and no line is lost.

import assert from "node:assert/strict";
import fc from "fast-check";
import { rulesOf } from "../../src/features/import/rules.ts";
import { written } from "../../src/features/import/split.ts";

function memoriesOf(text: string) {
  return rulesOf(written(text).text, { prefix: "CLAUDE.md", scope: "project" })
    .map(({ content: { name = "", description = "", type = "", body } }) => ({
      ...{ name, type, body },
      all: `${name}\n${description}\n${body}`,
    }));
}

/** Lists of which each item says the opposite without what leads to it, and the names of its memories. */
const LEADS: readonly (readonly [what: string, text: string, names: readonly string[]])[] = [
  ["an introduction in bold", "## Limits\n\n**Never:**\n\n- Print customer names in a log line", [
    "Never: Print customer names in a log line",
  ]],
  ["a colon behind the bold", "## Limits\n\n**Never**:\n- Print customer names in a log line", [
    "Never: Print customer names in a log line",
  ]],
  ["a label without a colon", "## Limits\n\nOff limits\n\n- Print customer names in a log line", [
    "Off limits: Print customer names in a log line",
  ]],
  ["a sentence in bold", "## Limits\n\n**Never do these.**\n\n- Push to main on a Friday", [
    "Never do these: Push to main on a Friday",
  ]],
  ["a heading", "## Do Not\n\n- Use `eval()` in the template engine", [
    "Do Not: Use `eval()` in the template engine",
  ]],
  ["a heading above the heading", "## Never\n\n### Database\n\n- Drop a table in production", [
    "Never: Database: Drop a table in production",
  ]],
  ["a heading above the introduction", "## Do not\n\nIn tests:\n\n- Sleep for a second or two", [
    "Do not: In tests: Sleep for a second or two",
  ]],
  ["a heading that ends like a topic", "## Forbidden patterns\n\n- Calling `setState` in render", [
    "Forbidden patterns: Calling `setState` in render",
  ]],
  ["a heading that no table knows", "## Anti-patterns\n\n- Calling `setState` in a render", [
    "Anti-patterns: Calling `setState` in a render",
  ]],
  ["a sign", "## ❌\n\n- Push to main on a Friday", ["❌: Push to main on a Friday"]],
  ["a tag", "<never_do>\n- Print the names of customers\n</never_do>", [
    "never do: Print the names of customers",
  ]],
  ["the title", "# What you must never do\n\n- Force push to a shared branch", [
    "What you must never do: Force push to a shared branch",
  ]],
  ["an underlined heading", "Never\n-----\n\n- Force push to a shared branch", [
    "Never: Force push to a shared branch",
  ]],
  ["numbers", "**Never:**\n\n1. Force push to main\n2. Rewrite a tag of ours", [
    "Never: Force push to main",
    "Never: Rewrite a tag of ours",
  ]],
  ["bare commands", "**Never:**\n\n- `git push --force`\n- `rm -rf`", [
    "Never: `git push --force`",
    "Never: `rm -rf`",
  ]],
  ["who is asked", "## Boundaries\n\n**Ask first:**\n\n- Modifying a workflow of CI", [
    "Ask first: Modifying a workflow of CI",
  ]],
  ["a condition", "## Before pushing\n\n- The changelog has a line for it", [
    "Before pushing: The changelog has a line for it",
  ]],
  ["German", "## Niemals\n\n- Kundennamen in ein Log schreiben", [
    "Niemals: Kundennamen in ein Log schreiben",
  ]],
  ["a word that begins like a topic", "## Testverbote\n\n- Die Uhr in einem Test lesen", [
    "Testverbote: Die Uhr in einem Test lesen",
  ]],
  ["Spanish", "**Nunca:**\n- Guardar un token en el repositorio", [
    "Nunca: Guardar un token en el repositorio",
  ]],
  ["Chinese", "## 禁止事项：\n\n- 直接推送到主分支", ["禁止事项: 直接推送到主分支"]],
];

/** Of these, what forbids in no table's words: said in the name all the same. */
const UNKNOWN = ["a heading that no table knows", "a sign", "a word that begins like a topic"];

Deno.test("what forbids or limits a list stands in the name of each item, a rule", async (t) => {
  for (const [what, text, names] of LEADS) {
    await t.step(what, () => {
      const memories = memoriesOf(text);
      assert.deepEqual(memories.map(({ name }) => name), names);
      for (const { name, body } of memories) assert.equal(body, name, "its text says it, too");
      const types = new Set(memories.map(({ type }) => type));
      if (!UNKNOWN.includes(what)) {
        assert.deepEqual([...types], ["feedback"]);
      }
    });
  }
});

/** Other forms, and the names of their memories. */
const FORMS: readonly (readonly [what: string, text: string, names: readonly string[]])[] = [
  [
    "what stands behind a list that forbids",
    "## Never\n\n- Push to main\n\nBefore pushing:\n\n1. Run the tests\n2. Run the linter\n\nReleases are cut on Fridays.",
    [
      "Never: Push to main",
      "Before pushing: Run the tests, Run the linter",
    ],
  ],
  [
    "text before the line that introduces a list",
    "## Deploy\n\nThe box is heron. Only Jo has the key. For each deploy:\n- Run `make ship` on it",
    ["Deploy: The box is heron", "For each deploy: Run `make ship` on it"],
  ],
  ["a topic", "## Coding rules\n\n## Rules\n\n- Run the tests before a commit", [
    "Run the tests before a commit",
  ]],
  ["a list behind a sentence that forbids", "Do not do these things.\n\n- Push on a Friday night", [
    "Do not do these things",
  ]],
  ["a long introduction", `Where ${"a rather long story goes on ".repeat(3)}:\n\n- Say it once`, [
    "Where a rather long story goes on a rather long story goes on a rather long…",
  ]],
  ["steps", "## Adding a page\n\n1. Create the file\n2. Add it to the menu\n3. Run the tests", [
    "Adding a page",
  ]],
  ["numbered rules", "## Rules\n\n1. Use tabs in all files\n2. Never commit a secret", [
    "Use tabs in all files",
    "Never commit a secret",
  ]],
  ["check boxes", "## Rules\n\n- [ ] Every bug has a test\n- [x] No test sleeps at all", [
    "Every bug has a test",
    "No test sleeps at all",
  ]],
  ["a heading that is the rule", "## Never push to main\n\n## Setup\n\nRun `make`.", [
    "Never push to main",
    "Setup",
  ]],
  ["a ruler below a sentence", "Money is pence.\n---\nDates are UTC.", ["Money is pence"]],
  ["two texts of one section", "## Data\n\nA is first.\n\n- Keep it in the table\n\nB is next.", [
    "Data: A is first",
    "Data: Keep it in the table",
    "Data: B is next",
  ]],
  ["an item that goes on without indentation", "- Money is an integer\nnumber of pence", [
    "Money is an integer number of pence",
  ]],
  ["a block of code behind an item", "- Run the checks like this\n\n```sh\nmake\n```", [
    "Run the checks like this",
  ]],
  ["an item with items", "- Keep these two in step:\n  - the schema\n  - the types", [
    "Keep these two in step: the schema, the types",
  ]],
  ["an item with items behind a tab", "- Keep these two in step:\n\t- the schema\n\t- types", [
    "Keep these two in step: the schema, types",
  ]],
  ["a pointer to a file above a list", "See @README.md for details\n\n- Run the tests first", [
    "See @README.md for details",
    "Run the tests first",
  ]],
  ["a span of code with a mark", "- Never call `save!` in a callback", [
    "Never call `save!` in a callback",
  ]],
];

Deno.test("each form of instructions gives memories that can be read alone", async (t) => {
  for (const [what, text, names] of FORMS) {
    await t.step(what, () => {
      assert.deepEqual(memoriesOf(text).map(({ name }) => name), names);
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

/** What is not by the author, and what is left. */
const NOT_WRITTEN: readonly (readonly [text: string, left: string, leftOut: readonly string[]])[] =
  [
    ["a <!-- b -->c", "a c", []],
    ["`<!--` and `-->`", "`<!--` and `-->`", []],
    ["``a ` <!-- b -->``", "``a ` <!-- b -->``", []],
    ["```\n<!-- a -->\n```", "```\n<!-- a -->\n```", []],
    ["<!-- ```\n--> a", " a", []],
    ["<!-- BEGIN:next -->\na\n<!-- END:next -->\nb", "\nb", ["<!-- BEGIN:next -->"]],
    ["<!-- x:START v2 -->\na\n<!-- x:END -->\nb", "\nb", ["<!-- x:START v2 -->"]],
    ["<!-- nx start-->a<!-- nx end-->b", "b", ["<!-- nx start-->"]],
    ["<!-- memo:briefing 1f, by memo -->\na\n<!-- /memo:briefing -->", "", [
      "<!-- memo:briefing 1f, by memo -->",
    ]],
    ["<!-- START doctoc -->\na\n<!-- END doctoc -->", "", ["<!-- START doctoc -->"]],
    ['<a-tool-block v="1">\na\n</a-tool-block>\nb', "\nb", ['<a-tool-block v="1">']],
    ["<!-- prettier-ignore-start -->\na\n<!-- prettier-ignore-end -->", "\na\n", []],
    ["<!-- start of a -->\nb\n<!-- end of a -->", "\nb\n", []],
    ["<rules>\na\n</rules>", "<rules>\na\n</rules>", []],
    ["<!-- x:START -->\na", "\na", []],
    ["<!-- a", "<!-- a", []],
  ];

Deno.test("comments are left out, and blocks that tools write, but nothing of code", () => {
  for (const [text, left, leftOut] of NOT_WRITTEN) {
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
