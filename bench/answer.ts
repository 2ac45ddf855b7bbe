import type { Config } from "../src/settings/config.ts";
import type { Embedder } from "../src/embed/embedder.ts";
import type { Corpus } from "../src/index/corpus.ts";
import { Query } from "../src/index/query.ts";
import { calledBy } from "../src/recall/called.ts";
import { gate } from "../src/recall/gate.ts";
import { compose } from "../src/recall/recall.ts";
import { rankAll, type Ranking, type RetrieveOptions } from "../src/recall/retrieve.ts";
import { NOTHING_SHOWN } from "../src/recall/shown.ts";
import type { Ask, Question } from "../strategies/strategy.ts";
import type { Contender } from "./contenders.ts";
import type { Respondent, Toll } from "./replies.ts";
import type { Store } from "./store.ts";
import type { SuiteQuery } from "./suite.ts";

/** One contender's answer to one query. */
export interface Answer {
  readonly query: SuiteQuery;
  /** Documents, best first, with their scores. */
  readonly ranking: readonly { readonly id: string; readonly score: number }[];
  /** Documents in the context block that the prompt would have got. */
  readonly injected: readonly string[];
  /** Bytes of that block; 0: none. */
  readonly bytes: number;
  /** To rank, the query's own embedding and a language model's recorded time included. */
  readonly ms: number;
  /** LLM calls. */
  readonly toll: Toll;
  /** Why another strategy had to stand in. */
  readonly failures: readonly string[];
}

export interface AnswerContext {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly config: Config;
  readonly respondent?: Respondent | undefined;
}

/** Documents of a ranking that are kept, and written to a run file. */
const DEPTH = 100;

/** Answers one query with every contender, as recall would a prompt in a fresh session. */
export async function answer(
  query: SuiteQuery,
  contenders: readonly Contender[],
  context: AnswerContext,
): Promise<Answer[]> {
  const { store, config, respondent } = context;
  const { folders, corpus, called, passed, text } = await meet(query, context);
  const vector = sharedVector(text, context.embedder);

  const answers: Answer[] = [];
  for (const { only, asks } of contenders) {
    const { embed, owed } = vector();
    const asked = new Query(text, embed);
    // A gated prompt is ranked too, to measure the ranking, but without LLM calls.
    const isStopped = passed.kind === "stop";
    const ask = asks === "never" || isStopped ? undefined : respondent?.ask;
    const options = optionsFor(only, { store, corpus, config, ask });
    const start = performance.now();
    const rankings = isStopped && asks === "always"
      ? []
      : [...called, ...await rankAll(asked, options)];
    const toll = respondent?.settle() ?? NO_TOLL;
    const ms = performance.now() - start + owed() + toll.recordedMs;
    const { block, entries } = passed.kind === "pass"
      ? await compose(rankings, { folders, shown: NOTHING_SHOWN, terms: asked.terms }, options)
      : NOTHING;
    answers.push({
      query,
      ranking: await rankedDocuments(rankings, corpus, store),
      injected: entries.map(({ fused }) => store.documentAt(fused.memory.path)),
      bytes: Buffer.byteLength(block ?? ""),
      ms,
      toll,
      failures: rankings.flatMap((ranking) => ranking.failures),
    });
  }
  return answers;
}

const NO_TOLL: Toll = { calls: 0, usd: 0, recordedMs: 0 };

/** The LLM calls that the contenders would make for a query. */
export async function questionsOf(
  query: SuiteQuery,
  contenders: readonly Contender[],
  context: AnswerContext,
): Promise<Question[]> {
  const { store, config } = context;
  const { corpus, passed, text } = await meet(query, context);
  if (passed.kind === "stop") return [];
  const questions: Question[] = [];
  const ask: Ask = (question) => {
    questions.push(question);
    return Promise.reject(new Error("It is not asked yet"));
  };
  const vector = sharedVector(text, context.embedder);
  for (const { only } of contenders) {
    await rankAll(
      new Query(text, vector().embed),
      optionsFor(only, { store, corpus, config, ask }),
    );
  }
  return questions;
}

/** A query before its store: its text to search for, the folders that count for it, and whether it gets past the gate. */
export async function meet(query: SuiteQuery, { store, config }: AnswerContext) {
  const folders = store.foldersOf(query.scope);
  const corpus = await store.index.corpus(folders);
  const { isKnown, rankings: called } = await calledBy(query.text, corpus);
  const passed = gate({
    prompt: query.text,
    memories: await corpus.size(),
    bytesLeft: config["recall.session_bytes"],
    isKnown,
  }, config);
  const text = passed.kind === "pass" ? passed.query : query.text;
  return { folders, corpus, called, passed, text };
}

function optionsFor(
  only: string | undefined,
  { store, corpus, config, ask }: {
    store: Store;
    corpus: Corpus;
    config: Config;
    ask: Ask | undefined;
  },
): RetrieveOptions {
  return { corpus, config, now: store.now, limit: DEPTH, only, ask };
}

/** The result of a gated prompt. */
const NOTHING = { block: undefined, entries: [] };

/** Embeds a text once for all contenders, and charges each one that asks for it what that took. */
function sharedVector(text: string, embedder: Embedder) {
  let made: { readonly vector: Float32Array; readonly ms: number } | undefined;
  return () => {
    let debt = 0;
    const embed = async (): Promise<Float32Array> => {
      if (made !== undefined) {
        debt = made.ms;
        return made.vector;
      }
      const start = performance.now();
      const vector = await embedder.embed(text, "query");
      made = { vector, ms: performance.now() - start };
      return vector;
    };
    return { embed, owed: () => debt };
  };
}

async function rankedDocuments(
  rankings: readonly Ranking[],
  corpus: Corpus,
  store: Store,
): Promise<Answer["ranking"]> {
  const scores = new Map<number, number>();
  const hits = rankings.flatMap((ranking) => ranking.hits).sort((a, b) => b.score - a.score);
  for (const { memory, score } of hits) if (!scores.has(memory)) scores.set(memory, score);
  const memories = await corpus.memories([...scores.keys()].slice(0, DEPTH));
  return memories.map(({ id, path }) => ({ id: store.documentAt(path), score: scores.get(id)! }));
}
