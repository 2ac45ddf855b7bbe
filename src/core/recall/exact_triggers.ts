import type { Corpus } from "../index/corpus.ts";
import { Query } from "../index/query.ts";
import { isMarked } from "../memory/provenance.ts";
import { runsIn } from "../memory/names.ts";
import { analyze } from "../text/analyze.ts";
import { CALLED } from "./adjust.ts";
import { refusedFor } from "./never.ts";
import type { Hit } from "../../../strategies/strategy.ts";
import type { Ranking } from "./retrieve.ts";
import { topicTerms } from "./query_text.ts";

/** The memories that a short prompt calls by name or by trigger. */
export interface ExactTriggers {
  /** Whether a memory has the words of a short prompt in its name or in one trigger. */
  readonly isKnown: boolean;
  /** The memories whose name or trigger is the prompt, with the highest score. */
  readonly rankings: readonly Ranking[];
}

/** The strategy names of such rankings in receipts. */
export const EXACT_TRIGGER = "trigger", NAMED = "name";

/** Names and triggers are short; a longer prompt goes through retrieval anyway. */
const MAX_CHARS = 100;
const LOOKED_AT = 20;

/**
 * Looks a short prompt up among the names and triggers of memories: "ship it" recalls the memory with that trigger,
 * although it is too short to search for.
 */
export async function exactTriggers(prompt: string, corpus: Corpus): Promise<ExactTriggers> {
  const terms = prompt.length > MAX_CHARS ? [] : analyze(prompt);
  if (terms.length === 0) return { isKnown: false, rankings: [] };
  const start = performance.now();
  const topic = topicTerms(prompt);
  const found = await corpus.named(topic.length > 0 ? topic : terms, LOOKED_AT);
  // Whoever wrote a page also chose the prompts that it wants to answer.
  const named = found.filter((memory) => !isMarked(memory));
  const exact = named.filter(({ name, triggers }) =>
    [name, ...triggers].some((text) => analyze(text).join(" ") === terms.join(" "))
  );
  const hits = exact.map(({ id }): Hit => ({ memory: id, score: 1 }));
  return {
    isKnown: hits.length > 0 || (topic.length > 0 && named.length > 0),
    rankings: await rankingOf(EXACT_TRIGGER, hits, { prompt, corpus, start }),
  };
}

/** The memories that a prompt calls by name among other words: for "how does kube schedule pods" the one known as kube. */
export async function calledByName(
  text: string,
  { prompt, corpus, exact }: {
    readonly prompt: string;
    readonly corpus: Corpus;
    /** What is called by the whole prompt. */
    readonly exact: readonly Ranking[];
  },
): Promise<readonly Ranking[]> {
  const start = performance.now();
  const runs = runsIn(text);
  const names = runs.size === 0 ? [] : await corpus.called([...runs.keys()]);
  const scores = new Map<number, number>();
  for (const [name, ids] of names) {
    const score = runs.get(name) ? CALLED.surely : CALLED.perhaps;
    if (ids.length > CALLED.most) continue;
    for (const id of ids) scores.set(id, Math.max(score, scores.get(id) ?? 0));
  }
  for (const { memory } of exact.flatMap(({ hits }) => hits)) scores.delete(memory);
  // Whoever wrote a page also chose what it is called.
  const memories = (await corpus.memories([...scores.keys()])).filter((each) => !isMarked(each));
  const hits = memories.map(({ id }) => ({ memory: id, score: scores.get(id)! }));
  return await rankingOf(NAMED, hits, { prompt, corpus, start });
}

async function rankingOf(
  strategy: string,
  hits: readonly Hit[],
  { prompt, corpus, start }: { prompt: string; corpus: Corpus; start: number },
): Promise<readonly Ranking[]> {
  if (hits.length === 0) return [];
  const refused = await refusedFor(new Query(prompt), corpus, hits);
  return [{ strategy, hits, ms: performance.now() - start, failures: [], refused }];
}
