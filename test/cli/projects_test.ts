// memo share, and projects as a whole, through the executable.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync } from "node:fs";
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
  assert.match(await store.memo("list", "--projects"), /missing; .* `memo doctor --moved OLD`/);
  await store.memo("add", "Staging is pegasus"); // a namesake, before anybody thought of it
  assert.match(await store.memo("doctor", "--moved", shop.project), / to `~\/store`/);
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
