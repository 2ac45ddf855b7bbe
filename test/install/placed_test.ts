import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeExecutable } from "../../src/features/install/executable.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test({
  name: "placeExecutable() writes through no link, and sweeps what killed ones have left alone",
  ignore: process.platform === "win32",
  fn() {
    using temp = temporaryFolder();
    const bin = join(temp.path, "bin");
    const [victim, source] = ["victim", "source"].map((name) => join(temp.path, name));
    mkdirSync(bin);
    for (const path of [victim!, source!]) writeFileSync(path, path);
    const dead = spawnSync("true").pid;
    const [left, used] = [`.memo-new-${dead}-a1B2c3`, `.memo-new-${process.ppid}-a1B2c3`];
    for (const name of [left, used]) {
      mkdirSync(join(bin, name));
      writeFileSync(join(bin, name, "memo"), "half");
    }
    const links = [`.memo-new-${dead}-linked`, `.memo-${process.pid}`, `memo.${process.pid}`];
    for (const name of links) symlinkSync(victim!, join(bin, name));
    const paths = pathsFor({ MEMO_HOME: join(temp.path, "state"), HOME: temp.path });
    placeExecutable(paths, source!, join(bin, "memo"));
    assert.equal(readFileSync(victim!, "utf8"), victim);
    assert.equal(readFileSync(join(bin, "memo"), "utf8"), source);
    assert.deepEqual(readdirSync(bin).sort(), [...links, used, "memo"].sort());
  },
});
