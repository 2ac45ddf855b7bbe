// CLAUDE.md and what belongs to it, and Claude Code's own notes, as memories.

import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findImportable, placesThatAre, readPlaces } from "../../src/features/import/mod.ts";
import type { ImportPlace } from "../../src/features/import/record.ts";
import { sourceNamed } from "../../src/features/import/sources.ts";
import { autoFolder } from "../../src/core/memory/scopes.ts";
import { importInto, test } from "./support.ts";

function lay(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** The records of all places of a source as `scope type name: description`, and what is skipped. */
async function read(name: string, place: ImportPlace) {
  const source = sourceNamed(name);
  const { records, skipped } = await readPlaces(source, placesThatAre(source, place), place);
  return {
    lines: records.map(({ scope, content: { type, name, description } }) =>
      `${scope} ${type} ${name}${description ? `: ${description}` : ""}`
    ),
    records,
    skipped: skipped.map(({ what, because }) => `${what}: ${because}`),
  };
}

test("claude-md takes all of the project's and the user's instructions, each where it applies", async ({ place, folder }) => {
  lay(folder.path, {
    "shop/CLAUDE.md": "# Shop\n\n- Money is an integer number of pence\n\n@AGENTS.md\n",
    "shop/AGENTS.md": "- Never push to the main branch\n",
    "shop/CLAUDE.local.md": "- The staging database is db-stg:5439\n",
    "shop/.claude/rules/api/rest.md":
      '---\npaths: ["src/api/**/*.ts"]\n---\n\n- Every endpoint has an OpenAPI example\n',
    ".claude/CLAUDE.md": "- Answer me in British English\n\nSee @~/notes/style.md for the rest.\n",
    ".claude/rules/git.md": "- Write commit subjects in the imperative\n",
    "notes/style.md": "- Prefer plain words over jargon\n",
  });
  const { lines, records, skipped } = await read("claude-md", place);
  assert.deepEqual(
    lines.toSorted(),
    [
      "project feedback Never push to the main branch",
      "project project Every endpoint has an OpenAPI example",
      "project project Money is an integer number of pence",
      "project project The staging database is db-stg:5439",
      "user feedback Answer me in British English",
      "user feedback Prefer plain words over jargon",
      "user project See @~/notes/style.md for the rest",
      "user feedback Write commit subjects in the imperative",
    ].toSorted(),
  );
  assert.deepEqual(skipped, []);
  const rest = records.find(({ content }) => content.name?.startsWith("Every endpoint"));
  assert.match(rest!.content.body, /Applies to `src\/api\/\*\*\/\*\.ts`\.$/);
  const found = await findImportable(place);
  assert.equal(found.filter(({ source }) => source === "claude-md").length, 6);
  const source = sourceNamed("claude-md");
  const path = join(place.cwd, "CLAUDE.md");
  const first = await importInto(place, source, path);
  assert.equal(first.written.length, 2);
  const again = await importInto(place, source, path);
  assert.deepEqual([again.steps.length, again.same], [0, 2]);
});

test("an include leads to no file outside the project, in a hidden folder, or round in circles", async ({ place, folder }) => {
  const chain = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [
      `shop/deep/${i}.md`,
      `- Rule number ${i} of the chain\n\n@./${i + 1}.md\n`,
    ]),
  );
  lay(folder.path, {
    "secret.md": "- The secret is out now\n",
    "shop/.hidden/key.md": "- A hidden key is here\n",
    "shop/loop.md": "- The loop says this once\n\n@CLAUDE.md\n",
    ...chain,
    "shop/CLAUDE.md": [
      "@../secret.md",
      "@~/secret.md",
      "@link.md",
      "@.hidden/key.md",
      "@missing.md",
      "@loop.md",
      "@deep/0.md",
      "`@../secret.md` and",
      "```",
      "@../secret.md",
      "```",
    ].join("\n"),
  });
  symlinkSync(join(folder.path, "secret.md"), join(place.cwd, "link.md"));
  const { lines, records, skipped } = await read("claude-md", place);
  assert.ok(!records.some(({ content: { body } }) => /secret is out|hidden key|@\w/.test(body)));
  assert.equal(lines.filter((line) => line.includes("The loop says this once")).length, 1);
  assert.deepEqual(
    lines.filter((line) => line.includes("chain")).map((line) => /\d/.exec(line)![0]),
    ["0", "1", "2", "3", "4"],
  );
  assert.deepEqual(skipped.map((line) => line.replaceAll(folder.path, "~")), [
    ...["@../secret.md", "@~/secret.md", "@link.md"].map((what) =>
      `${what}: it is outside \`~/shop\`; use \`memo import claude-md PATH\``
    ),
    "@.hidden/key.md: it is in a hidden folder",
    "@missing.md: no such file",
    "@./5.md: includes are nested more than 5 deep",
  ]);
});

test("a repository's CLAUDE.md that is a link out of it is not read, and the others are", async ({ place, folder }) => {
  lay(folder.path, {
    "secret.md": "- The secret is out now\n",
    "shop/AGENTS.md": "- Never push to the main branch\n",
  });
  symlinkSync(join(folder.path, "secret.md"), join(place.cwd, "CLAUDE.md"));
  const { lines, skipped } = await read("claude-md", place);
  assert.deepEqual(lines, ["project feedback Never push to the main branch"]);
  assert.match(skipped.join(), /CLAUDE\.md: .*it links outside the project/);
});

test("claude-md follows a path that stands for a link, reads UTF-16, and says what tools wrote", async ({ place }) => {
  lay(place.cwd, {
    "CLAUDE.md": "docs/agents.md\n",
    "docs/agents.md": "<!-- BEGIN:x -->\n- Not by a person\n<!-- END:x -->\n- Money is pence\n",
    "CLAUDE.local.md": "gone.md",
  });
  const wide = Buffer.from("\ufeff- Dates are stored in UTC\n- Größe ist in Metern\n", "utf16le");
  writeFileSync(join(place.cwd, "AGENTS.md"), wide);
  const { lines, skipped } = await read("claude-md", place);
  assert.deepEqual(lines, [
    "project project Money is pence",
    "project project gone.md",
    "project project Dates are stored in UTC",
    "project project Größe ist in Metern",
  ]);
  assert.deepEqual(skipped, ["<!-- BEGIN:x -->: a tool generates this block"]);
});

test("auto-memory takes the facts in MEMORY.md itself, but not its lines about notes", async ({ place }) => {
  const auto = autoFolder(place);
  lay(auto, {
    "MEMORY.md": [
      "User prefers squash merges",
      "Staging db is db-stg:5439",
      "- [Payments](payments.md): retries and refunds",
      "- [Billing](gone.md): the note is not there any more",
      "",
      "## Conventions",
      "- Dates are stored in UTC",
    ].join("\n"),
    "payments.md": "---\nname: Payments\n---\n\nRefunds go through Adyen.\n",
  });
  const { lines, skipped } = await read("auto-memory", place);
  assert.deepEqual(skipped, ["gone.md: no such file, but `MEMORY.md` lists it"]);
  assert.deepEqual(lines, [
    "project project Payments: Refunds go through Adyen.",
    "project project User prefers squash merges",
    "project project Staging db is db-stg:5439",
    "project pattern Dates are stored in UTC",
  ]);
  const listed = (await findImportable(place)).map(({ source, records }) => [source, records]);
  assert.deepEqual(listed, [["auto-memory", 4]]);
});
