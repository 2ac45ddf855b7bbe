// What a session's start says of a project that has moved, through the real executable and a warm daemon.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { answerOffline } from "../../src/core/events/offline.ts";
import { projectOf } from "../../src/core/memory/project.ts";
import { readRecord } from "../../src/core/memory/project_record.ts";
import { pathsFor } from "../../src/paths.ts";
import { readFixture } from "../support/fixtures.ts";
import { gitHistory } from "../support/git_history.ts";
import { type Home, makeHome, PATIENCE, runMemo, succeed, warmUp } from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

/** A project in a home, which has a memory. */
async function makeProject(home: Home, name: string) {
  const project = join(home.root, name);
  mkdirSync(project);
  gitHistory(project).commit(`First of ${name}`);
  await succeed({ ...home, project }, ["add", "Staging is the pegasus cluster"]);
  return { project, ...projectOf(project, home.claude) };
}

const begin = async (home: Home, name: string, source = "startup") =>
  await sendHook(home, `SessionStart.${source}`, {
    session_id: `s-${name}`,
    cwd: join(home.root, name),
  });

Deno.test("a folder that was renamed has its memories from its first session on, which says so once", async () => {
  await using home = makeHome(PATIENCE);
  const { project } = await makeProject(home, "shop");
  await warmUp(home);
  renameSync(project, join(home.root, "store"));
  const store = { ...home, project: join(home.root, "store") };
  await succeed(store, ["add", "Deploys are on Tuesdays"]); // before its first session
  const first = await begin(home, "store");
  assert.match(
    first.notice,
    /^memo: moved 1 memory here from `~\/shop`, this folder's former path$/m,
  );
  assert.match(first.block, /- Staging is the pegasus cluster/);
  assert.match(first.block, /- Deploys are on Tuesdays/);
  assert.doesNotMatch((await begin(home, "store")).notice, /moved/);
  const { stdout } = await runMemo(store, ["search", "pegasus", "--json"]);
  assert.match(stdout, /pegasus/);
});

Deno.test("a session's start asks about memories of a folder that is gone, and moves nothing", async () => {
  await using home = makeHome(PATIENCE);
  const { project, folder } = await makeProject(home, "shop");
  await warmUp(home);
  await begin(home, "shop");
  // The daemon asks git about the project after the answer.
  await until("a record of its commits", () => readRecord(folder)?.identity?.commits.length === 1);
  cpSync(project, join(home.root, "store"), { recursive: true });
  rmSync(project, { recursive: true });
  const { notice, block } = await begin(home, "store");
  assert.match(
    notice,
    /^memo: 1 memory of `~\/shop`, which is gone, is not used here; if it was this project, `memo doctor --moved ~\/shop` moves it here$/m,
  );
  assert.doesNotMatch(block, /pegasus/);
  assert.ok(existsSync(folder));
  assert.doesNotMatch((await begin(home, "store", "compact")).notice, /~\/shop/);
  await succeed({ ...home, project: join(home.root, "store") }, ["doctor", "--moved", project]);
  const after = await begin(home, "store");
  assert.match(after.block, /- Staging is the pegasus cluster/);
  assert.doesNotMatch(after.notice, /~\/shop/);
});

Deno.test("where nobody reads what memo says, or no daemon runs, a start moves nothing", async () => {
  await using home = makeHome(PATIENCE);
  const { project, folder } = await makeProject(home, "shop");
  renameSync(project, join(home.root, "store"));
  const cwd = join(home.root, "store");
  const input = { ...readFixture("SessionStart.startup"), cwd };
  const options = { paths: pathsFor(home.env), outcome: "no daemon" } as const;
  assert.doesNotMatch(
    JSON.stringify(await answerOffline(input, options, home.env)),
    /former|moved/,
  );
  await succeed(home, ["config", "set", "notify=off"]);
  await warmUp(home);
  assert.equal((await begin(home, "store")).notice, "");
  assert.ok(existsSync(folder));
});
