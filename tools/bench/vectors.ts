// The same vectors searched in memory, exactly and by a byte a number, and by libSQL row by row.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
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
  /** Of one search, in milliseconds. */
  readonly search: Spread;
  /** Milliseconds until the first search, per passage. */
  readonly entry: number;
  /** Share of the ten nearest passages that are found. */
  readonly recall: number;
  /** On disk, or in memory. */
  readonly bytes: number;
}

/** Ways to search, and what they are called. */
export const WAYS = {
  memory: "exact, in memory",
  compact: "a byte a number, in memory",
  scan: "exact, in SQL",
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
    const sizes: VectorsSize[] = [];
    for (const passages of options.passages) {
      sizes.push(await measure(vectors.slice(0, passages), queries, options));
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
  { onProgress }: VectorsBenchOptions,
): Promise<VectorsSize> {
  const dimensions = vectors[0]!.length;
  const exact = searchInMemory(new VectorBlock(dimensions, vectors.length), vectors, queries);
  const block = CompactBlock.make(dimensions);
  const onEntered = (done: number) => onProgress?.("Entering", done, vectors.length);
  const ways = {
    memory: exact,
    ...block && { compact: searchInMemory(block, vectors, queries) },
    scan: await searchInSql(vectors, queries, onEntered),
  };
  return {
    passages: vectors.length,
    ways: Object.entries(ways).map(([way, { found, search, entry, bytes }]) => ({
      way: way as keyof typeof WAYS,
      search,
      entry,
      recall: shareFound(found, exact.found),
      bytes,
    })),
  };
}

/** What a way to search finds for each query, and what it takes. */
interface Searched extends Pick<WayReport, "search" | "entry" | "bytes"> {
  readonly found: readonly (readonly number[])[];
}

function searchInMemory(
  block: PassageBlock,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Searched {
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
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
  onEntered: (done: number) => void,
): Promise<Searched> {
  const folder = mkdtempSync(join(tmpdir(), "memo-bench-"));
  const path = join(folder, "vectors.db");
  const client = createClient({ url: pathToFileURL(path).href });
  try {
    const column = `vector F32_BLOB(${vectors[0]!.length})`;
    await client.execute(`CREATE TABLE passages (id INTEGER PRIMARY KEY, ${column})`);
    const began = performance.now();
    for (let start = 0; start < vectors.length; start += BATCH) {
      const batch = vectors.slice(start, start + BATCH).map((vector, i) => ({
        sql: `INSERT INTO passages VALUES (?, ?)`,
        args: [start + i, blobOf(vector)],
      }));
      await client.batch(batch, "write");
      onEntered(start + batch.length);
    }
    const entry = (performance.now() - began) / vectors.length;
    await client.execute(`PRAGMA wal_checkpoint(TRUNCATE)`);
    const times: number[] = [];
    const found: number[][] = [];
    for (const query of queries) {
      const start = performance.now();
      const { rows } = await client.execute({ sql: SCAN, args: [blobOf(query)] });
      times.push(performance.now() - start);
      found.push(rows.map((row) => Number(row[0])));
    }
    return { search: spreadOf(times), found, entry, bytes: statSync(path).size };
  } finally {
    client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCAN = `SELECT id FROM passages ORDER BY vector_distance_cos(vector, ?) LIMIT ${NEAREST}`;

/** The share of the truly nearest that were found; equally near ones may stand for each other and seldom do. */
function shareFound(found: Searched["found"], truth: Searched["found"]): number {
  const shares = truth.map((nearest, i) =>
    nearest.filter((id) => found[i]!.includes(id)).length / nearest.length
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function blobOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
