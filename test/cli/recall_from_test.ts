// `memo recall --from`: what prompts would get of a file that is no store yet, before anything is installed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fixture } from "../import/support.ts";
import { filesIn } from "../support/files.ts";
import { makeHome, MEMO, runMemo } from "../support/home.ts";

const FILE = `# Shop
- Use pnpm, never npm
- Emails to customers are only in German

## Database
The local database listens on 5433, not 5432. Start it with \`just db\`.
`;

const DATABASE = "Database: The local database listens on 5433, not 5432";

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
  assert.deepEqual([source, notes, start.titles.length], ["rules", 3, 3]);
  assert.match(start.block, /Use pnpm, never npm/);
  assert.deepEqual(given.map(({ prompt }: { readonly prompt: string }) => prompt), prompts);
  const names = given.map(({ memories }: { readonly memories: { readonly name: string }[] }) =>
    memories.map(({ name }) => name)
  );
  assert.deepEqual(names, [[DATABASE], ["Use pnpm, never npm"], []]);
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
  assert.match(stdout, /^3 memories in .*\n\nA session would start with 3 titles/);
  assert.match(
    stdout,
    new RegExp(`local database\\?”\n {2}${DATABASE} {2}0\\.\\d\\d, needs 0\\.35`),
  );
  assert.match(
    stdout,
    /France\?”\n {2}Nothing recalled\. Nearest: “.*” 0\.\d\d, needs 0\.35/,
  );
  assert.match(stderr, /Nothing was saved or installed\. Set up memo: `memo init`/);
  const missing = await runMemo(home, ["recall", "--from", "nowhere.md", "a prompt"]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /nowhere\.md`: no such file or folder/);
});

/** The prompts that README.md gives as examples. */
function promptsOfReadme(): string[] {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const part = /This tries a dozen prompts[^]*?\./.exec(readme)![0];
  return [...part.matchAll(/"([^"]+)"/g)].map(([, prompt]) => prompt!.replace(/\s+/g, " "));
}

Deno.test("memo recall --from tries usual prompts, and those of README.md get something of every file", async () => {
  await using home = makeHome({}, { hasModel: true });
  const wanted = promptsOfReadme();
  assert.ok(wanted.length >= 3);
  for (const name of ["shop.md", "cli.md", "service.md"]) {
    home.write("project/CLAUDE.md", readFileSync(fixture(`instructions/${name}`), "utf8"));
    const { stdout } = await runMemo(home, ["recall", "--from", "CLAUDE.md", "--json"]);
    const { prompts } = JSON.parse(stdout);
    const tried = prompts.map(({ prompt }: { readonly prompt: string }) => prompt);
    assert.deepEqual(wanted.filter((prompt) => !tried.includes(prompt)), [], name);
    for (const { prompt, memories } of prompts) assert.notDeepEqual(memories, [], prompt);
  }
  home.write("project/CLAUDE.md", FILE);
  const { stderr } = await runMemo(home, ["recall", "--from", "CLAUDE.md"]);
  assert.match(stderr, /^\d+ of 12 common prompts got a memory; pass your own as arguments$/m);
});

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").split(" ").map(Number).filter(Boolean) : [];
}

Deno.test({
  name:
    "memo recall --from takes what a killed one has left away, embeds as a command, and ends without a trace",
  ignore: process.platform !== "linux",
  async fn() {
    await using home = makeHome({}, { hasModel: true });
    const temporary = home.env["TMPDIR"]!;
    const gone = spawn("true");
    await once(gone, "exit");
    const [left, others] = [gone.pid, process.pid].map((pid) => `memo-try-${pid}-abc`);
    for (const name of [left!, others!, "memo-other"]) {
      mkdirSync(join(temporary, name, "prove"), { recursive: true });
    }
    const rules = Array.from({ length: 60 }, (_, i) => `- Part ${i} is built by team number ${i}`);
    home.write("project/CLAUDE.md", rules.join("\n"));

    const args = ["recall", "--from", "CLAUDE.md", "who builds part 7?"];
    const memo = spawn(MEMO, args, { cwd: home.project, env: home.env, stdio: "ignore" });
    const ended = once(memo, "exit");
    while (memo.exitCode === null && childrenOf(memo.pid!).length === 0) await sleep(5);
    const [embedding] = childrenOf(memo.pid!);
    assert.equal(getPriority(embedding!), getPriority(memo.pid!));
    memo.kill("SIGTERM");
    await ended;
    assert.deepEqual(readdirSync(temporary).sort(), ["memo-other", others].sort());
  },
});
