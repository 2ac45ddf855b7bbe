import assert from "node:assert/strict";
import { contendersFor } from "../../../bench/contenders.ts";
import { benchSizes, partOf } from "../../../tools/bench/sizes.ts";
import type { Suite } from "../../../bench/suite.ts";
import { openEmbedder } from "../../../src/embed/mod.ts";
import { pathsFor } from "../../../src/paths.ts";
import { loadConfig } from "../../../src/settings/config.ts";

const SUBJECTS = ["pgbouncer", "heron", "ficus", "tippecanoe", "swiftshader", "sops"];
const SUITE: Suite = {
  documents: SUBJECTS.map((id) => ({ id, text: `Never restart ${id} before the nightly run.` })),
  queries: [
    ...SUBJECTS.map((id) => ({
      id: `q-${id}`,
      text: `may I restart ${id} before the nightly run`,
    })),
    { id: "off", text: "who painted the ceiling in Rome?", category: "off-topic", no_answer: true },
  ],
  qrels: new Map(SUBJECTS.map((id) => [`q-${id}`, new Map([[id, 2]])])),
};

Deno.test("A part of a suite has its documents and their judgements, the same for the same seed", () => {
  const part = partOf(SUITE, { size: 2, seed: 7 });
  assert.deepEqual(part, partOf(SUITE, { size: 2, seed: 7 }));
  const ids = part.documents.map(({ id }) => id);
  const judged = [...part.qrels.values()].flatMap((grades) => [...grades.keys()]);
  assert.deepEqual(judged.sort(), ids.toSorted());
  assert.equal(part.queries.length, SUITE.queries.length);
  assert.deepEqual(partOf(SUITE, { size: 99, seed: 7 }).documents, SUITE.documents);
});

Deno.test("Sizes count prompts whose answer is not in the store apart from those without one", async () => {
  const embedder = await openEmbedder("builtin", pathsFor({ MEMO_HOME: "/nowhere" }));
  try {
    const config = loadConfig("/nowhere", {});
    const rows = await benchSizes(SUITE, {
      ...{ memories: [2, 6, 300], parts: 2, embedder, config },
      contenders: contendersFor(["keyword"], config),
    });
    assert.deepEqual(rows.map(({ memories, parts }) => [memories, parts]), [[2, 2], [6, 1]]);
    const [small, whole] = rows;
    assert.deepEqual([small!.blocks.elsewhere.of, whole!.blocks.elsewhere.of], [8, 0]);
    assert.deepEqual([small!.blocks.offTopic.of, whole!.blocks.offTopic.of], [2, 1]);
    assert.equal(whole!.felt.served, 1);
  } finally {
    await embedder.close();
  }
});
