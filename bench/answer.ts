import type { Config } from "../src/config.ts";
import type { Embedder } from "../src/embed/embedder.ts";
import type { Corpus } from "../src/index/corpus.ts";
import { Query } from "../src/index/query.ts";
import { gate } from "../src/recall/gate.ts";
import { compose } from "../src/recall/recall.ts";
import { rankAll, type Ranking } from "../src/recall/retrieve.ts";
import { FRESH_SESSION } from "../src/recall/session.ts";
import type { Store } from "./store.ts";
import type { SuiteQuery } from "./suite.ts";

/** A way to answer that is compared: one strategy for everything, or what the settings say. */
export interface Contender {
  readonly name: string;
  /** undefined: each type by the strategy of its row. */
  readonly only: string | undefined;
}

/** What one contender made of one query. */
export interface Answer {
  readonly query: SuiteQuery;
  /** Documents, best first, with their scores. */
  readonly ranking: readonly { readonly id: string; readonly score: number }[];
  /** Documents in the context block that the prompt would have got. */
  readonly injected: readonly string[];
  /** Bytes of that block; 0: none. */
  readonly bytes: number;
  /** To rank, the query's own embedding included. */
  readonly ms: number;
  /** Why another strategy had to stand in. */
  readonly failures: readonly string[];
}

export interface AnswerContext {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly config: Config;
}

/** Documents of a ranking that are kept, and written to a run file. */
const DEPTH = 100;

/** Answers one query with every contender, as recall would a prompt in a fresh session. */
export async function answer(
  query: SuiteQuery,
  contenders: readonly Contender[],
  context: AnswerContext,
): Promise<Answer[]> {
  const { store, config } = context;
  const folders = store.foldersOf(query.scope);
  const corpus = await store.index.corpus(folders);
  const passed = gate({
    prompt: query.text,
    memories: await corpus.size(),
    bytesLeft: config["recall.session_bytes"],
  }, config);
  const text = passed.kind === "pass" ? passed.query : query.text;
  const vector = sharedVector(text, context.embedder);

  const answers: Answer[] = [];
  for (const { only } of contenders) {
    const { embed, owed } = vector();
    const asked = new Query(text, embed);
    const options = { index: store.index, folders, config, now: store.now, limit: DEPTH, only };
    const start = performance.now();
    const rankings = await rankAll(asked, options);
    const ms = performance.now() - start + owed();
    const { block, entries } = passed.kind === "pass"
      ? await compose(rankings, { folders, session: FRESH_SESSION, terms: asked.terms }, options)
      : NOTHING;
    answers.push({
      query,
      ranking: await rankedDocuments(rankings, corpus, store),
      injected: entries.map(({ candidate }) => store.documentAt(candidate.memory.path)),
      bytes: Buffer.byteLength(block ?? ""),
      ms,
      failures: rankings.flatMap((ranking) => ranking.failures),
    });
  }
  return answers;
}

/** What a prompt gets that stops at the gate. */
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
