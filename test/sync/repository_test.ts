import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blobId } from "../../src/core/files/git.ts";
import { SyncRepository } from "../../src/features/sync/repository.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type Machine, machines, memory, pair } from "./support.ts";

Deno.test("what many syncs have left loose is packed with the next one", async () => {
  using folder = temporaryFolder();
  const remote = join(folder.path, "remote.git");
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  const local = join(folder.path, "local.git");
  const repository = new SyncRepository(local, process.env);
  await repository.make(remote);
  const tree = new Map<string, string>();
  for (let sync = 0; sync < 25; sync++) { // fewer than a hundred at a time stay loose
    const contents = Array.from({ length: 99 }, (_, i) => Buffer.from(`note ${i} of ${sync}\n`));
    for (const [i, bytes] of contents.entries()) {
      tree.set(`user/project_${sync}-${i}.md`, blobId(bytes));
    }
    await repository.store(new Map(contents.map((bytes) => [blobId(bytes), bytes])));
  }
  const commit = await repository.commit(tree, { parents: [], message: "All" });
  await repository.push(commit);
  await repository.setHere(commit, tree);
  const loose = () =>
    Number(/^\d+/.exec(execFileSync("git", ["-C", local, "count-objects"], { encoding: "utf8" })));
  assert.ok(loose() > 2000);
  await repository.fetch();
  assert.ok(loose() < 100, `${loose()} objects are loose`);
  assert.deepEqual(await repository.treeOf(commit), tree);
});

Deno.test("what is pushed into a folder stays packed", async () => {
  using net = machines(1);
  const [a] = net.all as [Machine];
  await a.init();
  for (let sync = 0; sync < 3; sync++) {
    a.write(`tool_${sync}.md`, memory(`Tool ${sync}`, "Text"));
    await a.sync();
  }
  const found = execFileSync("git", ["-C", net.remote, "count-objects", "-v"], {
    encoding: "utf8",
  });
  assert.match(found, /^count: 0$/m);
  assert.match(found, /^packs: 3$/m);
});

Deno.test("a sync starts as many git processes for many notes as for a few", async () => {
  const [few, many] = [await processesFor(2), await processesFor(40)];
  assert.equal(many, few);
});

/** Git processes that a sync starts which gets so many edited, deleted and new notes, and one that was edited here. */
async function processesFor(notes: number): Promise<number> {
  using net = await pair();
  const { a, b } = net;
  for (let i = 0; i < 2 * notes + 100; i++) {
    a.write(`tool_${i}.md`, memory(`Tool ${i}`, `Text ${i}`));
  }
  await a.sync();
  await b.sync();
  for (let i = 0; i < notes; i++) {
    a.write(`tool_${i}.md`, memory(`Tool ${i}`, `Edited ${i}`));
    a.write(`tool_new-${i}.md`, memory(`New ${i}`, "Text", `supersedes: [tool_gone_${i}.md]\n`));
  }
  for (const i of [0, 1]) rmSync(join(a.memory, `tool_${2 * notes + i}.md`));
  await a.sync();
  for (const i of [0, 1]) b.write(`tool_${2 * notes + i}.md`, memory(`Tool ${i}`, "Edited there"));
  const trace = join(b.home, "trace");
  writeFileSync(join(b.home, ".gitconfig"), `[trace2]\n\teventTarget = ${trace}\n`);
  const { received, conflicts } = await b.sync();
  assert.ok(received > 2 * notes);
  assert.equal(conflicts.length, 2);
  return readFileSync(trace, "utf8").match(/"event":"start","sid":"[^/"]+"/g)!.length;
}
