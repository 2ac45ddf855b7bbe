import { spreadOf } from "../../bench/latency.ts";
import type { Suite } from "../../bench/suite.ts";
import type { Embedder } from "../../src/embed/embedder.ts";

/** The median milliseconds of a vector. */
export interface VectorTimes {
  readonly promptMs: number;
  readonly passageMs: number;
}

const ROUNDS = 60;
const WARM_UP = 3;
const PASSAGE_TOKENS = 150;

/**
 * Measures what vectors take: of a suite's prompts, and of passages of 150 of the model's own tokens. The models take
 * turns, so that all meet the same machine.
 */
export async function timeVectors(
  embedders: ReadonlyMap<string, Embedder>,
  { queries, documents }: Suite,
  { rounds = ROUNDS }: { readonly rounds?: number } = {},
): Promise<Map<string, VectorTimes>> {
  const words = documents.flatMap(({ text }) => text.split(/\s+/));
  const times = new Map(
    [...embedders.keys()].map((name) => [name, { prompt: [], passage: [] } as Times]),
  );
  for (let round = -WARM_UP; round < rounds; round++) {
    const at = round + WARM_UP;
    const prompt = queries[at % queries.length]!.text;
    for (const [name, embedder] of embedders) {
      const passage = passageFrom(words.slice(at * PASSAGE_TOKENS), embedder);
      const taken = {
        prompt: await msOf(() => embedder.embed(prompt, "query")),
        passage: await msOf(() => embedder.embed(passage, "passage")),
      };
      if (round < 0) continue;
      times.get(name)!.prompt.push(taken.prompt);
      times.get(name)!.passage.push(taken.passage);
    }
  }
  return new Map(
    [...times].map(([name, { prompt, passage }]) => [
      name,
      { promptMs: spreadOf(prompt).p50, passageMs: spreadOf(passage).p50 },
    ]),
  );
}

interface Times {
  readonly prompt: number[];
  readonly passage: number[];
}

/** As many of the words as make a passage's number of tokens, or just more. */
function passageFrom(words: readonly string[], embedder: Embedder): string {
  let text = "";
  for (const word of words) {
    if (embedder.countTokens(text) >= PASSAGE_TOKENS) break;
    text += `${word} `;
  }
  return text;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
