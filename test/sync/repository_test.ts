import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { blobId } from "../../src/files/git.ts";
import { Repository } from "../../src/sync/repository.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("what many syncs have left loose is packed with the next one", async () => {
  using folder = temporaryFolder();
  const remote = join(folder.path, "remote.git");
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  const local = join(folder.path, "local.git");
  const repository = new Repository(local, process.env);
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
