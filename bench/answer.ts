import type { Config } from "../src/config.ts";
import type { Embedder } from "../src/embed/embedder.ts";
import { Query } from "../src/index/query.ts";
import { budget } from "../src/recall/budget.ts";
import { format } from "../src/recall/format.ts";
import { fuse } from "../src/recall/fuse.ts";
import { gate } from "../src/recall/gate.ts";
import { type Ranking, retrieve } from "../src/recall/retrieve.ts";
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
    const start = performance.now();
    const rankings = await retrieve(new Query(text, embed), {
      index: store.index,
      folders,
      config,
      limit: DEPTH,
      only,
    });
    const ms = performance.now() - start + owed();
    const ranking = await rankedDocuments(rankings, context, folders);
    const block = passed.kind === "pass"
      ? await blockOf(rankings, { ...context, folders, terms: new Query(text).terms })
      : { injected: [], bytes: 0 };
    const failures = rankings.flatMap((ranking) => ranking.failures);
    answers.push({ query, ranking, ...block, ms, failures });
  }
  return answers;
}

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

type Folders = ReturnType<Store["foldersOf"]>;

async function memoriesOf(rankings: readonly Ranking[], store: Store, folders: Folders) {
  const ids = [...new Set(rankings.flatMap(({ hits }) => hits.map((hit) => hit.memory)))];
  const memories = await (await store.index.corpus(folders)).memories(ids);
  return new Map(memories.map((memory) => [memory.id, memory]));
}

async function rankedDocuments(
  rankings: readonly Ranking[],
  { store }: AnswerContext,
  folders: Folders,
): Promise<Answer["ranking"]> {
  const memories = await memoriesOf(rankings, store, folders);
  const hits = rankings.flatMap((ranking) => ranking.hits).sort((a, b) => b.score - a.score);
  const scores = new Map<string, number>();
  for (const { memory, score } of hits) {
    const id = store.documentAt(memories.get(memory)!.path);
    if (!scores.has(id)) scores.set(id, score);
  }
  return [...scores].slice(0, DEPTH).map(([id, score]) => ({ id, score }));
}

async function blockOf(
  rankings: readonly Ranking[],
  { store, config, folders, terms }: AnswerContext & { folders: Folders; terms: readonly string[] },
): Promise<Pick<Answer, "injected" | "bytes">> {
  const { now } = store;
  const memories = await memoriesOf(rankings, store, folders);
  const { kept } = fuse(rankings, { config, now, seen: new Set(), memories });
  const bytesLeft = config["recall.session_bytes"];
  const { entries } = budget(kept, { config, now, terms, bytesLeft });
  return {
    injected: entries.map(({ candidate }) => store.documentAt(candidate.memory.path)),
    bytes: entries.length === 0 ? 0 : Buffer.byteLength(format(entries)),
  };
}
