import assert from "node:assert/strict";
import { makeHome, runMemo } from "../support/home.ts";

const PNPM = "---\nname: Use pnpm\ndescription: Package manager\ntype: decision\n---\n" +
  "We use pnpm, never npm, because of disk space.\n";

Deno.test("memo search --like lists what is near a memory, and says when nothing is", async () => {
  await using home = makeHome({}, { hasModel: true });
  home.keep("decision_pnpm.md", PNPM);
  const alone = await runMemo(home, ["search", "--like", "use pnpm"]);
  assert.deepEqual([alone.code, alone.stdout], [1, ""]);
  home.keep("tool_npm.md", "---\nname: npm cache\n---\nThe npm cache is on /data.\n");
  const near = await runMemo(home, ["search", "--like", "use pnpm"]);
  assert.match(near.stdout, /^0\.\d\d {2}[k-z]{4} {2}npm cache {2}project\n/);
  const [{ similarity }] = JSON.parse(
    (await runMemo(home, ["search", "--like", "use pnpm", "--json"])).stdout,
  );
  assert.ok(similarity > 0 && similarity < 1);
  for (const words of [["text"], ["--tag", "build"], ["--history"]]) {
    const { code, stderr } = await runMemo(home, ["search", "--like", "use pnpm", ...words]);
    assert.equal(code, 2);
    assert.match(stderr, /^error: Cannot [^]*\n\nhint: /);
  }
});
