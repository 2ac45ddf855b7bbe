// "Never for such prompts": a memory that a person has taken away from a prompt is left out for that prompt and for
// others that are more like it than like the memory.

import { calibrationOf, dot, scaled } from "../embed/mod.ts";
import type { Corpus } from "../index/corpus.ts";
import type { Query } from "../index/query.ts";
import { analyze } from "../text/analyze.ts";
import type { Hit } from "../../../strategies/strategy.ts";

/**
 * A prompt is like an example if its cosine with it, calibrated, is at least `LIKE`, and by `NEARER` more than that with
 * the memory's best passage. On the coding-agent suite's pairs of prompts, a memory that was found for the wrong one was
 * then left out for 37 of 100 others that ask for the same, and for 2 of 100 that do need it.
 */
const LIKE = 0.3, NEARER = 0.05;
/** The same where only words, or a language model, have found the memory: there is nothing to compare with. */
const ALIKE = 0.5;

/** The memories that are not for a prompt. Nothing is asked of a store without examples. */
export async function refusedFor(
  query: Query,
  corpus: Corpus,
  hits: readonly Hit[],
): Promise<ReadonlySet<number>> {
  const refusals = await corpus.refusals();
  if (refusals.length === 0) return NONE;
  const same = wordsOf(query.request);
  const near = await nearness(query, corpus);
  const own = new Map(hits.map(({ memory, parts }) => [memory, parts?.["cosine"]]));
  const isRefused = ({ memory, prompts, vectors }: typeof refusals[number]) => {
    if (same !== "" && prompts.some((prompt) => wordsOf(prompt) === same)) return true;
    const cosine = own.get(memory);
    return vectors.map(near.of).some((example) =>
      cosine === undefined
        ? example >= ALIKE
        : example >= LIKE && example > near.calibrated(cosine) + NEARER
    );
  };
  return new Set(refusals.filter(isRefused).map(({ memory }) => memory));
}

const NONE: ReadonlySet<number> = new Set();

/** How near vectors are to a query, 0–1; without a model nothing is. */
async function nearness(query: Query, corpus: Corpus) {
  const vector = await query.vector().catch(() => undefined);
  const calibration = calibrationOf(await corpus.model());
  const calibrated = (cosine: number) => scaled(cosine, calibration);
  return {
    calibrated,
    // One of another length is of another model.
    of: (other: Float32Array) =>
      vector?.length === other.length ? calibrated(dot(vector, other)) : 0,
  };
}

function wordsOf(text: string): string {
  return analyze(text).join(" ");
}
