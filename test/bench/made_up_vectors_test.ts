import assert from "node:assert/strict";
import { join } from "node:path";
import { MadeUpVectors, makeUpVectors } from "../../bench/made_up_vectors.ts";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeIndex, memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("Made-up vectors are unit vectors near those they are made from, and leave nothing to embed", async () => {
  using temp = temporaryFolder();
  const embedder = await openEmbedder("builtin", pathsFor({ MEMO_HOME: join(temp.path, "x") }));
  const files = ["a", "b"].map((name) =>
    memoryFile({ path: `/memories/${name}.md`, name, body: `The ${name} service has a port.` })
  );
  await using made = await makeIndex(files);
  try {
    const texts = ["the port of the kiln", "lentil soup", "a cache that is too small"];
    const real = await Promise.all(texts.map((text) => embedder.embed(text)));
    const madeUp = new MadeUpVectors(real);
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    for (let i = 0; i < 20; i++) {
      const vector = madeUp.next();
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
      assert.ok(Math.max(...real.map((other) => dot(vector, other))) > 0.8);
    }
    await makeUpVectors(made.index, embedder, { isAskedFor: (path) => path.endsWith("a.md") });
    const { pending, passages } = await made.index.statistics();
    assert.deepEqual([pending, passages], [0, 2]);
    const [own] = [...(await made.index.queue.vectorsOf(1)).values()];
    assert.deepEqual(own, await embedder.embed("a\nThe a service has a port."));
  } finally {
    await embedder.close();
  }
});
