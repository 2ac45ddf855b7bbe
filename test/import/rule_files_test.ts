// The rule files of agents, and Claude Code's own notes, as memories.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  findImportable,
  placesThatAre,
  readPlaces,
  recognise,
} from "../../src/features/import/mod.ts";
import { globsIn } from "../../src/core/memory/applies.ts";
import type { ImportPlace } from "../../src/features/import/record.ts";
import { sourceNamed } from "../../src/features/import/sources.ts";
import { autoFolder } from "../../src/core/memory/scopes.ts";
import { layFiles } from "../support/temp.ts";
import { importInto, test } from "./support.ts";

/** The records of all places of a source as `scope type name: description`, and what is skipped. */
async function read(name: string, place: ImportPlace) {
  const source = sourceNamed(name);
  const { records, skipped } = await readPlaces(source, await placesThatAre(source, place), place);
  return {
    lines: records.map(({ scope, content: { type, name, description } }) =>
      `${scope} ${type} ${name}${description ? `: ${description}` : ""}`
    ),
    records,
    skipped: skipped.map(({ what, because }) => `${what}: ${because}`),
  };
}

test("rules takes all of the project's and the user's instructions, each where it applies", async ({ place, folder }) => {
  layFiles(folder.path, {
    "shop/CLAUDE.md": "# Shop\n\n- Money is an integer number of pence\n\n@AGENTS.md\n",
    "shop/AGENTS.md": "- Never push to the main branch\n",
    "shop/CLAUDE.local.md": "- The staging database is db-stg:5439\n",
    "shop/.claude/rules/api/rest.md":
      '---\npaths: ["src/api/**/*.ts"]\n---\n\n- Every endpoint has an OpenAPI example\n',
    ".claude/CLAUDE.md": "- Answer me in British English\n\nSee @~/notes/style.md for the rest.\n",
    ".claude/rules/git.md": "- Write commit subjects in the imperative\n",
    "notes/style.md": "- Prefer plain words over jargon\n",
  });
  const { lines, records, skipped } = await read("rules", place);
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
  assert.equal(found.filter(({ source }) => source === "rules").length, 6);
  const source = sourceNamed("rules");
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
  layFiles(folder.path, {
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
  const { lines, records, skipped } = await read("rules", place);
  assert.ok(!records.some(({ content: { body } }) => /secret is out|hidden key|@\w/.test(body)));
  assert.equal(lines.filter((line) => line.includes("The loop says this once")).length, 1);
  assert.deepEqual(
    lines.filter((line) => line.includes("chain")).map((line) => /\d/.exec(line)![0]),
    ["0", "1", "2", "3", "4"],
  );
  assert.deepEqual(skipped.map((line) => line.replaceAll(folder.path, "~")), [
    ...["@../secret.md", "@~/secret.md", "@link.md"].map((what) =>
      `${what}: it is outside \`~/shop\`; use \`memo import rules PATH\``
    ),
    "@.hidden/key.md: it is in a hidden folder",
    "@missing.md: no such file",
    "@./5.md: includes are nested more than 5 deep",
  ]);
});

test("a repository's CLAUDE.md that is a link out of it is not read, and the others are", async ({ place, folder }) => {
  layFiles(folder.path, {
    "secret.md": "- The secret is out now\n",
    "shop/AGENTS.md": "- Never push to the main branch\n",
  });
  symlinkSync(join(folder.path, "secret.md"), join(place.cwd, "CLAUDE.md"));
  const { lines, skipped } = await read("rules", place);
  assert.deepEqual(lines, ["project feedback Never push to the main branch"]);
  assert.match(skipped.join(), /CLAUDE\.md: .*it links outside the project/);
});

test("rules follows a path that stands for a link, reads UTF-16, and says what tools wrote", async ({ place }) => {
  layFiles(place.cwd, {
    "CLAUDE.md": "docs/agents.md\n",
    "docs/agents.md": "<!-- BEGIN:x -->\n- Not by a person\n<!-- END:x -->\n- Money is pence\n",
    "CLAUDE.local.md": "gone.md",
  });
  const wide = Buffer.from("\ufeff- Dates are stored in UTC\n- Größe ist in Metern\n", "utf16le");
  writeFileSync(join(place.cwd, "AGENTS.md"), wide);
  const { lines, skipped } = await read("rules", place);
  assert.deepEqual(lines, [
    "project project Money is pence",
    "project project gone.md",
    "project project Dates are stored in UTC",
    "project project Größe ist in Metern",
  ]);
  assert.deepEqual(skipped, ["<!-- BEGIN:x -->: a tool generates this block"]);
});

/** Makes a real repository of a folder: git lists its files. */
function repositoryAt(path: string): void {
  rmSync(join(path, ".git"), { recursive: true });
  execFileSync("git", ["init", "-q", path]);
}

/** Each kind of rule file in its real form: its path, its text, and its memories with what they apply to. */
const KINDS: readonly (readonly [path: string, text: string, memories: readonly string[]])[] = [
  [".cursorrules", "You are an expert in Rust.\n\n- Use tabs in all files\n", [
    "You are an expert in Rust",
    "Use tabs in all files",
  ]],
  [
    ".cursor/rules/api.mdc",
    "---\ndescription: for the API\nglobs: src/api/**,!src/api/gen/**,*.{ts,tsx}\nalwaysApply: false\n---\n\n- Validate input with zod\n",
    ["Validate input with zod | src/api/**, **/*.{ts,tsx}"],
  ],
  [
    ".cursor/rules/base.mdc",
    "---\nglobs: src/**\nalwaysApply: true\n---\n- Never log a token\n",
    ["Never log a token"],
  ],
  ["GEMINI.md", "# Shop\n\n- Never touch gen/ by hand\n", ["Never touch gen/ by hand"]],
  ["QWEN.md", "- Answer in Chinese, always\n", ["Answer in Chinese, always"]],
  [".github/copilot-instructions.md", "Never push to main.\n", ["Never push to main"]],
  [
    ".github/instructions/tests/py.instructions.md",
    '---\napplyTo: "**/*_test.py"\n---\n- Use pytest fixtures in tests\n',
    ["Use pytest fixtures in tests | **/*_test.py"],
  ],
  [
    ".github/instructions/all.instructions.md",
    '---\napplyTo: "**"\n---\n- Never skip a test\n',
    ["Never skip a test"],
  ],
  [".clinerules/01-git.md", "- Never force push to main\n", ["Never force push to main"]],
  [
    ".clinerules/web.md",
    "---\npaths:\n  - web/**\n---\n- Always use the design system\n",
    ["Always use the design system | web/**"],
  ],
  [".windsurfrules", "- Keine Preise runden\n", ["Keine Preise runden"]],
  [
    ".windsurf/rules/api.md",
    "---\ntrigger: glob\nglobs: api/**\n---\n- Never return a raw error\n",
    ["Never return a raw error | api/**"],
  ],
  [".kilocode/rules/style.md", "- Use early returns, always\n", ["Use early returns, always"]],
  ["packages/api/AGENTS.md", "- Never use axios here\n", [
    "Never use axios here | packages/api/**",
  ]],
  [
    "packages/web/.cursor/rules/css.mdc",
    "---\nglobs: *.css\n---\n- Never use important\n",
    ["Never use important | packages/web/**/*.css"],
  ],
];

test("every agent's rule files are found, split, and say which files they apply to", async ({ place }) => {
  repositoryAt(place.cwd);
  layFiles(place.cwd, Object.fromEntries(KINDS.map(([path, text]) => [path, text])));
  layFiles(place.cwd, { ".github/instructions/readme.md": "- Not for an agent\n" });
  const source = sourceNamed("rules");
  const places = await placesThatAre(source, place);
  const { records, skipped } = await readPlaces(source, places, place);
  assert.deepEqual(skipped, []);
  for (const [path, , memories] of KINDS) {
    const its = records.filter(({ id }) => id.startsWith(`${path}#`)).map(({ content }) => {
      const globs = globsIn(content.body);
      return globs.length === 0 ? content.name : `${content.name} | ${globs.join(", ")}`;
    });
    assert.deepEqual(its, memories, path);
    assert.equal(await recognise(join(place.cwd, path), place), "rules", path);
  }
  assert.equal(records.length, KINDS.flatMap(([, , memories]) => memories).length);
});

test("nested rule files are found by git's list: none that it ignores, and no link out of the project", async ({ place, folder }) => {
  repositoryAt(place.cwd);
  layFiles(folder.path, { "secret.md": "- The secret is out now\n" });
  layFiles(place.cwd, {
    ".gitignore": "vendored\nCLAUDE.local.md\n",
    "CLAUDE.local.md": "- Only on this machine\n",
    "vendored/lib/AGENTS.md": "- Rules of somebody else\n",
    "packages/api/AGENTS.md": "- Never use axios here\n",
  });
  symlinkSync("AGENTS.md", join(place.cwd, "packages/api/CLAUDE.md"));
  mkdirSync(join(place.cwd, "packages/web"));
  symlinkSync(join(folder.path, "secret.md"), join(place.cwd, "packages/web/AGENTS.md"));
  for (const cwd of [place.cwd, join(place.cwd, "packages/api")]) {
    const source = sourceNamed("rules"), here = { ...place, cwd };
    const places = await placesThatAre(source, here);
    const { records, skipped } = await readPlaces(source, places, here);
    const names = new Set(records.map(({ content }) => content.name));
    assert.deepEqual([...names].sort(), ["Never use axios here", "Only on this machine"]);
    assert.match(skipped.map(({ because }) => because).join(), /it links outside the project/);
  }
});

test("what several rule files say is imported once, and what a file no longer says is archived", async ({ place }) => {
  layFiles(place.cwd, {
    "CLAUDE.md": "- Use pnpm, never npm\n- Money is an integer\n- Dates are in UTC\n",
    "AGENTS.md": "- Use pnpm, never npm\n",
  });
  const source = sourceNamed("rules");
  const whole = {
    ...source,
    read: async () => await readPlaces(source, await placesThatAre(source, place), place),
  };
  const first = await importInto(place, whole, "");
  assert.deepEqual(first.written.map(({ memory }) => memory.name), [
    "Use pnpm, never npm",
    "Money is an integer",
    "Dates are in UTC",
  ]);
  const [, money, dates] = first.written;
  writeFileSync(
    dates!.path,
    readFileSync(dates!.path, "utf8").replace("\nDates are in UTC", "\nDates are in UTC, always"),
  );
  layFiles(place.cwd, { "CLAUDE.md": "- Use pnpm, never npm\n" });
  const second = await importInto(place, whole, "");
  assert.deepEqual(second.steps.map(({ kind, memory }) => [kind, memory.name]), [
    ["retire", "Money is an integer"],
  ], "what was edited here stays");
  assert.deepEqual([existsSync(money!.path), existsSync(dates!.path)], [false, true]);
  assert.equal((await importInto(place, whole, "")).steps.length, 0);
});

test("a rule below another heading or in another file stays, and so do the rules of a file elsewhere", async ({ place, folder }) => {
  const source = sourceNamed("rules"), path = join(place.cwd, "CLAUDE.md");
  const take = async (path: string) => {
    const { steps } = await importInto(place, source, path);
    return steps.map(({ kind, memory }) => `${kind} ${memory.name}`);
  };
  layFiles(place.cwd, {
    "CLAUDE.md": "# Shop\n\n## Style\n\n- Use tabs in all files\n- Money is an integer number\n",
  });
  assert.equal((await take(path)).length, 2);
  layFiles(place.cwd, {
    "CLAUDE.md":
      "# Store\n\n## Conventions\n\n- Use tabs in all files\n- Money is an integer number\n",
  });
  assert.deepEqual(await take(path), []);
  layFiles(folder.path, { "other/CLAUDE.md": "- Answer in French, always\n" });
  assert.deepEqual(await take(join(folder.path, "other", "CLAUDE.md")), [
    "add Answer in French, always",
  ]);
  layFiles(place.cwd, {
    "CLAUDE.md": "- Use tabs in all files\n",
    "AGENTS.md": "- Money is an integer number\n",
  });
  const whole = {
    ...source,
    read: async () => await readPlaces(source, await placesThatAre(source, place), place),
  };
  assert.deepEqual((await importInto(place, whole, "")).steps, []);
});

test("in a linked work tree a rule file is the same as in the main one", async ({ place, folder }) => {
  repositoryAt(place.cwd);
  layFiles(place.cwd, { "packages/api/AGENTS.md": "- Never use axios here\n" });
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", place.cwd, ...args]);
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "Add it");
  const ids: string[] = [];
  for (const tree of [join(folder.path, "beside"), join(place.cwd, ".claude", "trees", "x")]) {
    git("worktree", "add", "-q", tree);
    const here = { ...place, cwd: tree }, path = join(tree, "packages", "api", "AGENTS.md");
    const { records: [record] } = await sourceNamed("rules").read(path, here);
    ids.push(record!.id);
    assert.deepEqual(globsIn(record!.content.body), ["packages/api/**"]);
  }
  const main = await sourceNamed("rules").read(join(place.cwd, "packages/api/AGENTS.md"), place);
  assert.deepEqual(ids, [main.records[0]!.id, main.records[0]!.id]);
});

test("memories that were imported as claude-md are known again", async ({ place }) => {
  layFiles(place.cwd, { "CLAUDE.md": "- Use pnpm, never npm\n" });
  const source = sourceNamed("claude-md");
  assert.equal(source.name, "rules");
  const path = join(place.cwd, "CLAUDE.md");
  const { written: [memory] } = await importInto(place, { ...source, name: "claude-md" }, path);
  assert.match(readFileSync(memory!.path, "utf8"), /import: claude-md/);
  layFiles(place.cwd, { "CLAUDE.md": "- Use pnpm, never npm\n\nMoney is pence.\n" });
  const again = await importInto(place, source, path, { formerly: source.formerly });
  assert.deepEqual(again.steps.map(({ memory }) => memory.name), ["Money is pence"]);
});

test("auto-memory takes the facts in MEMORY.md itself, but not its lines about notes", async ({ place }) => {
  const auto = autoFolder(place);
  layFiles(auto, {
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
