import assert from "node:assert/strict";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { passageTexts } from "../../src/core/index/embed_pending.ts";
import { Index } from "../../src/core/index/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome, succeed } from "../support/home.ts";

Deno.test("`memo index` gives many memories, on every core, the vectors that each has alone", async () => {
  await using home = makeHome({}, { hasModel: true });
  const count = 60;
  const files = Array.from({ length: count }, (_, i) => {
    const front = `name: Service ${i}\ndescription: Where service ${i} listens\ntype: reference`;
    return home.write(`reference_${i}.md`, `---\n${front}\n---\nIt listens on ${7000 + i}.\n`);
  });
  const stdout = await succeed(home, ["index"]);
  assert.match(stdout, new RegExp(`${count} memories, ${2 * count} passages`));

  const paths = pathsFor({ MEMO_HOME: home.memoHome });
  const embedder = await openEmbedder("builtin", pathsFor({ MEMO_HOME: "/nowhere" }));
  const index = await Index.open(paths.db);
  try {
    const memories = await index.byPath(files);
    assert.equal(memories.length, count);
    for (const memory of memories) {
      const made = [...(await index.queue.vectorsOf(memory.id)).values()];
      for (const { text } of await passageTexts(memory, embedder)) {
        const alone = await embedder.embed(text);
        assert.ok(made.some((vector) => dot(vector, alone) > 0.99999), text);
      }
    }
  } finally {
    index.close();
    await embedder.close();
  }
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
