// Prints the two numbers that put the cosines of models without a calibration of their own on the scale of MiniLM's, for
// `src/embed/models.ts`: with them the best and the middle cosine of a prompt, averaged over the development half of
// coding-agent, are those of MiniLM.
//
//   deno run -A tools/model/nearness.ts

import { fileURLToPath } from "node:url";
import { memoryOf } from "../../bench/store.ts";
import { loadSuite, type Suite } from "../../bench/suite.ts";
import { cached } from "../../bench/vector_cache.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { openEmbedder } from "../../src/embed/mod.ts";
import { passageTexts } from "../../src/index/embed_pending.ts";
import { PATHS } from "../bench/executable.ts";
import { layOut } from "../bench/lay_out.ts";
import { OTHERS } from "./others.ts";
import { type ModelSource, SOURCES } from "./sources.ts";

/** Two points of a model's scale. */
interface Scale {
  readonly best: number;
  readonly middle: number;
}

const suite = loadSuite(fileURLToPath(new URL("../../bench/suites/coding-agent", import.meta.url)));
const miniLm = await scaleOf(SOURCES.find(({ model }) => model === "all-MiniLM-L6-v2")!);
for (const source of OTHERS) {
  const { best, middle } = await scaleOf(source);
  const gain = (miniLm.best - miniLm.middle) / (best - middle);
  const floor = middle - miniLm.middle / gain;
  console.log(`${source.model}: { floor: ${floor.toFixed(3)}, gain: ${gain.toFixed(2)} }`);
}

async function scaleOf(source: ModelSource): Promise<Scale> {
  const embedder = cached(await openEmbedder(layOut(source), PATHS), PATHS.bench);
  try {
    const memories = await vectorsOfMemories(suite, embedder);
    const scales: Scale[] = [];
    for (const { text, split } of suite.queries) {
      if (split !== "dev") continue;
      const query = await embedder.embed(text, "query");
      const cosines = memories.map((passages) =>
        Math.max(...passages.map((passage) => dot(query, passage)))
      );
      cosines.sort((a, b) => b - a);
      scales.push({ best: cosines[0]!, middle: cosines[cosines.length >> 1]! });
    }
    return { best: mean(scales, "best"), middle: mean(scales, "middle") };
  } finally {
    await embedder.close();
  }
}

async function vectorsOfMemories(
  { documents }: Suite,
  embedder: Embedder,
): Promise<Float32Array[][]> {
  const folder = { scope: "user", path: "/home/someone/.claude/memory" } as const;
  const vectors: Float32Array[][] = [];
  for (const [number, document] of documents.entries()) {
    const memory = memoryOf(document, { folder, number, now: new Date(0) });
    const passages = await passageTexts(memory, embedder);
    vectors.push(await Promise.all(passages.map(({ text }) => embedder.embed(text, "passage"))));
  }
  return vectors;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function mean(scales: readonly Scale[], of: keyof Scale): number {
  return scales.reduce((sum, scale) => sum + scale[of], 0) / scales.length;
}
