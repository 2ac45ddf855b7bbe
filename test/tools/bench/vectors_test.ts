import assert from "node:assert/strict";
import { join } from "node:path";
import { MadeUpVectors, makeUpVectors } from "../../../bench/made_up_vectors.ts";
import { benchVectors } from "../../../tools/bench/vectors.ts";
import { openEmbedder } from "../../../src/embed/mod.ts";
import { pathsFor } from "../../../src/paths.ts";
import { makeIndex, memoryFile } from "../../support/index.ts";
import { temporaryFolder } from "../../support/temp.ts";

Deno.test("Exact search in memory and in SQL find the same, and a byte a number nearly that", async () => {
  using temp = temporaryFolder();
  const paths = pathsFor({ MEMO_HOME: temp.path });
  const report = await benchVectors({ passages: [30, 60], paths });
  const all = ["memory", "compact", "scan"];
  assert.deepEqual(
    report.sizes.map(({ passages, ways }) => [passages, ways.map(({ way }) => way)]),
    [[30, all], [60, all]],
  );
  for (const { way, recall, search, bytes } of report.sizes.flatMap(({ ways }) => ways)) {
    assert.ok(recall > (way === "compact" ? 0.9 : 0.98), `${way} finds ${recall}`);
    assert.ok(search.p50 > 0 && bytes > 0);
  }
});

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
    const [own] = [...(await made.index.vectorsOf(1)).values()];
    assert.deepEqual(own, await embedder.embed("a\nThe a service has a port."));
  } finally {
    await embedder.close();
  }
});
