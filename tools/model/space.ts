// Writes what the vectors of multilingual-e5-small have in common, for `src/core/embed/local.ts`: the average of each role
// over the suite coding-agent (its memories, and the prompts of its development half), and the directions in which
// languages differ, from texts that say the same in ten of them.
//
//   deno run -A tools/model/space.ts    from the model in dist/model

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { memoryOf } from "../../bench/store.ts";
import { loadSuite } from "../../bench/suite.ts";
import type { Embedder, Role } from "../../src/core/embed/mod.ts";
import { BUILTIN_MODEL } from "../../src/core/embed/models.ts";
import { WEIGHTS } from "../../src/core/embed/files.ts";
import { loadModel, type SpaceFile } from "../../src/core/embed/local.ts";
import { passageTexts } from "../../src/core/index/mod.ts";
import { spanningDirections } from "./directions.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const OUTPUT = "src/core/embed/spaces/multilingual_e5_small.json";

/**
 * How much of an average is taken off. All of it ranks a little better and tells what is off the topic much worse:
 * tried from 0.6 to 1 on coding-agent and devmem-1k.
 */
const SHARE = 0.7;

type Parallel = Record<Role, readonly Readonly<Record<string, string>>[]>;

const embedder = await loadModel(pathOf("dist/model"), {
  ...BUILTIN_MODEL["multilingual-e5-small"],
  hasCommonPart: false,
}, {
  id: "raw",
  weights: WEIGHTS[0],
});
const suite = loadSuite(pathOf("bench/suites/coding-agent"));
const folder = { scope: "user", path: "/home/someone/.claude/memory" } as const;
const memories = suite.documents.map((document, number) =>
  memoryOf(document, { folder, number, now: new Date(0) })
);
const passages: string[] = [];
for (const memory of memories) {
  for (const { text } of await passageTexts(memory, embedder)) passages.push(text);
}
const prompts = suite.queries.filter(({ split }) => split === "dev").map(({ text }) => text);
const space: SpaceFile = {
  query: base64(shareOf(await embedAll(prompts, "query", embedder))),
  passage: base64(shareOf(await embedAll(passages, "passage", embedder))),
  directions: (await languageDirections(embedder)).map(base64),
};
await embedder.close();
writeFileSync(pathOf(OUTPUT), JSON.stringify(space, null, 2) + "\n");
console.error(`Wrote ${OUTPUT}`);

/** Unit vectors that span the differences between languages, at right angles to each other. */
async function languageDirections(embedder: Embedder): Promise<Float32Array[]> {
  const parallel = JSON.parse(
    readFileSync(pathOf("tools/model/parallel_texts.json"), "utf8"),
  ) as Parallel;
  const languages = Object.keys(parallel.passage[0]!);
  const offsets = languages.map(() => [] as Float32Array[]);
  for (const role of ["passage", "query"] as const) {
    const means: Float32Array[] = [];
    for (const language of languages) {
      const texts = parallel[role].map((row) => row[language]!);
      means.push(mean(await embedAll(texts, role, embedder)));
    }
    const middle = mean(means);
    means.forEach((each, i) => offsets[i]!.push(each.map((value, at) => value - middle[at]!)));
  }
  // The offsets from their own middle leave one direction fewer than there are languages.
  return spanningDirections(offsets.map(mean), languages.length - 1);
}

async function embedAll(
  texts: readonly string[],
  role: Role,
  embedder: Embedder,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(await embedder.embed(text, role));
  return vectors;
}

function mean(vectors: readonly Float32Array[]): Float32Array {
  const sums = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) vector.forEach((value, i) => sums[i]! += value);
  return Float32Array.from(sums, (sum) => sum / vectors.length);
}

function shareOf(vectors: readonly Float32Array[]): Float32Array {
  return mean(vectors).map((value) => SHARE * value);
}

function base64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}
