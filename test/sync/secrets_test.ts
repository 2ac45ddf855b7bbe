import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { makeHome, runMemo } from "../support/home.ts";

Deno.test("a secret holds its file back without failing every sync, and the cure that is named works", async () => {
  await using home = makeHome();
  const remote = join(home.root, "remote.git");
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  const memo = (...args: string[]) => runMemo(home, args);
  const token = `ghp_${"a1B2".repeat(9)}`;
  const added = await memo("add", `The token is ${token}`, "--anyway", "--scope", "user");
  assert.equal(added.code, 0, added.stderr);
  await memo("add", "Deploys are on Tuesdays", "--scope", "user");
  const cure = /hint: Run `memo doctor --secrets --fix` to take the secrets out/;
  for (const args of [["sync", "init", remote], ["sync"], ["sync"]]) {
    const { code, stderr } = await memo(...args);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /not synced: `.*`: it seems to hold a secret/);
    assert.match(stderr, cure);
  }
  assert.match((await memo("sync", "status")).stderr, cure);
  const doctor = JSON.parse((await memo("doctor", "--offline", "--json")).stdout);
  const found = doctor.find(({ name }: { name: string }) => name === "sync");
  assert.deepEqual([found.status, found.fix], ["warn", "Run `memo doctor --secrets --fix`"]);
  assert.match(found.detail, /^\d files? with a secret not synced$/);

  await memo("doctor", "--secrets", "--fix");
  const healed = await memo("sync");
  assert.equal(healed.code, 0, healed.stderr);
  assert.doesNotMatch(healed.stderr, /not synced/);
  const held = execFileSync("git", ["--git-dir", remote, "log", "-p", "--all"], {
    encoding: "utf8",
  });
  assert.ok(held.includes("Deploys are on Tuesdays") && !held.includes(token));
});
