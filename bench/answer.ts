import type { Config } from "../src/core/settings/config.ts";
import type { Embedder } from "../src/core/embed/mod.ts";
import type { Corpus } from "../src/core/index/corpus.ts";
import { Query } from "../src/core/index/query.ts";
import { compose, hasText, type Recall, understand } from "../src/core/recall/recall.ts";
import { rankAll, type Ranking, type RetrieveOptions } from "../src/core/recall/retrieve.ts";
import { NOTHING_SHOWN, type Shown } from "../src/core/recall/shown.ts";
import type { Ask, Question } from "../strategies/strategy.ts";
import type { Contender } from "./contenders.ts";
import { FREE, type Respondent, type Toll } from "./replies.ts";
import type { Store } from "./store.ts";
import type { SuiteQuery } from "./suite.ts";

/** One contender's answer to one query. */
export interface Answer {
  readonly query: SuiteQuery;
  /** Documents, best first, with their scores. */
  readonly ranking: readonly { readonly id: string; readonly score: number }[];
  /** Documents in the context block that the prompt would have got, … */
  readonly injected: readonly string[];
  /** … those of them whose text is in it, not just name and path, … */
  readonly whole: readonly string[];
  /** … and what the conversation had before, in the same two forms. */
  readonly before: { readonly injected: readonly string[]; readonly whole: readonly string[] };
  /** Bytes of that block; 0: none. */
  readonly bytes: number;
  /** To rank, the query's own embedding included. */
  readonly ms: number;
  /** LLM calls. */
  readonly toll: Toll;
  /** Why a fallback strategy answered. */
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

/** A strategy in a user's file is measured completely: it is loaded first, and nobody waits at a prompt. */
const PATIENCE_MS = 120_000;

/** Answers one query with every contender, as recall would a prompt in a fresh session. */
export async function answer(
  query: SuiteQuery,
  contenders: readonly Contender[],
  context: AnswerContext,
): Promise<Answer[]> {
  const { store, config, respondent } = context;
  const { folders, corpus, exact, passed, text, adjustment } = await meet(query, context);
  const vector = sharedVector(text, context.embedder);

  const answers: Answer[] = [];
  for (const contender of contenders) {
    const { only, asks } = contender;
    const earlier = await replay(query, contender, context);
    const { embed, owed } = vector();
    const asked = new Query(text, embed, { request: query.text });
    // A gated prompt is ranked too, to measure the ranking, but without LLM calls.
    const isStopped = passed.kind === "stop";
    const ask = asks === "never" || isStopped ? undefined : respondent?.ask;
    const options = { ...optionsFor(only, { store, corpus, config, ask }), adjustment };
    const start = performance.now();
    const rankings = isStopped && asks === "always"
      ? []
      : [...exact, ...await rankAll(asked, options)];
    const toll = respondent?.settle() ?? FREE;
    const ms = performance.now() - start + owed();
    const { block, entries } = passed.kind === "pass"
      ? await compose(rankings, { folders, shown: earlier.shown, terms: asked.terms }, options)
      : NOTHING;
    const documents = (list: Recall["entries"]) =>
      list.map(({ fused }) => store.documentAt(fused.memory.path));
    answers.push({
      query,
      ranking: await rankedDocuments(rankings, corpus, store),
      injected: documents(entries),
      whole: documents(entries.filter(hasText)),
      before: earlier.before,
      bytes: Buffer.byteLength(block ?? ""),
      ms,
      toll,
      failures: rankings.flatMap((ranking) => ranking.failures),
    });
  }
  return answers;
}

/** What the turns before a query put into context; only local strategies answer them. */
async function replay(
  query: SuiteQuery,
  contender: Contender,
  context: AnswerContext,
): Promise<{ readonly shown: Shown; readonly before: Answer["before"] }> {
  const { store } = context;
  const [seen, pointed] = [new Map<string, undefined>(), new Map<string, undefined>()];
  const turns = query.turns ?? [];
  for (const [i, { user }] of turns.entries()) {
    const asked = { ...query, text: user, turns: turns.slice(0, i) };
    const { folders, corpus, exact, passed, text, adjustment } = await meet(asked, context);
    if (passed.kind === "stop") continue;
    const embed = (text: string) => context.embedder.embed(text, "query");
    const options = {
      ...optionsFor(contender.only, { ...context, corpus, ask: undefined }),
      adjustment,
    };
    const found = new Query(text, embed, { request: user });
    const rankings = [...exact, ...await rankAll(found, options)];
    const shown = { ...NOTHING_SHOWN, seen, pointed };
    const { entries } = await compose(rankings, { folders, shown, terms: found.terms }, options);
    for (const entry of entries) {
      (hasText(entry) ? seen : pointed).set(entry.fused.memory.path, undefined);
    }
  }
  const whole = [...seen.keys()].map((path) => store.documentAt(path));
  const named = [...pointed.keys()].map((path) => store.documentAt(path));
  return {
    shown: { ...NOTHING_SHOWN, seen, pointed },
    before: { whole, injected: [...whole, ...named] },
  };
}

/** The LLM calls that the contenders would make for a query. */
export async function questionsOf(
  query: SuiteQuery,
  contenders: readonly Contender[],
  context: AnswerContext,
): Promise<Question[]> {
  const { store, config } = context;
  const { corpus, passed, text, adjustment } = await meet(query, context);
  if (passed.kind === "stop") return [];
  const questions: Question[] = [];
  const ask: Ask = (question) => {
    questions.push(question);
    return Promise.reject(new Error("Not asked yet"));
  };
  const vector = sharedVector(text, context.embedder);
  for (const { only } of contenders) {
    await rankAll(
      new Query(text, vector().embed, { request: query.text }),
      { ...optionsFor(only, { store, corpus, config, ask }), adjustment },
    );
  }
  return questions;
}

/** A query before its store: its text to search for, the folders that count for it, and whether it gets past the gate. */
export async function meet(query: SuiteQuery, { store, config }: AnswerContext) {
  const folders = store.foldersOf(query.scope);
  const corpus = await store.index.corpus(folders);
  const turn = query.turns?.at(-1);
  const { exact, passed, together } = await understand({
    prompt: query.text,
    shown: NOTHING_SHOWN,
    before: () => Promise.resolve(turn && { prompt: turn.user, reply: turn.assistant }),
  }, { corpus, config });
  const own = passed.kind === "pass" ? passed.query : query.text;
  const { query: text, adjustment } = together ?? { query: own, adjustment: undefined };
  return { folders, corpus, exact: exact.rankings, passed, text, adjustment };
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
  const patient = { ...config, "recall.deadline_ms": PATIENCE_MS };
  return { corpus, config: patient, now: store.now, limit: DEPTH, only, ask };
}

/** The result of a gated prompt. */
const NOTHING = { block: undefined, entries: [] as const };

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
