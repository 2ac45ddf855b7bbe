// Writes pairs of texts as the judge of relations sees them, for `relation.py`, by the model in dist/model: OUT.json has
// the pairs, and OUT.f32 the states of all words.
//
//   deno run -A tools/train/relation_features.ts OUT PAIRS.jsonl…
//
// Files of notes (`title`, `body`) give pairs as a store has them: each note with others of its project near it, none of
// which is about the same thing. So do files of pairs, whose notes are put beside those of other pairs.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dot, unit } from "../../src/core/embed/embedder.ts";
import { WEIGHTS } from "../../src/core/embed/files.ts";
import { loadModel } from "../../src/core/embed/local.ts";
import { BUILTIN_MODEL } from "../../src/core/embed/models.ts";
import { comparePair, type ReadText, readText } from "../../src/core/relation/features.ts";

/** A pair of the data: of `relations`, or of `corrections`. */
interface Pair {
  readonly project?: string;
  readonly relation?: string;
  readonly title?: string;
  readonly body?: string;
  readonly a?: string;
  readonly b?: string;
  readonly first?: { readonly text: string };
  readonly second?: { readonly text: string };
}

/** The cosine of the mean states up to which notes of two projects are about two things. */
const APART = 0.45;
/** Notes of which the nearest is taken, each so many rows behind the last. */
const LOOKED_AT = 60, STRIDE = 389;

/** A pair that nobody wrote: two notes that are near each other. */
type PlacedPair = Pair & { source: string; isBeside?: boolean };

const [out, ...sources] = process.argv.slice(2);
const folder = fileURLToPath(new URL("../../dist/model", import.meta.url));
const embedder = await loadModel(folder, BUILTIN_MODEL["multilingual-e5-small"], {
  id: "raw",
  weights: WEIGHTS[0],
});
const rows = sources.flatMap((source) =>
  readFileSync(source, "utf8").split("\n").filter((line) => line.trim() !== "")
    .map((line): Pair & { source: string } => ({ ...JSON.parse(line), source }))
);
const noteOf = ({ title, body }: Pair) => title && `${title.replace(/[.…]$/, "")}. ${body}`.trim();
const textsOf = ({ a, b, first, second }: Pair) => [a ?? first!.text, b ?? second!.text] as const;
const given = rows.filter(({ title }) => title === undefined);
const notes = rows.filter(({ title }) => title !== undefined);
const words = [];
for (const text of new Set([...given.flatMap(textsOf), ...notes.map((row) => noteOf(row)!)])) {
  words.push({ text, its: await embedder.wordStates!(text) });
}
await embedder.close();
const common = new Float32Array(embedder.dimensions);
const states = words.flatMap(({ its }) => its.map(({ state }) => unit(state)));
for (const state of states) state.forEach((value, at) => common[at]! += value / states.length);
const read = new Map<string, ReadText & { readonly from: number }>();
let from = 0;
for (const { text, its } of words) {
  const one = readText(its, common);
  read.set(text, { ...one, from });
  from += one.words.length;
}
const pairs = [...given, ...besideEachOther(), ...besideOthers()];
const all = new Float32Array(from * common.length);
for (const one of read.values()) {
  one.words.forEach(({ state }, i) => all.set(state, (one.from + i) * common.length));
}
writeFileSync(`${out}.f32`, new Uint8Array(all.buffer));
const judged = pairs.map((pair) => {
  const [earlier, later] = textsOf(pair), a = read.get(earlier)!, b = read.get(later)!;
  return {
    ...{ ...pair, from: [a.from, b.from] },
    ...{ given: comparePair(a, b), turned: comparePair(b, a) },
  };
});
writeFileSync(`${out}.json`, JSON.stringify({ common: [...common], pairs: judged }));

/** Each note with the nearest of its project, and with the third nearest. */
function besideEachOther(): PlacedPair[] {
  return [...Map.groupBy(notes, ({ project }) => project).values()].flatMap((its) =>
    its.flatMap((one) => {
      const vectorOf = (note: Pair) => read.get(noteOf(note)!)!.vector;
      const near = its.filter((other) => other !== one).map((other) => ({
        other,
        cosine: dot(vectorOf(one), vectorOf(other)),
      })).sort((x, y) => y.cosine - x.cosine);
      return [near[0], near[2]].flatMap((each, i) =>
        each === undefined ? [] : [{
          ...{ project: one.project!, source: one.source, a: noteOf(one)!, b: noteOf(each.other)! },
          relation: i === 0 ? "distinct" : "unrelated",
          isBeside: true,
        }]
      );
    })
  );
}

/** The earlier note of each pair with later ones of two others that are about something else, in any project and language. */
function besideOthers(): PlacedPair[] {
  const related = given.filter(({ relation }) => relation !== undefined);
  const later = related.map(({ b }) => read.get(b!)!.vector);
  return related.flatMap((one, i) => {
    const { vector } = read.get(one.a!)!;
    return [0, LOOKED_AT].flatMap((from) => {
      const near = Array.from({ length: LOOKED_AT }, (_, k) => {
        const at = (i + (from + k + 1) * STRIDE) % related.length;
        return { other: related[at]!, cosine: dot(vector, later[at]!) };
      }).filter(({ other, cosine }) =>
        other.source === one.source && other.project !== one.project && cosine <= APART
      );
      const [nearest] = near.sort((x, y) => y.cosine - x.cosine);
      return nearest === undefined
        ? []
        : [{ ...one, a: one.a!, b: nearest.other.b!, relation: "unrelated", isBeside: true }];
    });
  });
}
