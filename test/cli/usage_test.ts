// What a person and a program get for a command line that fails; the usual slips are in test/snapshots/errors.txt.

import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";

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
