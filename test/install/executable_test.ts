import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { changeServer, install } from "../../src/features/install/install.ts";
import { linkTo, placedHere, placeExecutable } from "../../src/features/install/executable.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

/** An executable in a place of its version, and a link to it in a folder of the search path. */
function keg({ root }: Home) {
  const [bin, place] = [join(root, "brew/bin"), join(root, "brew/Cellar/memo/0.1.0/bin")];
  for (const folder of [bin, place]) mkdirSync(folder, { recursive: true });
  const [executable, link] = [join(place, "memo"), join(bin, "memo")];
  writeFileSync(executable, "", { mode: 0o755 });
  symlinkSync(executable, link);
  return { bin, executable, link };
}

Deno.test({
  name: "hooks name the link on the search path, which stays with an upgrade",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using home = makeHome();
    const { bin, executable, link } = keg(home);
    const path = `relative:${join(home.root, "none")}:${bin}`;
    const options = { project: home.project, home: home.root };
    assert.equal(linkTo(executable, path, options), link);
    assert.equal(linkTo(link, path, options), undefined);
    assert.equal(
      linkTo(executable, path, { ...options, project: join(home.root, "brew") }),
      undefined,
    );
    chmodSync(bin, 0o777); // anybody could put another memo there
    assert.equal(linkTo(executable, path, options), undefined);
    chmodSync(bin, 0o755);
    rmSync(link);
    writeFileSync(link, "another memo");
    assert.equal(linkTo(executable, path, options), undefined);
  },
});

Deno.test({
  name: "hooks and server that name the same executable otherwise are left as they are",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using home = makeHome();
    const { executable, link } = keg(home);
    const place = { env: home.env, paths: pathsFor(home.env), cwd: home.project };
    const change = (command: string) => {
      const self = { command, args: [] };
      const hooks = install(place, { scope: "user", dryRun: false, self, client: "2.1.329" });
      return [hooks, changeServer(place, { isWanted: true, dryRun: false, self })];
    };
    for (const { after } of change(link)) assert.ok(after?.includes(JSON.stringify(link)));
    for (const { before, after } of change(executable)) assert.equal(after, before);
    const moved = join(home.root, "memo");
    writeFileSync(moved, "", { mode: 0o755 });
    for (const { path } of change(moved)) {
      const text = readFileSync(path, "utf8");
      assert.ok(text.includes(JSON.stringify(moved)) && !text.includes("brew"));
    }
  },
});

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

Deno.test("placedHere() knows only the very executable that runs, and only by memo's name", async () => {
  await using home = makeHome();
  const paths = pathsFor({ HOME: home.root }, "linux");
  const mine = home.write("bin/memo", "x");
  const other = home.write("other/memo", "x");
  const thing = home.write("bin/thing", "x");
  const place = (path: string) =>
    home.write(".local/share/memo/placed", `${path}\n${dirname(path)}\n`);
  assert.equal(placedHere(paths, mine), undefined);
  place(mine);
  assert.equal(placedHere(paths, other), undefined);
  place(thing);
  assert.equal(placedHere(paths, thing), undefined);
  place(other);
  assert.deepEqual(placedHere(paths, other)?.folders, [dirname(other)]);
});
