// Fits the weights of `strategies/need.json`, by which memories are ranked and given, to all development sets, and puts the
// cosines of both built-in models on one scale (`src/core/embed/spaces/cosines.json`).
//
//   deno run -A tools/train/need.ts FOLDER    with the sets that lie outside the repository

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildStore, type Store } from "../../bench/store.ts";
import { cached } from "../../bench/vector_cache.ts";
import { calibrationOf, type Embedder, openEmbedder } from "../../src/core/embed/mod.ts";
import type { Corpus } from "../../src/core/index/corpus.ts";
import { Query } from "../../src/core/index/query.ts";
import { queryText } from "../../src/core/recall/query_text.ts";
import { columns } from "../../src/core/text/terminal.ts";
import { evidenceByMeaning } from "../../strategies/hybrid.ts";
import { evidenceByWords } from "../../strategies/keyword.ts";
import { BASE, FEATURES, type RankEvidence } from "../../strategies/need.ts";
import { evidenceByAge } from "../../strategies/recency.ts";
import { CONTEXT, PATHS } from "../bench/executable.ts";
import { areaUnder, type Example, fit, logLoss, predict, type Weights } from "./regression.ts";
import { type DevelopmentSet, developmentSets } from "./sets.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What is fitted for each strategy: all that it knows of a prompt and a memory. */
const EVIDENCE = {
  hybrid: evidenceByMeaning,
  keyword: evidenceByWords,
  recency: evidenceByAge,
} as const satisfies Record<
  keyof typeof FEATURES,
  (query: Query, corpus: Corpus, now: Date) => Promise<RankEvidence[]>
>;
type StrategyName = keyof typeof EVIDENCE;

/** The direction in which a feature may speak; where the sets say otherwise they are too few, and it says nothing. */
const SIGNS: Readonly<Record<string, 1 | -1>> = {
  "words": 1,
  "fewer words than another": -1,
  "rare words": 1,
  "exact identifier": 1,
  "size of the store": -1,
  "meaning": 1,
  "another is nearer": -1,
  "freshness": 1,
};

/**
 * Of all prompts so many need something, whatever their share in a set is. It moves all probabilities alike: with .7 the
 * usual threshold of .35 serves .47 of coding-agent's test half, and 7 of 100 prompts that need nothing get a text; with .5
 * .38 and 6 of 100.
 */
const NEEDY = 0.7;

/** Of a prompt's memories so many of the best by meaning, and by words, are learned from, and all that it needs. */
const BEST = 12;

/** The scale of all models' cosines: where the nearest memory of a prompt and the middle one lie. */
const SCALE = { nearest: 0.42, middle: -0.04 } as const;

const [outside] = process.argv.slice(2);
if (outside === undefined) throw new Error("Name the folder of the sets outside the repository");
const scratch = mkdtempSync(join(tmpdir(), "memo-train-"));
const vectors = join(PATHS.state, "train");
mkdirSync(vectors, { recursive: true });
try {
  const sets = developmentSets(outside);
  const builtin = remembering(cached(await openEmbedder("builtin", CONTEXT.paths), vectors));
  const minilm = cached(await openEmbedder(pathOf("dist/model-minilm"), CONTEXT.paths), vectors);
  const cosines = {
    "multilingual-e5-small": await scaleOf(sets[0]!, builtin),
    "all-MiniLM-L6-v2": await scaleOf(sets[0]!, minilm),
  };
  Object.assign(calibrationOf(builtin.id).nearness, cosines["multilingual-e5-small"]);
  write("src/core/embed/spaces/cosines.json", cosines);
  const examples = await examplesOf(sets, builtin);
  await builtin.close();
  await minilm.close();
  const all = Object.fromEntries(
    Object.entries(examples).map(([strategy, each]) => {
      console.log(`\n${strategy}`);
      report(each, strategy as StrategyName);
      return [strategy, fit(each, FEATURES[strategy as StrategyName], SIGNS)];
    }),
  );
  write("strategies/need.json", readable(all));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Keeps the vectors of prompts, which are asked in several stores. */
function remembering(embedder: ReturnType<typeof cached>): typeof embedder {
  const known = new Map<string, Promise<Float32Array>>();
  return {
    ...embedder,
    embed(text, role) {
      if (role === "passage") return embedder.embed(text, role);
      const vector = known.get(text) ?? embedder.embed(text, role);
      known.set(text, vector);
      return vector;
    },
  };
}

async function storeOf({ suite }: DevelopmentSet, embedder: Embedder): Promise<Store> {
  return await buildStore(suite, { embedder, folder: mkdtempSync(join(scratch, "store-")) });
}

/** The two numbers that put the nearest and the middle memory of a prompt where they are for all models. */
async function scaleOf(set: DevelopmentSet, embedder: Embedder) {
  const store = await storeOf(set, embedder);
  const corpus = await store.index.corpus(store.foldersOf(undefined));
  const limit = await corpus.size();
  let nearest = 0, middle = 0;
  for (const { text } of set.suite.queries) {
    const near = await corpus.nearest(await embedder.embed(queryText(text), "query"), { limit });
    const sorted = near.map(({ nearness }) => nearness).sort((a, b) => b - a);
    nearest += sorted[0]! / set.suite.queries.length;
    middle += sorted[Math.floor(sorted.length / 2)]! / set.suite.queries.length;
  }
  store.index.close();
  const gain = (SCALE.nearest - SCALE.middle) / (nearest - middle);
  return { floor: rounded(middle - SCALE.middle / gain), gain: rounded(gain) };
}

/** All prompts of all sets with the memories that come near them, for each strategy. */
async function examplesOf(sets: readonly DevelopmentSet[], embedder: Embedder) {
  const all: Record<StrategyName, Example[]> = { hybrid: [], keyword: [], recency: [] };
  for (const set of sets) {
    const start = performance.now();
    const { suite, weight } = set;
    const store = await storeOf(set, embedder);
    const there = new Set(suite.documents.map(({ id }) => id));
    const neededBy = (id: string) =>
      new Set(
        [...suite.qrels.get(id) ?? []].flatMap(([doc, grade]) =>
          grade > 0 && there.has(doc) ? [doc] : []
        ),
      );
    const needy = suite.queries.filter(({ id }) => neededBy(id).size > 0).length;
    const idle = suite.queries.length - needy;
    for (const { id, text, scope } of suite.queries) {
      const corpus = await store.index.corpus(store.foldersOf(scope));
      const query = new Query(queryText(text), (each) => embedder.embed(each, "query"));
      const needed = neededBy(id);
      const share = idle === 0 || needed.size > 0 ? NEEDY / needy : (1 - NEEDY) / idle;
      for (const strategy of Object.keys(all) as StrategyName[]) {
        const evidence = await EVIDENCE[strategy](query, corpus, store.now);
        const memories = await corpus.memories(evidence.map(({ memory }) => memory));
        const documents = new Map(memories.map(({ id, path }) => [id, store.documentAt(path)]));
        for (
          const one of evidence.filter(
            amongBest(evidence, (each) => needed.has(documents.get(each.memory)!)),
          )
        ) {
          const document = documents.get(one.memory)!;
          if (one.by !== strategy || set.may?.get(id)?.has(document)) continue;
          all[strategy].push({
            ...{ set: set.name, prompt: `${set.name} ${id}`, features: one.features },
            ...{ weight: weight * share, isNeeded: needed.has(document) },
          });
        }
      }
    }
    store.index.close();
    const seconds = Math.round((performance.now() - start) / 1000);
    console.error(`${set.name}: ${needy} of ${suite.queries.length} need something, ${seconds} s`);
  }
  return all;
}

function amongBest(evidence: readonly RankEvidence[], isNeeded: (one: RankEvidence) => boolean) {
  const bestBy = (feature: string) =>
    evidence.toSorted((a, b) => (b.features[feature] ?? 0) - (a.features[feature] ?? 0)).slice(
      0,
      BEST,
    );
  const best = new Set([...bestBy("words"), ...bestBy("meaning")]);
  return (one: RankEvidence) => best.has(one) || isNeeded(one);
}

/** How well each set is judged by weights that were fitted without it, and without these prompts. */
function report(examples: readonly Example[], strategy: StrategyName): void {
  const fitted = (some: readonly Example[]) => fit(some, FEATURES[strategy], SIGNS);
  const folds = [0, 1, 2, 3, 4];
  const foldOf = ({ prompt }: Example) =>
    [...prompt].reduce((sum, c) => (sum * 31 + c.codePointAt(0)!) % 9973, 7) % folds.length;
  const within = folds.map((fold) => fitted(examples.filter((each) => foldOf(each) !== fold)));
  const row = (name: string, some: readonly Example[], weightsFor: (each: Example) => Weights) => {
    const judged = some.map((each) => ({ ...each, p: predict(each.features, weightsFor(each)) }));
    const given = judged.filter(({ p }) => p >= 0.35);
    const isLikely = (from: number, to: number) => {
      const there = judged.filter(({ p }) => p >= from && p < to);
      return there.length === 0
        ? "–"
        : (there.filter(({ isNeeded }) => isNeeded).length / there.length).toFixed(2);
    };
    return [
      ...[name, areaUnder(judged).toFixed(3), logLoss(judged).toFixed(3)],
      ...[
        isLikely(0.1, 0.2),
        isLikely(0.2, 0.35),
        isLikely(0.35, 0.5),
        isLikely(0.5, 0.7),
        isLikely(0.7, 1),
      ],
      String(given.length),
    ];
  };
  const families = [...Map.groupBy(examples, ({ set }) => set.split(/[ ,]/)[0]!)];
  console.log(columns([
    ["left out", "area", "log loss", "needed at .1", ".2", ".35", ".5", ".7", "above .35"],
    ...families.map(([family, own]) => {
      const weights = fitted(examples.filter(({ set }) => !set.startsWith(family)));
      return row(family, own, () => weights);
    }),
    row("a fifth of all prompts", examples, (each) => within[foldOf(each)]!),
  ]));
}

/**
 * What words alone are given for: where no model is loaded yet a miss costs more. With it keyword serves .451 of
 * coding-agent in full at blocks of .115, without it .395 at .072; before there was a fit .474 at .180.
 */
const BOLDER: Readonly<Record<StrategyName, number>> = { hybrid: 0, keyword: 0.5, recency: 0.5 };

function readable(all: Readonly<Record<string, Weights>>) {
  return Object.fromEntries(
    Object.entries(all).map(([strategy, weights]) => [
      strategy,
      Object.fromEntries(
        [BASE, ...FEATURES[strategy as StrategyName]].map((
          name,
        ) => [
          name,
          rounded((weights[name] ?? 0) + (name === BASE ? BOLDER[strategy as StrategyName] : 0)),
        ]),
      ),
    ]),
  );
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function write(path: string, value: unknown): void {
  writeFileSync(pathOf(path), JSON.stringify(value, null, 2) + "\n");
  console.error(`Wrote ${path}`);
}
