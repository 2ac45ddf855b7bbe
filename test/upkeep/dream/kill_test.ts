// Real processes: killed with SIGKILL at each step, and two at once.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readChanges } from "../../../src/memory/change_log.ts";
import { revertChange } from "../../../src/change/revert.ts";
import { dream, lastDreamId } from "../../../src/upkeep/dream/dream.ts";
import { INDEX_FILE } from "../../../src/memory/folder.ts";
import { surroundings } from "../../support/change.ts";
import { temporaryFolder } from "../../support/temp.ts";
import { plantSome } from "./planted.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const args = (root: string, moment: number | "slow") => [
  ...["run", "-A", "--no-check", WORKER, root, String(moment)],
];

function contents(root: string): Record<string, string> {
  const folder = join(root, "memory");
  return Object.fromEntries(
    readdirSync(folder).filter((name) => name.endsWith(".md") && name !== INDEX_FILE).sort()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

function optionsIn(root: string) {
  return { paths: { dreams: join(root, "dreams") }, patterns: [], ...surroundings(new Date()) };
}

Deno.test("a dream killed with SIGKILL at any step is finished by the next, and can be undone", async () => {
  using calm = temporaryFolder();
  const folder = (root: string) => ({ scope: "user", path: join(root, "memory") }) as const;
  plantSome(folder(calm.path).path, 2);
  const before = contents(calm.path);
  await dream(folder(calm.path), optionsIn(calm.path));
  const expected = contents(calm.path);
  let kills = 0;
  for (let moment = 0;; moment++) {
    using temp = temporaryFolder();
    plantSome(folder(temp.path).path, 2);
    const { signal } = spawnSync(Deno.execPath(), args(temp.path, moment), { stdio: "ignore" });
    if (signal === null) break;
    kills++;
    const again = (await dream(folder(temp.path), optionsIn(temp.path)))!;
    assert.deepEqual(again.steps, [], "nothing is left to do");
    assert.deepEqual(contents(temp.path), expected, `killed before step ${moment}`);
    const folders = [folder(temp.path)];
    assert.equal(readChanges(folders).length, 4);
    const suggestions = join(temp.path, "triggers");
    assert.deepEqual(
      (await revertChange(lastDreamId(folders)!, folders, {
        ...surroundings(),
        suggestions,
        escalations: `${suggestions}.escalations`,
      })).left,
      [],
    );
    assert.deepEqual(contents(temp.path), before);
  }
  assert.equal(kills, 4);
});

Deno.test("of two dreams at once one waits for no one and changes nothing", async () => {
  using temp = temporaryFolder();
  plantSome(join(temp.path, "memory"), 2);
  const run = promisify(execFile);
  const both = await Promise.all(
    [1, 2].map(() => run(Deno.execPath(), args(temp.path, "slow"))),
  );
  assert.deepEqual(both.map(({ stdout }) => stdout.trim()).sort(), ["busy", "done 4"]);
});
