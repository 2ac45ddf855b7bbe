// Where exact search ends and an approximate index begins: the same vectors searched in memory, by libSQL row by row, and
// through the database's own index, libSQL's DiskANN.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { openEmbedder } from "../../src/embed/mod.ts";
import { CompactBlock } from "../../src/index/compact_block.ts";
import type { PassageBlock } from "../../src/index/passage_rows.ts";
import { VectorBlock } from "../../src/index/vectors.ts";
import type { Paths } from "../../src/paths.ts";
import { generateMemories, generatePrompts } from "../../bench/generate.ts";
import { type Spread, spreadOf } from "../../bench/latency.ts";
import { MadeUpVectors } from "../../bench/made_up_vectors.ts";
import { describeMachine, type Machine } from "../../bench/machine.ts";

export interface VectorsBenchOptions {
  /** Numbers of passages. */
  readonly passages: readonly number[];
  /**
   * Minutes after which the building of an index is stopped: an entry takes it longer than a whole exact search. One
   * that was stopped is not begun for more passages.
   */
  readonly build: number;
  readonly paths: Paths;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

export interface VectorsReport {
  readonly machine: Machine;
  readonly dimensions: number;
  readonly queries: number;
  readonly sizes: readonly VectorsSize[];
}

/** The results for one number of passages. */
export interface VectorsSize {
  readonly passages: number;
  readonly ways: readonly WayReport[];
}

export interface WayReport {
  readonly way: keyof typeof WAYS;
  /** Entries after which its building was stopped for the time it took. */
  readonly stoppedAt?: number;
  /** Of one search, in milliseconds; none where it was stopped. */
  readonly search?: Spread;
  /** Milliseconds until the first search, per passage. */
  readonly entry: number;
  /** Share of the ten nearest passages that are found. */
  readonly recall?: number;
  /** On disk, or in memory. */
  readonly bytes: number;
}

/** Ways to search, and what they are called. */
export const WAYS = {
  memory: "exact, in memory",
  compact: "a byte a number, in memory",
  scan: "exact, in SQL",
  ann: "DiskANN index",
  annSmall: "DiskANN index, 20 neighbours of bytes",
  annBits: "DiskANN index, 20 neighbours of bits",
} as const;

/** Texts that are embedded, if there are so many passages; the vectors are made from theirs. */
const SAMPLES = 400;
const QUERIES = 50;
const NEAREST = 10;
const BATCH = 100;

/** Searches stores of each size in every way. */
export async function benchVectors(options: VectorsBenchOptions): Promise<VectorsReport> {
  const embedder = await openEmbedder("builtin", options.paths);
  try {
    const most = Math.max(...options.passages);
    const texts = generateMemories(Math.min(SAMPLES, most)).map(({ name, body }) =>
      `${name}\n${body}`
    );
    const madeUp = await MadeUpVectors.from(texts, embedder);
    const vectors = Array.from({ length: most }, () => madeUp.next());
    const queries: Float32Array[] = [];
    for (const prompt of generatePrompts(QUERIES, most)) {
      queries.push(await embedder.embed(prompt, "query"));
    }
    const sizes: VectorsSize[] = [], stopped = new Set<string>();
    for (const passages of options.passages) {
      const ways = Object.keys(SETTINGS).filter((way) => !stopped.has(way)) as IndexWay[];
      const size = await measure(vectors.slice(0, passages), queries, { ...options, ways });
      for (const { way, stoppedAt } of size.ways) if (stoppedAt !== undefined) stopped.add(way);
      sizes.push(size);
    }
    return {
      machine: describeMachine(),
      dimensions: embedder.dimensions,
      queries: queries.length,
      sizes,
    };
  } finally {
    await embedder.close();
  }
}

async function measure(
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
  { build, onProgress, ways: inDatabase }: VectorsBenchOptions & {
    readonly ways: readonly IndexWay[];
  },
): Promise<VectorsSize> {
  const dimensions = vectors[0]!.length;
  const exact = new VectorBlock(dimensions, vectors.length);
  const inMemory = searchInMemory(exact, vectors, queries), truth = inMemory.found;
  const ways: WayReport[] = [{ way: "memory", ...inMemory, ...judged(truth, truth) }];
  const block = CompactBlock.make(dimensions);
  if (block !== undefined) {
    const compact = searchInMemory(block, vectors, queries);
    ways.push({ way: "compact", ...compact, ...judged(compact.found, truth) });
  }
  const inSql = async (way: IndexWay): Promise<WayReport> => {
    onProgress?.(`${WAYS[way]} of ${vectors.length} passages`, 0, vectors.length);
    return await withDatabase(async (client, path) => {
      await client.execute(
        `CREATE TABLE passages (id INTEGER PRIMARY KEY, vector F32_BLOB(${dimensions}))`,
      );
      const settings = SETTINGS[way];
      if (settings !== undefined) {
        await client.execute(
          `CREATE INDEX nearest ON passages (libsql_vector_idx(vector, 'metric=cosine'${settings}))`,
        );
      }
      const { entered, ms } = await insert(client, vectors, {
        mostMs: settings === undefined ? Infinity : build * 60_000,
        onProgress: (done) =>
          onProgress?.(`${WAYS[way]} of ${vectors.length} passages`, done, vectors.length),
      });
      await client.execute(`PRAGMA wal_checkpoint(TRUNCATE)`);
      const cost = { way, entry: ms / entered, bytes: statSync(path).size };
      if (entered < vectors.length) return { ...cost, stoppedAt: entered };
      const { search, found } = await searchInSql(
        client,
        queries,
        settings === undefined ? SCAN : ANN,
      );
      return { ...cost, search, ...judged(found, truth) };
    });
  };
  for (const way of inDatabase) ways.push(await inSql(way));
  return { passages: vectors.length, ways: ways.map(withoutFound) };
}

/** Gives work a database of its own. */
async function withDatabase<T>(work: (client: Client, path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "memo-bench-")), path = join(folder, "vectors.db");
  const client = createClient({ url: pathToFileURL(path).href });
  try {
    return await work(client, path);
  } finally {
    client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCAN = {
  sql: `SELECT id FROM passages ORDER BY vector_distance_cos(vector, ?) LIMIT ${NEAREST}`,
};
const ANN = { sql: `SELECT id FROM vector_top_k('nearest', ?, ${NEAREST})` };

/** How each index is made; undefined: there is none. */
const SETTINGS = {
  scan: undefined,
  ann: "",
  annSmall: ", 'compress_neighbors=float8', 'max_neighbors=20'",
  annBits: ", 'compress_neighbors=float1bit', 'max_neighbors=20'",
} as const satisfies Partial<Record<keyof typeof WAYS, string | undefined>>;

/** What the database searches by itself. */
type IndexWay = keyof typeof SETTINGS;

type Found = readonly (readonly number[])[];

function searchInMemory(
  block: PassageBlock,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): { search: Spread; entry: number; bytes: number; found: Found } {
  const start = performance.now();
  vectors.forEach((vector, memory) => block.add({ memory, type: "", start: 0, end: 0, vector }));
  const entry = (performance.now() - start) / vectors.length;
  const times: number[] = [];
  const found = queries.map((query) => {
    const started = performance.now();
    const hits = block.search(query, { limit: NEAREST }).sort((a, b) => b.cosine - a.cosine);
    times.push(performance.now() - started);
    return hits.map(({ memory }) => memory);
  });
  return { search: spreadOf(times), entry, bytes: block.bytes, found };
}

async function searchInSql(
  client: Client,
  queries: readonly Float32Array[],
  { sql }: { readonly sql: string },
): Promise<{ search: Spread; found: Found }> {
  const times: number[] = [], found: number[][] = [];
  for (const query of queries) {
    const start = performance.now();
    const { rows } = await client.execute({ sql, args: [blobOf(query)] });
    times.push(performance.now() - start);
    found.push(rows.map((row) => Number(row[0])));
  }
  return { search: spreadOf(times), found };
}

/** Enters vectors, for so long at most. */
async function insert(
  client: Client,
  vectors: readonly Float32Array[],
  { mostMs, onProgress }: {
    readonly mostMs: number;
    readonly onProgress: (done: number) => void;
  },
): Promise<{ readonly entered: number; readonly ms: number }> {
  const began = performance.now();
  let entered = 0, ms = 0;
  do { // at least a few, however long they take
    const batch = vectors.slice(entered, entered + BATCH);
    await client.batch(
      batch.map((vector, i) => ({
        sql: `INSERT INTO passages VALUES (?, ?)`,
        args: [entered + i, blobOf(vector)],
      })),
      "write",
    );
    entered += batch.length;
    ms = performance.now() - began;
    onProgress(entered);
  } while (entered < vectors.length && ms < mostMs);
  return { entered, ms };
}

/** Which of the truly nearest were found; equally near ones may stand for each other and seldom do. */
function judged(found: Found, truth: Found): { readonly recall: number } {
  const shares = truth.map((nearest, i) =>
    nearest.filter((id) => found[i]!.includes(id)).length / nearest.length
  );
  return { recall: shares.reduce((sum, share) => sum + share, 0) / shares.length };
}

function withoutFound(
  { way, stoppedAt, search, entry, recall, bytes }: WayReport,
): WayReport {
  return {
    way,
    ...stoppedAt === undefined ? {} : { stoppedAt },
    ...search === undefined ? {} : { search },
    ...recall === undefined ? {} : { recall },
    ...{ entry, bytes },
  };
}

function blobOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
