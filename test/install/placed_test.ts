import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeExecutable } from "../../src/features/install/executable.ts";
import { pathsFor } from "../../src/paths.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test({
  name: "placeExecutable() writes through no link, and leaves nothing beside the executable",
  ignore: process.platform === "win32",
  fn() {
    using temp = temporaryFolder();
    const bin = join(temp.path, "bin");
    const [victim, source] = ["victim", "source"].map((name) => join(temp.path, name));
    mkdirSync(bin);
    for (const path of [victim!, source!]) writeFileSync(path, path);
    const links = [`.memo-${process.pid}`, `memo.${process.pid}`];
    for (const name of links) symlinkSync(victim!, join(bin, name));
    const paths = pathsFor({ MEMO_HOME: join(temp.path, "state"), HOME: temp.path });
    placeExecutable(paths, source!, join(bin, "memo"));
    assert.equal(readFileSync(victim!, "utf8"), victim);
    assert.equal(readFileSync(join(bin, "memo"), "utf8"), source);
    assert.deepEqual(readdirSync(bin).sort(), [...links, "memo"].sort());
  },
});
