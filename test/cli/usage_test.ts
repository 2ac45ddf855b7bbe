// What a person and a program get for a command line that fails; the usual slips are in test/snapshots/errors.txt.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";

Deno.test("a text that begins with a dash is told from an option", async () => {
  await using home = makeHome();
  for (const text of ["--force is never used", "---\nname: X\n---\nbody"]) {
    const { code, stderr } = await runMemo(home, ["add", text]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^error: Cannot take a text .*\n\nhint: Put `--` before it: `memo add -- /,
    );
    await succeed(home, ["add", "--", text]);
  }
});

Deno.test("a command that fails with --json prints the error as JSON, and for people beside it", async () => {
  await using home = makeHome();
  const cases: readonly (readonly [args: string, code: number, kind: string])[] = [
    ["show nope --json", 1, "not-found"],
    ["list --json --nope", 2, "usage"],
    ["config get nope --json", 2, "usage"],
    ["show --source nope --json", 1, "not-found"],
  ];
  for (const [args, code, kind] of cases) {
    const finished = await runMemo(home, args.split(" "));
    const { error } = JSON.parse(finished.stdout);
    assert.deepEqual([finished.code, error.kind], [code, kind], args);
    assert.ok(finished.stderr.startsWith(`error: ${error.message}\n\nhint: ${error.hint}`), args);
  }
});

/** A home whose state cannot be had: a file lies in its place. */
async function withoutState(): Promise<Home> {
  const home = makeHome();
  const state = join(home.root, "file");
  writeFileSync(state, "");
  return await Promise.resolve({ ...home, env: { ...home.env, MEMO_HOME: state } });
}

Deno.test("where the state folder cannot be had, commands say so", async () => {
  await using home = await withoutState();
  home.write("a.md", "---\nname: A\n---\nUse pnpm.\n");
  await succeed(home, ["list"]);
  for (const args of [["search", "pnpm"], ["index"], ["daemon", "start"], ["daemon", "run"]]) {
    const { code, stderr } = await runMemo(home, args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /^error: Cannot .*\n\nhint: .*\n$/, args.join(" "));
  }
});

Deno.test("a text in place of a command leads to memo add, and -v to --version", async () => {
  await using home = makeHome();
  const text = await runMemo(home, ["Use pnpm"]);
  assert.match(text.stderr, /^hint: Run `memo add "Use pnpm"` to remember it\. Run `memo --help`/m);
  const version = await runMemo(home, ["-v"]);
  assert.match(version.stderr, /^hint: Did you mean `memo --version`\?/m);
});

const isRoot = process.getuid?.() === 0;

Deno.test({
  name:
    "a settings file that may not be written is an error that names it, and an index is made anew",
  ignore: isRoot || process.platform === "win32",
  async fn() {
    await using home = makeHome();
    await succeed(home, ["index"]);
    chmodSync(join(home.memoHome, "index.db"), 0o400);
    // The index is derived from the files: one that cannot be used is set aside, and made anew.
    const search = await runMemo(home, ["search", "pnpm"]);
    assert.match(search.stderr, /^No memory matches/);
    assert.ok(existsSync(join(home.memoHome, "index.db.damaged")));
    chmodSync(home.memoHome, 0o500);
    const set = await runMemo(home, ["config", "set", "recall.max_memories=3"]);
    assert.match(set.stderr, /^error: Cannot write `.*config\.yaml`: EACCES.*\n\nhint: /);
    chmodSync(home.memoHome, 0o700);
  },
});

Deno.test("settings of Claude Code's that are a folder, or a link to itself, are errors that name them", async () => {
  await using home = makeHome();
  mkdirSync(join(home.claude, "settings.json"));
  const { code, stderr } = await runMemo(home, ["init"]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^error: Cannot read `~\/\.claude\/settings\.json`: it is a folder, not a file\n\nhint: /,
  );
});
