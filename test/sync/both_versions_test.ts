// A note that two machines changed before they synced: one version applies, and the other is a command away.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryIn, sync } from "../../src/features/sync/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Home, makeHome, succeed } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

const kiln = (port: number, day: number) =>
  `---\nname: Kiln\ntype: tool\ncreated: 2026-11-01\nupdated: 2026-11-0${day}\n---\n` +
  `The kiln has port ${port}.\n`;

async function syncOn({ env }: Home) {
  const about = { paths: pathsFor(env), env, roots: [], patterns: [], machine: "m" };
  return await sync({ ...about, now: new Date() });
}

Deno.test("memo undo --archived brings the other machine's version, and undo brings this one back", async () => {
  using folder = temporaryFolder();
  const remote = join(folder.path, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", remote]);
  await using a = makeHome();
  await using b = makeHome();
  for (const { env } of [a, b]) await repositoryIn(pathsFor(env), env).make(remote);
  const path = a.write("tool_kiln.md", kiln(1, 2));
  await syncOn(a);
  await syncOn(b);
  writeFileSync(path, kiln(2, 4));
  b.write("tool_kiln.md", kiln(3, 3));
  await syncOn(a);
  await syncOn(b);
  await syncOn(a);
  const port = ({ claude }: Home) =>
    /port (\d)/.exec(readFileSync(join(claude, "memory", "tool_kiln.md"), "utf8"))![1];
  for (const home of [a, b]) {
    assert.equal(port(home), "2");
    await succeed(home, ["undo", "--archived", "Kiln"]);
    assert.equal(port(home), "3");
    await succeed(home, ["undo", "Kiln"]);
    assert.equal(port(home), "2");
  }
});
