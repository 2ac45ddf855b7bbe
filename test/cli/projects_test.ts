// memo share, and projects as a whole, through the executable.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  assert.match(await store.memo("list", "--projects"), /missing; .* `memo doctor --moved ~\/shop`/);
  await store.memo("add", "Staging is pegasus"); // a namesake, before anybody thought of it
  await store.memo("config", "set", "off=~/shop");
  assert.equal((await store.run("doctor", "--moved", shop.project)).code, 1);
  await store.memo("config", "set", "off=");
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

Deno.test("memo list and memo doctor name the memories that may belong to a project, until they are moved", async () => {
  await using home = makeHome();
  const shop = repository(home, "shop"), blog = repository(home, "blog");
  await shop.memo("add", "Staging is pegasus");
  await blog.memo("add", "Posts are Markdown");
  rmSync(blog.project, { recursive: true });
  renameSync(shop.project, join(home.root, "store"));
  const store = repository(home, "store");
  const doctor = async () => {
    const { stdout } = await store.run("doctor", "--offline", "--json");
    return JSON.parse(stdout).find(({ name }: { name: string }) => name === "moved projects");
  };
  const line = "1 memory of `~/shop`, this folder's former path";
  const note = `note: ${line}, is not used here; \`memo doctor --moved ~/shop\` moves it here`;
  assert.equal((await store.run("list")).stderr.split("\n")[0], note);
  assert.equal((await store.run("list", "--json")).stderr, "");
  const left =
    "1 memory of `~/blog`, which is gone: `memo doctor --moved ~/blog` in its new folder";
  assert.deepEqual(await doctor(), {
    ...{ name: "moved projects", status: "warn" },
    detail: `not used: ${line}: \`memo doctor --moved ~/shop\`; ${left}`,
    fix: "If a project is this one, run its command here",
  });
  await store.memo("doctor", "--moved", shop.project);
  assert.deepEqual(await doctor(), {
    name: "moved projects",
    status: "ok",
    detail: `not used: ${left}`,
  });
  assert.equal((await store.run("list")).stderr, "");
});

Deno.test("memo list in a submodule names the project around it, and memo share keeps to its own", async () => {
  await using home = makeHome();
  const app = repository(home, "app"), lib = repository(home, "app/lib");
  writeFileSync(join(app.project, ".gitmodules"), "path = lib\n");
  await app.memo("add", "Never edit the vendored lib");
  await lib.memo("add", "The lib has no dependencies");
  const list = await lib.memo("list");
  assert.match(list, / project app +Never edit the vendored lib/);
  assert.match(list, / project +The lib has no dependencies/);
  assert.match(await lib.memo("search", "vendored lib"), /Never edit the vendored lib/);
  assert.equal((await lib.run("share", "Never edit the vendored lib")).code, 1);
  await lib.memo("add", "Never edit the vendored lib");
  assert.equal((await app.scopes()).length, 1);
});
