import type { Corpus } from "../index/corpus.ts";
import { Query } from "../index/query.ts";
import { isMarked } from "../memory/provenance.ts";
import { analyze } from "../text/analyze.ts";
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

/** The strategy name of such a ranking in receipts. */
export const EXACT_TRIGGER = "trigger";

const NOTHING: ExactTriggers = { isKnown: false, rankings: [] };

/** Names and triggers are short; a longer prompt goes through retrieval anyway. */
const MAX_CHARS = 100;
/** Maximum memories to compare with the prompt. */
const LOOKED_AT = 20;

/**
 * Looks a short prompt up among the names and triggers of memories: "ship it" recalls the memory with that trigger,
 * although it is too short to search for.
 */
export async function exactTriggers(prompt: string, corpus: Corpus): Promise<ExactTriggers> {
  const terms = prompt.length > MAX_CHARS ? [] : analyze(prompt);
  if (terms.length === 0) return NOTHING;
  const start = performance.now();
  const topic = topicTerms(prompt);
  const found = await corpus.named(topic.length > 0 ? topic : terms, LOOKED_AT);
  // Whoever wrote a page also chose the prompts that it wants to answer.
  const named = found.filter((memory) => !isMarked(memory));
  const exact = named.filter(({ name, triggers }) =>
    [name, ...triggers].some((text) => analyze(text).join(" ") === terms.join(" "))
  );
  const hits = exact.map(({ id }): Hit => ({ memory: id, score: 1 }));
  const isKnown = hits.length > 0 || (topic.length > 0 && named.length > 0);
  if (hits.length === 0) return { ...NOTHING, isKnown };
  const refused = await refusedFor(new Query(prompt), corpus, hits);
  const ms = performance.now() - start;
  return { isKnown, rankings: [{ strategy: EXACT_TRIGGER, hits, ms, failures: [], refused }] };
}
