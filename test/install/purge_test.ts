import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { purgeState } from "../../src/features/install/install.ts";
import { pathsFor, stateEntries } from "../../src/paths.ts";
import { makeHome, runMemo } from "../support/home.ts";

Deno.test("purgeState() deletes everything that memo may put into its state folder", async () => {
  await using home = makeHome({}, { isUnpacked: false, mayBeSent: false, hasModel: true });
  const paths = pathsFor(home.env);
  for (const path of stateEntries(paths)) {
    mkdirSync(dirname(path), { recursive: true });
    if (path !== paths.run) writeFileSync(path, "x");
  }
  writeFileSync(join(home.memoHome, ".0123456789abcdef.tmp"), "x");
  // A path that is named in `Paths`, lies in the state folder and is left out here would be left over there.
  const { config: _, extractPrompt: __, ...named } = paths;
  const inState = Object.values(named).filter((path) => dirname(path) === home.memoHome);
  assert.deepEqual(inState.filter((path) => !stateEntries(paths).includes(path)), []);
  assert.ok(inState.length > 10);
  purgeState(paths);
  assert.equal(existsSync(home.memoHome), false);
});

Deno.test("memo uninstall --purge leaves nothing of what memo has done in its state folder (r9)", async () => {
  await using home = makeHome({}, { isUnpacked: false, mayBeSent: false, hasModel: true });
  mkdirSync(join(home.project, ".git"));
  const run = async (...args: string[]) => await runMemo(home, args);
  await run("init");
  await run("add", "Use pnpm, never npm, for the installs of this repository");
  await run("add", "Staging is pegasus", "--scope", "shared");
  await run("daemon", "stop");
  writeFileSync(join(home.memoHome, "index.db"), "garbage");
  for (const side of ["-wal", "-shm"]) {
    rmSync(join(home.memoHome, `index.db${side}`), { force: true });
  }
  await run("search", "pnpm");
  assert.ok(existsSync(join(home.memoHome, "index.db.damaged")));
  for (const name of ["spending.jsonl", "spending.jsonl.1", "receipts.jsonl.1", "bench/v.bin"]) {
    home.write(`state/${name}`, "x");
  }
  const hook = { hook_event_name: "UserPromptSubmit", session_id: "s", prompt: "which installer" };
  const stdin = JSON.stringify({ ...hook, cwd: home.project });
  await runMemo(home, ["hook"], { stdin });
  const { code, stdout, stderr } = await run("uninstall", "--purge");
  assert.equal(code, 0, stderr);
  const removed = [...stdout.matchAll(/^(?:Deleted|Removed) .*$/gm)].map(([line]) => line);
  assert.deepEqual(removed, [...new Set(removed)], "each is deleted once");
  assert.ok(removed.some((line) => line.includes(".claude.json")));
  assert.ok(stdout.indexOf(removed.at(-1)!) < stdout.indexOf("Kept:"), stdout);
  assert.equal(existsSync(home.memoHome), false, readdirSync(home.root).join());
  assert.ok(
    existsSync(
      join(home.privately, "feedback_use-pnpm-never-npm-for-the-installs-of-this-repository.md"),
    ),
  );
});

Deno.test("purgeState() leaves memories, settings and what is not memo's", async () => {
  await using home = makeHome({}, { isUnpacked: false, mayBeSent: false, hasModel: true });
  for (const name of ["config.yaml", "notes.txt", "memory/a.md", "receipts.jsonl"]) {
    home.write(`state/${name}`, "x");
  }
  const env = { ...home.env, CLAUDE_CONFIG_DIR: home.memoHome };
  assert.deepEqual(purgeState(pathsFor(env)), [`${home.memoHome}/receipts.jsonl`]);
  assert.deepEqual(readdirSync(home.memoHome).sort(), ["config.yaml", "memory", "notes.txt"]);
});
