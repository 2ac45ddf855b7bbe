// memo share, and projects as a whole, through the executable.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { projectOf } from "../../src/core/memory/project.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { listed } from "../support/listed.ts";

/** A repository in a home, and what memo says there. */
function repository(home: Home, name: string) {
  const project = join(home.root, name);
  mkdirSync(join(project, ".git"), { recursive: true });
  const run = async (...args: string[]) => await runMemo({ ...home, project }, args);
  return {
    project,
    run,
    scopes: async () =>
      (await listed({ ...home, project })).map(({ name, scope }) => [name, scope]),
    privately: projectOf(project, home.claude).folder,
    memo: async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 0, stderr);
      return (stdout + stderr).trimEnd();
    },
  };
}

Deno.test("memo share puts a memory into the repository without where it came from, and takes it out again", async () => {
  await using home = makeHome();
  const { project, privately, scopes, memo } = repository(home, "shop");
  const text = "---\nname: Staging is pegasus\ntype: decision\nown: 1 # kept\nsource:\n" +
    "  session: s1\n  transcript: /home/ada/.claude/x.jsonl\n---\nSince May.\n";
  mkdirSync(privately, { recursive: true });
  writeFileSync(join(privately, "decision_staging.md"), text);
  const shared = join(project, ".claude/memory/decision_staging-is-pegasus.md");
  assert.match(await memo("share", "Staging"), /commit `\.claude\/memory\/decision_staging-is-p/);
  assert.equal(
    readFileSync(shared, "utf8"),
    "---\nname: Staging is pegasus\ntype: decision\nown: 1 # kept\n---\nSince May.\n",
  );
  assert.deepEqual(await scopes(), [["Staging is pegasus", "shared"]]);
  assert.match(await memo("recall", "is staging pegasus or kraken?"), /Since May/);
  assert.match(await memo("share", "Staging", "--undo"), /it is private now/);
  assert.equal(existsSync(shared), false);
  assert.deepEqual(await scopes(), [["Staging is pegasus", "project"]]);
  assert.deepEqual(readdirSync(join(project, ".claude/memory")), []);
});

Deno.test("memo share leaves the user's own copy, refuses secrets, and needs a project", async () => {
  await using home = makeHome();
  const { project, run, scopes, memo } = repository(home, "shop");
  await memo("add", "Deploys are on Tuesdays", "--scope", "user");
  assert.match(await memo("share", "Deploys"), /Your own copy still applies/);
  const deploys = "Deploys are on Tuesdays";
  assert.deepEqual((await scopes()).sort(), [[deploys, "shared"], [deploys, "user"]]);
  await memo("add", "The token is " + "ghp_" + "a1B2".repeat(9), "--anyway");
  const refused = await run("share", "The token");
  assert.match(refused.stderr, /looks like a secret/);
  assert.equal(readdirSync(join(project, ".claude/memory")).length, 1);
  const outside = await runMemo({ ...home, project: home.root }, ["share", "Deploys"]);
  assert.match(outside.stderr, /is not in a project/);
});

Deno.test("memo list --projects lists what memo knows, and memo doctor --moved follows a folder", async () => {
  await using home = makeHome();
  const shop = repository(home, "shop");
  await shop.memo("add", "Staging is pegasus");
  await shop.memo("add", "Deploys are on Tuesdays", "--scope", "shared");
  await shop.memo("index");
  assert.match(
    await shop.memo("list", "--projects"),
    /^shop +1 memory +0 days of journal +~\/shop$/,
  );

  renameSync(shop.project, join(home.root, "store"));
  const store = repository(home, "store");
  assert.deepEqual(await store.scopes(), [["Deploys are on Tuesdays", "shared"]]);
  assert.match(await store.memo("list", "--projects"), /gone; .* `memo doctor --moved OLD`/);
  await store.memo("add", "Staging is pegasus"); // a namesake, before anybody thought of it
  assert.match(await store.memo("doctor", "--moved", shop.project), /are those of `~\/store` now/);
  assert.deepEqual(
    (await listed({ ...home, project: store.project }))
      .map(({ name, trusted }) => [name, trusted]).sort(),
    [
      ["Deploys are on Tuesdays", true],
      ["Staging is pegasus", undefined],
      ["Staging is pegasus", undefined],
    ],
  );
  assert.match(await store.memo("search", "pegasus staging"), /pegasus/);
  assert.equal(existsSync(shop.privately), false);
  assert.equal((await store.run("doctor", "--moved", "/nowhere")).code, 1);
});
