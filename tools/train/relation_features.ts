// Writes the numbers of pairs of texts for `relation.py`: a line for each pair, by the model in dist/model.
//
//   deno run -A tools/train/relation_features.ts OUT.jsonl PAIRS.jsonl…

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { WEIGHTS } from "../../src/core/embed/files.ts";
import { unit, type WordState } from "../../src/core/embed/embedder.ts";
import { loadModel } from "../../src/core/embed/local.ts";
import { BUILTIN_MODEL } from "../../src/core/embed/models.ts";
import { featuresOf, readText } from "../../src/core/relation/features.ts";

/** A pair of the data: of `relations`, or of `corrections`. */
interface Pair {
  readonly a?: string;
  readonly b?: string;
  readonly first?: { readonly text: string };
  readonly second?: { readonly text: string };
  readonly relation?: string;
  readonly kind?: string;
  readonly project?: string;
  readonly lang: string;
}

const [out, ...sources] = process.argv.slice(2);
const folder = fileURLToPath(new URL("../../dist/model", import.meta.url));
const embedder = await loadModel(folder, BUILTIN_MODEL["multilingual-e5-small"], {
  id: "raw",
  weights: WEIGHTS[0],
});
const pairs = sources.flatMap((source) =>
  readFileSync(source, "utf8").split("\n").filter((line) => line.trim() !== "")
    .map((line): Pair & { source: string } => ({ ...JSON.parse(line), source }))
);
const textsOf = ({ a, b, first, second }: Pair) => [a ?? first!.text, b ?? second!.text] as const;
const words = new Map<string, readonly WordState[]>();
for (const text of new Set(pairs.flatMap(textsOf))) {
  words.set(text, await embedder.wordStates!(text));
  if (words.size % 500 === 0) console.error(words.size);
}
await embedder.close();
const width = embedder.dimensions;
const common = new Float32Array(width);
const states = [...words].flatMap(([, its]) => its.map(({ state }) => unit(state)));
for (const state of states) state.forEach((value, at) => common[at]! += value / states.length);
const read = new Map([...words].map(([text, its]) => [text, readText(its, common)]));
const lines = pairs.map((pair) => {
  const [a, b] = textsOf(pair).map((text) => read.get(text)!) as [never, never];
  const { relation, kind, project, lang, source } = pair;
  return JSON.stringify({
    ...{ relation, kind, project, lang, source, a: textsOf(pair)[0], b: textsOf(pair)[1] },
    features: featuresOf(a, b),
    reversed: featuresOf(b, a),
  });
});
writeFileSync(out!, lines.join("\n") + "\n");
writeFileSync(out! + ".common.json", JSON.stringify(Buffer.from(common.buffer).toString("base64")));
