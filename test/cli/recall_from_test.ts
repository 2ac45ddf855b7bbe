// `memo recall --from`: what prompts would get of a file that is no store yet, before anything is installed.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { filesIn } from "../support/files.ts";
import { makeHome, runMemo } from "../support/home.ts";

const FILE = `# Shop
- Use pnpm, never npm
- Emails to customers are only in German

## Database
The local database listens on 5433, not 5432. Start it with \`just db\`.
`;

Deno.test("memo recall --from says what prompts would get of a CLAUDE.md, and leaves nothing, i43", async () => {
  await using home = makeHome({}, { isUnpacked: false, hasModel: true });
  home.write("project/CLAUDE.md", FILE);
  const before = filesIn(home.root);
  const prompts = [
    "¿por qué no conecta con la base de datos en local?",
    "install the dependencies with npm",
    "what is the capital of France?",
  ];
  const { code, stdout, stderr } = await runMemo(home, [
    ...["recall", "--from", "CLAUDE.md"],
    ...prompts,
    "--json",
  ]);
  assert.equal(code, 0, stderr);
  const { source, notes, start, prompts: given } = JSON.parse(stdout);
  assert.deepEqual([source, notes, start.titles.length], ["claude-md", 3, 3]);
  assert.match(start.block, /Use pnpm, never npm/);
  assert.deepEqual(given.map(({ prompt }: { readonly prompt: string }) => prompt), prompts);
  const names = given.map(({ memories }: { readonly memories: { readonly name: string }[] }) =>
    memories.map(({ name }) => name)
  );
  assert.deepEqual(names, [["Database"], ["Use pnpm, never npm"], []]);
  assert.deepEqual(filesIn(home.root), before);
  assert.deepEqual(readdirSync(home.env["TMPDIR"]!), []);
});

Deno.test("memo recall --from says in words what came, what came nearest, and that nothing was kept, i43", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.write("project/CLAUDE.md", FILE);
  const { stdout, stderr } = await runMemo(home, [
    ...["recall", "--from", "CLAUDE.md"],
    ...["why can't it reach the local database?", "what is the capital of France?"],
  ]);
  assert.match(stdout, /^3 notes in .*\n\nA session would start with 3 titles/);
  assert.match(stdout, /local database\?”\n {2}Database {2}0\.\d\d, needs 0\.35/);
  assert.match(stdout, /France\?”\n {2}Nothing with this prompt\. Nearest: “.*” 0\.\d\d, needs 0\.35/);
  assert.match(stderr, /Nothing was kept or installed; `memo init`/);
  const missing = await runMemo(home, ["recall", "--from", "nowhere.md", "a prompt"]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /nowhere\.md`: no such file or folder/);
});
