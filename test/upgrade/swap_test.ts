import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { placeExecutable } from "../../src/features/install/placed.ts";
import { pathsFor } from "../../src/paths.ts";
import { replaceExecutable, rollBack } from "../../src/features/upgrade/swap.ts";
import { temporaryFolder } from "../support/temp.ts";

const ignore = process.platform === "win32"; // a script is no program there
const program = (version: string) => Buffer.from(`#!/bin/sh\necho memo ${version} x\n`);

/** A memo 1.0.0 in a folder that other programs are in, too. */
function makePlace(root: string) {
  const folder = join(root, "bin");
  const place = { executable: join(folder, "memo"), previous: join(root, "state/previous") };
  mkdirSync(folder);
  writeFileSync(place.executable, program("1.0.0"), { mode: 0o755 });
  return { folder, place };
}

/** The id of a process that has ended. */
function deadProcess(): number {
  return spawnSync("true").pid;
}

Deno.test({
  name: "an upgrade does not write through links under the names that temporary files might have",
  ignore,
  fn() {
    using temp = temporaryFolder();
    const { folder, place } = makePlace(temp.path);
    const victim = join(temp.path, "victim");
    writeFileSync(victim, "mine");
    const names = [`.memo-${process.pid}`, `memo.${process.pid}`, `.memo-new-${process.pid}`];
    for (const name of names) symlinkSync(victim, join(folder, name));
    replaceExecutable(program("2.0.0"), "2.0.0", place);
    const paths = pathsFor({ MEMO_HOME: join(temp.path, "state"), HOME: temp.path });
    placeExecutable(paths, place.executable, join(folder, "memo"));
    assert.equal(readFileSync(victim, "utf8"), "mine");
    assert.equal(readFileSync(place.executable, "utf8"), program("2.0.0").toString());
    assert.deepEqual(readdirSync(folder).sort(), [...names, "memo"].sort());
  },
});

Deno.test({
  name: "an upgrade sweeps what killed ones have left, and nothing that is in use or another's",
  ignore,
  fn() {
    using temp = temporaryFolder();
    const { folder, place } = makePlace(temp.path);
    const dead = deadProcess();
    const [left, used] = [`.memo-new-${dead}-a1B2c3`, `.memo-new-${process.ppid}-a1B2c3`];
    mkdirSync(place.previous, { recursive: true });
    for (const parent of [folder, place.previous]) {
      for (const name of [left, used]) {
        mkdirSync(join(parent, name));
        writeFileSync(join(parent, name, "memo"), "half");
      }
    }
    symlinkSync(temp.path, join(folder, `.memo-new-${dead}-linked`));
    mkdirSync(join(folder, ".memo-news"));
    replaceExecutable(program("2.0.0"), "2.0.0", place);
    assert.deepEqual(
      readdirSync(folder).sort(),
      [".memo-news", `.memo-new-${dead}-linked`, used, "memo"].sort(),
    );
    assert.deepEqual(readdirSync(place.previous).sort(), [used, "memo"].sort());
    assert.ok(existsSync(place.executable));
  },
});

Deno.test({
  name: "an upgrade keeps the executable before it, and goes back and forth between the two",
  ignore,
  fn() {
    using temp = temporaryFolder();
    const { folder, place } = makePlace(temp.path);
    assert.throws(() => rollBack(place), /there is no previous version/);
    replaceExecutable(program("2.0.0"), "2.0.0", place);
    assert.equal(rollBack(place), "1.0.0");
    assert.equal(rollBack(place), "2.0.0");
    assert.throws(() => replaceExecutable(program("2.5.0"), "3.0.0", place), /says it is 2\.5\.0/);
    assert.equal(readFileSync(place.executable, "utf8"), program("2.0.0").toString());
    assert.deepEqual(readdirSync(folder), ["memo"]);
  },
});
