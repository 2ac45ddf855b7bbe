import assert from "node:assert/strict";
import { join } from "node:path";
import { withGlobs } from "../../src/core/memory/applies.ts";
import { readRules } from "../../src/core/recall/rules_read.ts";
import { test } from "../import/support.ts";
import { indexedMemory } from "../support/index.ts";
import { layFiles } from "../support/temp.ts";

const NPM = "Use pnpm, never npm, in this repository";
const MONEY = "Never: Store money as a float";

/** The files of a home, the session's folder, and which of two imported memories Claude Code has read. */
const ROWS: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  read: readonly string[],
  cwd?: string,
])[] = [
  ["CLAUDE.md", {
    "shop/CLAUDE.md": `# Shop\n\n- ${NPM}\n\n## Never\n\n- Store money as a float\n`,
  }, [
    NPM,
    MONEY,
  ]],
  ["what it includes", { "shop/CLAUDE.md": "@docs/rules.md", "shop/docs/rules.md": `- ${NPM}` }, [
    NPM,
  ]],
  ["AGENTS.md", { "shop/AGENTS.md": `- ${NPM}` }, [NPM]],
  [
    "no AGENTS.md beside a CLAUDE.md",
    { "shop/AGENTS.md": `- ${NPM}`, "shop/CLAUDE.md": "Hello" },
    [],
  ],
  ["the person's own", { ".claude/CLAUDE.md": `- ${NPM}`, ".claude/rules/a.md": MONEY }, [
    NPM,
    MONEY,
  ]],
  ["a rule of every file", { "shop/.claude/rules/a.md": `- ${NPM}` }, [NPM]],
  ["none of some files", { "shop/.claude/rules/a.md": `---\npaths: src/**\n---\n- ${NPM}` }, []],
  ["no nested file", { "shop/packages/api/CLAUDE.md": `- ${NPM}` }, []],
  [
    "a nested file where it is",
    { "shop/packages/api/CLAUDE.md": `- ${NPM}` },
    [NPM],
    "packages/api",
  ],
  ["no other agent's file", { "shop/GEMINI.md": `- ${NPM}`, "shop/.cursorrules": `- ${NPM}` }, []],
  ["nothing that the file no longer says", { "shop/CLAUDE.md": "- Use npm, never pnpm" }, []],
];

test("what Claude Code reads of its rule files is known", ({ place, folder }) => {
  for (const [i, [what, files, expected, cwd = ""]] of ROWS.entries()) {
    const home = join(folder.path, `${i}`);
    layFiles(home, { "shop/.git/HEAD": "", ...files });
    const at = { home, claude: join(home, ".claude"), cwd: join(home, "shop", cwd) };
    const isRead = readRules({ ...place, ...at });
    const found = [NPM, MONEY].filter((body) =>
      isRead(indexedMemory(1, {
        ...{ name: body, importedFrom: "rules" },
        body: withGlobs(body, cwd === "" ? [] : [`${cwd}/**`]),
      }))
    );
    assert.deepEqual(found, expected, what);
  }
  return Promise.resolve();
});

test("of memories that were not imported only those that are a line of the file are known", ({ place, folder }) => {
  layFiles(folder.path, { "shop/CLAUDE.md": `- ${NPM}\n- Money is an integer number of pence\n` });
  const isRead = readRules(place);
  const rows: [body: string, is: boolean][] = [
    [NPM, true],
    ["Use npm, never pnpm, in this repository", false],
    ["Money is an integer number of pence, but in the invoices", false],
  ];
  for (const [body, is] of rows) assert.equal(isRead(indexedMemory(1, { name: body, body })), is);
  return Promise.resolve();
});
