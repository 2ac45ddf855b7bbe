import { setImmediate } from "node:timers/promises";
import { isMainGone, type Standing } from "../relation/standing.ts";
import { NOT_FOR } from "./embedding_queue.ts";
import { refusals } from "./refusals.ts";
import { census, takes, totalOf } from "./census.ts";
import type { Connection } from "./connection.ts";
import type { Corpus, IndexedMemory, NearestOptions, PassageHit, TypeFilter } from "./corpus.ts";
import type { FolderVectors } from "./folder_vectors.ts";
import { siblingsOf } from "./siblings.ts";
import { LoadedMemories } from "./loaded_memories.ts";
import { MEMORY_COLUMNS, toMemory, toVector } from "./rows.ts";
import { BUILTIN_DIMENSIONS } from "./schema.ts";
import { blockFor } from "./passage_block.ts";
import type { PassageBlock } from "./passage_rows.ts";
import { compared } from "./compared.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { allOf, having, LARGE, rareWordHits, wordHits } from "./word_hits.ts";

/** A memory's own words, without their English terms. */
const OWN_COLUMNS = "name description triggers tags body";

/** Rows of vectors that are read at a time. */
const LOADED_AT_ONCE = 1000;

/** Of the nearest memories in a large folder, so many are compared exactly: more than any prompt is given or told of. */
const EXACT = 32;

/** The memories of some folders, as strategies ask for them. */
export interface MemoryCorpusOptions {
  readonly db: Connection;
  readonly vocabulary: Vocabulary;
  readonly vectors: FolderVectors;
  /** How memories stand to the code, where something has to be said of it. */
  readonly standings: () => Promise<ReadonlyMap<number, Standing>>;
  /** Ids of the folders. */
  readonly folders: readonly number[];
}

/** The part of the index with the memories of some folders, or those of some types in them. */
export function memoryCorpus(options: MemoryCorpusOptions, filter?: TypeFilter): Corpus {
  const { db, vocabulary, vectors, folders } = options;
  const load = async (ids: readonly number[]) =>
    standing(await loaded(db, ids), await options.standings());
  const inFolders = `m.folder IN (${folders.join(", ") || "NULL"})`;
  const inTypes = filter === undefined
    ? ""
    : ` AND m.type ${filter.except ? "NOT IN" : "IN"} (SELECT value FROM json_each(?))`;
  const args = filter === undefined ? [] : [JSON.stringify(filter.types)];
  const among = inFolders + inTypes;
  const kinds = async () =>
    (await census(db)).filter(({ folder, type }) =>
      folders.includes(folder) && takes(filter, type)
    );
  return {
    of: (filter) => memoryCorpus(options, filter),
    model: async () => await db.once("model", () => db.meta("model")),
    size: async () => totalOf(await kinds()),
    statistics: async (terms) => {
      const documents = totalOf(await census(db));
      const containing = await vocabulary.containing(terms);
      return { documents, containing: terms.map((term) => containing.get(term) ?? 0) };
    },
    likely: async (term) => await vocabulary.likely(term),
    words: async (terms, limit) => {
      if (terms.length === 0) return [];
      const size = totalOf(await kinds()), documents = totalOf(await census(db));
      const options = { among, args, limit, isWhole: size === documents };
      // What is rare in the whole index may still be in no memory of a small part of it.
      if (size <= LARGE || size < documents / 2) return await wordHits(db, terms, options);
      const containing = await vocabulary.containing(terms);
      return await rareWordHits(db, terms, { ...options, containing });
    },
    having: async (terms, memories) =>
      new Set(await having(db, { table: "words", columns: OWN_COLUMNS, terms, rows: memories })),
    named: async (terms, limit) => {
      if (terms.length === 0) return [];
      // Nearly every prompt names nothing, which this question alone says in half the time.
      const named = await db.read(`SELECT rowid FROM words WHERE words MATCH ?`, [
        `{name triggers} : (${allOf(terms)})`,
      ]);
      if (named.length === 0) return [];
      const found = await selectMemories(
        db,
        `WHERE m.id IN (SELECT value FROM json_each(?)) AND ${among}
          ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
        [JSON.stringify(named.map((row) => Number(row[0]))), ...args, limit],
      );
      return standing(found, await options.standings());
    },
    called: async (names) => {
      const found = await db.read(
        `SELECT n.name, n.memory FROM names n CROSS JOIN memories m ON m.id = n.memory
          WHERE n.name IN (SELECT value FROM json_each(?)) AND ${among}`,
        [JSON.stringify(names), ...args],
      );
      const byName = Map.groupBy(found, (row) => String(row[0]));
      return new Map([...byName].map(([name, rows]) => [name, rows.map((row) => Number(row[1]))]));
    },
    nearest: async (vector, nearness) =>
      totalOf(await kinds()) > LARGE && vectors.isRarelyAsked(folders)
        ? await scanned(vector, nearness, { db, among, args })
        : await nearest(vector, options, { ...nearness, filter }),
    vectorOf: async (memory) => {
      const [row] = await db.read(
        `SELECT vector FROM passages WHERE memory = ? AND start > ${NOT_FOR} ORDER BY id LIMIT 1`,
        [memory],
      );
      return row && toVector(row[0]);
    },
    newest: async (limit, { isSaid = false } = {}) => {
      const said = isSaid ? " AND m.imported = 0" : "";
      // An index has those of one folder, or of one type in it, in order; of several, SQLite would read and sort all.
      const parts = filter === undefined
        ? folders.map((folder) => ({ where: "m.folder = ?", of: [folder] }))
        : (await kinds()).map(({ folder, type }) => ({
          where: "m.folder = ? AND m.type = ?",
          of: [folder, type],
        }));
      const found = await Promise.all(parts.map(async ({ where, of }) => {
        const newest = await db.read(
          `SELECT m.id FROM memories m WHERE ${where}${said}
            ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
          [...of, limit],
        );
        return await load(newest.map((row) => Number(row[0])));
      }));
      return found.flat().sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
        .slice(0, limit);
    },
    imports: async () => {
      const found = await db.read(
        `SELECT m.imported, count(*) FROM memories m WHERE ${among} AND m.imported <> 0 GROUP BY 1`,
        args,
      );
      return new Map(found.map((row) => [String(row[0]), Number(row[1])]));
    },
    refusals: async () => (await refusals(db)).filter(({ folder }) => folders.includes(folder)),
    siblings: async (memories) => await siblingsOf(db, memories, { among, args }),
    memories: load,
  };
}

/** A memory whose main thing is gone, or whose branch is not here, is as sure as one that nobody has confirmed. */
const UNCONFIRMED = 0.5;

/** Memories, those with their standing of which something has to be said. */
function standing(
  memories: readonly IndexedMemory[],
  standings: ReadonlyMap<number, Standing>,
): IndexedMemory[] {
  return memories.map((memory) => {
    const standing = standings.get(memory.id);
    if (standing === undefined) return memory;
    const { confidence } = memory;
    return isMainGone({ standing }) || standing.branch !== undefined
      ? { ...memory, standing, confidence: Math.min(confidence, UNCONFIRMED) }
      : { ...memory, standing };
  });
}

/** The memories with these ids, in their order; vanished ones are left out. */
async function loaded(db: Connection, ids: readonly number[]): Promise<IndexedMemory[]> {
  const known = await db.once("memories", () => Promise.resolve(new LoadedMemories()));
  const missing = ids.filter((id) => !known.has(id));
  const found = missing.length === 0 ? [] : await selectMemories(
    db,
    `WHERE m.id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(missing)],
  );
  return known.among(ids, found);
}

/** The memories that a condition on their ids selects: an index would lead through all of a folder. */
export async function selectMemories(
  db: Connection,
  where: string,
  args: readonly (string | number)[],
): Promise<IndexedMemory[]> {
  const found = await db.read(
    `SELECT ${MEMORY_COLUMNS} FROM memories m NOT INDEXED JOIN folders f ON f.id = m.folder ${where}`,
    args,
  );
  return found.map(toMemory);
}

async function nearest(
  vector: Float32Array,
  { db, folders, vectors }: MemoryCorpusOptions,
  { limit, also, filter }: NearestOptions & { filter: TypeFilter | undefined },
): Promise<PassageHit[]> {
  const hits: PassageHit[] = [];
  for (const folder of folders) {
    const block = await vectors.of(folder);
    const found = block.search(vector, { limit, also, takes: (type) => takes(filter, type) });
    hits.push(...block.isExact ? found : await exactly(found, vector, db));
  }
  hits.sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
  return hits.filter((hit, rank) => rank < limit || also?.has(hit.memory));
}

/** The hits, the nearest of them compared with the vectors in the database. */
async function exactly(
  hits: readonly PassageHit[],
  vector: Float32Array,
  db: Connection,
): Promise<PassageHit[]> {
  const ranked = hits.toSorted((a, b) => b.nearness - a.nearness || a.memory - b.memory);
  const nearest = await comparedIn(db, ranked.slice(0, EXACT).map(({ memory }) => memory), vector);
  const exact = new Map(nearest.map((hit) => [hit.memory, hit]));
  return ranked.map((hit) => exact.get(hit.memory) ?? hit);
}

/** The same in the database: half the work of taking all vectors into memory, which a command would do to ask once. */
export async function scanned(
  vector: Float32Array,
  { limit, also = new Set() }: NearestOptions,
  { db, among, args }: Pick<MemoryCorpusOptions, "db"> & { among: string; args: string[] },
): Promise<PassageHit[]> {
  const rows = await db.read(
    `SELECT p.memory FROM passages p
      CROSS JOIN memories m INDEXED BY memories_kind ON m.id = p.memory
      WHERE ${among} AND p.start > ${NOT_FOR}
      GROUP BY 1 ORDER BY min(vector_distance_cos(p.vector, vector32(?))) LIMIT ?`,
    [...args, JSON.stringify([...vector]), limit],
  );
  const near = new Set(rows.map((row) => Number(row[0])));
  const hits = await comparedIn(db, [...near.union(also)], vector);
  return hits.sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
}

/** Some memories, compared with the vectors in the database. */
async function comparedIn(db: Connection, memories: readonly number[], vector: Float32Array) {
  const rows = await db.read(
    `SELECT memory, start, "end", vector FROM passages
      WHERE memory IN (SELECT value FROM json_each(?)) AND start > ${NOT_FOR} ORDER BY memory, id`,
    [JSON.stringify(memories)],
  );
  return compared(rows, vector);
}

/** Takes a folder's vectors into memory, some at a time: each row takes several times its size on the way. */
export async function readVectors(db: Connection, folder: number): Promise<PassageBlock> {
  const count = await db.count(
    `SELECT count(*) FROM passages p JOIN memories m ON m.id = p.memory
      WHERE m.folder = ? AND p.start > ${NOT_FOR}`,
    [folder],
  );
  const dimensions = Number(await db.meta("dimensions") ?? BUILTIN_DIMENSIONS);
  const block = blockFor(dimensions, count);
  for (let [memory, passage] = [0, 0], isDone = false; !isDone;) {
    const rows = await db.read(
      `SELECT p.memory, p.id, p.start, p."end", p.vector, m.type FROM passages p
        CROSS JOIN memories m INDEXED BY memories_kind ON m.id = p.memory
        WHERE m.folder = ? AND p.start > ${NOT_FOR} AND (p.memory, p.id) > (?, ?) ORDER BY p.memory, p.id LIMIT ?`,
      [folder, memory, passage, LOADED_AT_ONCE],
    );
    for (const row of rows) {
      memory = Number(row[0]);
      passage = Number(row[1]);
      const start = Number(row[2]);
      const end = Number(row[3]);
      block.add({ memory, start, end, vector: toVector(row[4]), type: String(row[5]) });
    }
    isDone = rows.length < LOADED_AT_ONCE;
    if (!isDone) await setImmediate();
  }
  return block;
}
