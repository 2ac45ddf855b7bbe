import { NOT_FOR } from "./embedding_queue.ts";
import { refusals } from "./refusals.ts";
import { census, takes, totalOf } from "./census.ts";
import type { Connection } from "./connection.ts";
import type { Corpus, IndexedMemory, NearestOptions, PassageHit, TypeFilter } from "./corpus.ts";
import type { FolderVectors } from "./folder_vectors.ts";
import { MEMORY_COLUMNS, toMemory, toVector } from "./rows.ts";
import { BUILTIN_DIMENSIONS } from "./schema.ts";
import { VectorBlock } from "./vectors.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * BM25 weights of name, description, triggers, tags, body and their English terms: the subject of a memory counts more
 * than what it mentions.
 */
const FIELD_WEIGHTS = "4.0, 3.0, 3.0, 2.0, 1.0, 1.0";

/** Rows of vectors that are read at a time. */
const LOADED_AT_ONCE = 1000;

/** Room for vectors, of those that there are: without any to spare, the next one would have all of them copied. */
const SPARE = 1.1;

/** The memories of some folders, as strategies ask for them. */
export interface MemoryCorpusOptions {
  readonly db: Connection;
  readonly vocabulary: Vocabulary;
  readonly vectors: FolderVectors;
  /** Ids of the folders. */
  readonly folders: readonly number[];
}

/** The part of the index with the memories of some folders, or those of some types in them. */
export function memoryCorpus(options: MemoryCorpusOptions, filter?: TypeFilter): Corpus {
  const { db, vocabulary, folders } = options;
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
      const found = await db.read(
        `SELECT m.id, -bm25(words, ${FIELD_WEIGHTS}) AS score
          FROM words CROSS JOIN memories m INDEXED BY memories_kind ON m.id = words.rowid
          WHERE words MATCH ? AND ${among} ORDER BY score DESC, m.id LIMIT ?`,
        [terms.map((term) => `"${term}"`).join(" OR "), ...args, limit],
      );
      return found.map((row) => ({ memory: Number(row[0]), bm25: Number(row[1]) }));
    },
    named: async (terms, limit) => {
      if (terms.length === 0) return [];
      // Nearly every prompt names nothing, which this question alone says in half the time.
      const named = await db.read(`SELECT rowid FROM words WHERE words MATCH ?`, [
        `{name triggers} : (${terms.map((term) => `"${term}"`).join(" AND ")})`,
      ]);
      return named.length === 0 ? [] : await selectMemories(
        db,
        `WHERE m.id IN (SELECT value FROM json_each(?)) AND ${among}
          ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
        [JSON.stringify(named.map((row) => Number(row[0]))), ...args, limit],
      );
    },
    nearest: async (vector, nearness) => await nearest(vector, options, { ...nearness, filter }),
    vectorOf: async (memory) => {
      for (const folder of folders) {
        const vector = (await options.vectors.of(folder)).vectorOf(memory);
        if (vector !== undefined) return vector;
      }
      return undefined;
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
      const found = await Promise.all(parts.map(({ where, of }) =>
        selectMemories(
          db,
          `WHERE ${where}${said} ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
          [...of, limit],
        )
      ));
      return found.flat().sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
        .slice(0, limit);
    },
    refusals: async () => (await refusals(db)).filter(({ folder }) => folders.includes(folder)),
    memories: async (ids) => {
      if (ids.length === 0) return [];
      const wanted = JSON.stringify(ids);
      const found = await selectMemories(
        db,
        `WHERE m.id IN (SELECT value FROM json_each(?))`,
        [wanted],
      );
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** The memories that a condition selects. */
export async function selectMemories(
  db: Connection,
  where: string,
  args: readonly (string | number)[],
): Promise<IndexedMemory[]> {
  const found = await db.read(
    `SELECT ${MEMORY_COLUMNS} FROM memories m JOIN folders f ON f.id = m.folder ${where}`,
    args,
  );
  return found.map(toMemory);
}

async function nearest(
  vector: Float32Array,
  { folders, vectors }: MemoryCorpusOptions,
  { limit, also, filter }: NearestOptions & { filter: TypeFilter | undefined },
): Promise<PassageHit[]> {
  const hits: PassageHit[] = [];
  for (const folder of folders) {
    const block = await vectors.of(folder);
    hits.push(...block.search(vector, { limit, also, takes: (type) => takes(filter, type) }));
  }
  hits.sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
  return hits.filter((hit, rank) => rank < limit || also?.has(hit.memory));
}

/** Takes a folder's vectors into memory, some at a time: each row takes several times its size on the way. */
export async function readVectors(db: Connection, folder: number): Promise<VectorBlock> {
  const count = await db.count(
    `SELECT count(*) FROM passages p JOIN memories m ON m.id = p.memory
      WHERE m.folder = ? AND p.start > ${NOT_FOR}`,
    [folder],
  );
  const dimensions = Number(await db.meta("dimensions") ?? BUILTIN_DIMENSIONS);
  const block = new VectorBlock(dimensions, Math.ceil(count * SPARE));
  for (let [memory, passage] = [0, 0], isDone = false; !isDone;) {
    const rows = await db.rows(
      `SELECT p.memory, p.id, p.start, p."end", p.vector, m.type FROM passages p
        JOIN memories m ON m.id = p.memory
        WHERE m.folder = ? AND p.start > ${NOT_FOR} AND (p.memory, p.id) > (?, ?) ORDER BY p.memory, p.id LIMIT ?`,
      [folder, memory, passage, LOADED_AT_ONCE],
    );
    for (const row of rows) {
      [memory, passage] = [Number(row[0]), Number(row[1])];
      const [start, end] = [Number(row[2]), Number(row[3])];
      block.add({ memory, start, end, vector: toVector(row[4]), type: String(row[5]) });
    }
    isDone = rows.length < LOADED_AT_ONCE;
  }
  return block;
}
