import { dot } from "../embed/mod.ts";
import { isMainGone, type Standing } from "../relation/standing.ts";
import type { Connection } from "./connection.ts";
import type {
  Corpus,
  IndexedMemory,
  NearestOptions,
  PassageHit,
  PromptExclusion,
  TypeFilter,
} from "./corpus.ts";
import { type FolderVectors, nearestOf } from "./folder_vectors.ts";
import type { Days } from "./history.ts";
import { MEMORY_COLUMNS, type MemoryRow, toBlob, toMemory, toVector } from "./rows.ts";
import { HISTORY_SCOPE, NOT_FOR } from "./database.ts";
import { relationsOf } from "./relations.ts";
import type { Words } from "./words.ts";

/** The memories, or the entries of history, of some folders, as strategies ask for them. */
export interface MemoryCorpusOptions {
  readonly db: Connection;
  readonly words: Words;
  /** Vectors in memory; undefined: the database compares them, which takes longer and no memory. */
  readonly vectors?: FolderVectors;
  /** How memories stand to the code, where something has to be said of it. */
  readonly standings?: () => Promise<ReadonlyMap<number, Standing>>;
  /** Ids of the folders. */
  readonly folders: readonly number[];
  /** Only what happened on these days. */
  readonly days?: Days | undefined;
}

/** The part of the index with the memories of some folders, or those of some types in them. */
export function memoryCorpus(options: MemoryCorpusOptions, filter?: TypeFilter): Corpus {
  const { db, words, vectors, folders, days } = options;
  const inTypes = filter === undefined
    ? ""
    : ` AND m.type ${filter.except ? "NOT IN" : "IN"} (SELECT value FROM json_each(?))`;
  const inDays = days === undefined ? "" : ` AND m.created BETWEEN ? AND ?`;
  const among = `m.folder IN (${folders.join(", ") || "NULL"})${inTypes}${inDays}`;
  const args = [
    ...filter === undefined ? [] : [JSON.stringify(filter.types)],
    ...days === undefined ? [] : [days.from, days.to],
  ];
  const documents = async () => totalOf(await census(db, words));
  const kinds = async () =>
    (await census(db, words)).filter(({ folder, type }) =>
      folders.includes(folder) && takes(filter, type)
    );
  const select = async (where: string, more: readonly (string | number)[]) =>
    withStandings(await selectMemories(db, where, more), await options.standings?.());
  return {
    of: (filter) => memoryCorpus(options, filter),
    model: async () => await db.once("model", () => db.meta("model")),
    size: async () => totalOf(await kinds()),
    statistics: async (terms) => {
      const containing = await words.containing(terms);
      return {
        documents: await documents(),
        containing: terms.map((term) => containing.get(term) ?? 0),
      };
    },
    likely: (term) => words.likely(term),
    words: async (terms, limit) => {
      const isWhole = days === undefined && totalOf(await kinds()) === await documents();
      return await words.hits(terms, limit, { among, args, isWhole });
    },
    having: async (terms, memories) => new Set(await words.withAll(terms, OWN_COLUMNS, memories)),
    named: async (terms, limit) => {
      // Nearly every prompt names nothing, which this question alone says in half the time.
      const named = await words.withAll(terms, "name triggers");
      if (named.length === 0) return [];
      return await select(
        `WHERE m.id IN (SELECT value FROM json_each(?)) AND ${among}
          ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
        [JSON.stringify(named), ...args, limit],
      );
    },
    called: async (names) => {
      const found = await db.read<[string, number]>(
        `SELECT n.name, n.memory FROM names n CROSS JOIN memories m ON m.id = n.memory
          WHERE n.name IN (SELECT value FROM json_each(?)) AND ${among}`,
        [JSON.stringify(names), ...args],
      );
      const byName = Map.groupBy(found, ([name]) => name);
      return new Map([...byName].map(([name, rows]) => [name, rows.map(([, memory]) => memory)]));
    },
    nearest: async (vector, { limit, also = new Set() }) => {
      const hits = vectors === undefined
        ? await nearestInDatabase(vector, { limit, also }, { db, among, args })
        : await nearestInMemory(vector, { limit, also }, { vectors, folders, filter });
      hits.sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
      return hits.filter((hit, rank) => rank < limit || also.has(hit.memory));
    },
    vectorOf: async (memory) => {
      const [row] = await db.read<[Uint8Array]>(
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
        const ids = await db.read<[number]>(
          `SELECT m.id FROM memories m WHERE ${where}${said}${inDays}
            ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
          [...of, ...days === undefined ? [] : [days.from, days.to], limit],
        );
        return ids.flat();
      }));
      return await select(
        `WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.mtime_ms DESC, m.path LIMIT ?`,
        [JSON.stringify(found.flat()), limit],
      );
    },
    imports: async () => {
      const found = await db.read<[string, number]>(
        `SELECT m.imported, count(*) FROM memories m WHERE ${among} AND m.imported <> 0 GROUP BY 1`,
        args,
      );
      return new Map(found);
    },
    refusals: async () => (await refusals(db)).filter(({ folder }) => folders.includes(folder)),
    siblings: async (memories) => {
      const found = await db.read<[number, number]>(`${SIBLINGS} AND ${among}`, [
        JSON.stringify(memories),
        ...args,
      ]);
      return found.map(([of, memory]) => ({ of, memory }));
    },
    relations: (memories) => relationsOf(db, memories),
    memories: async (ids) => {
      const found = await select(`WHERE m.id IN (SELECT value FROM json_each(?))`, [
        JSON.stringify(ids),
      ]);
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** A memory's own words, without their English terms. */
const OWN_COLUMNS = "name description triggers tags body";

/** Each pair of a session that is its own, or names one thing. */
const SIBLINGS = `SELECT DISTINCT a.memory, b.memory FROM talks a
    CROSS JOIN talks b ON b.session = a.session AND b.memory <> a.memory
    CROSS JOIN memories o ON o.id = a.memory
    CROSS JOIN memories m ON m.id = b.memory AND m.folder = o.folder
    LEFT JOIN mentions t ON t.memory = b.memory
    LEFT JOIN mentions n ON n.memory = a.memory AND n.kind = t.kind AND n.text = t.text
  WHERE (a.own AND b.own OR n.text IS NOT NULL)
    AND a.memory IN (SELECT value FROM json_each(?))`;

/** The memories of the whole index that are not for some prompts, with their folders; read once per generation. */
async function refusals(
  db: Connection,
): Promise<readonly (PromptExclusion & { readonly folder: number })[]> {
  return await db.once("refusals", async () => {
    const found = await db.read<[number, number, string]>(
      `SELECT id, folder, never FROM memories WHERE never <> '[]'`,
    );
    if (found.length === 0) return [];
    const vectors = Map.groupBy(
      await db.read<[number, Uint8Array]>(`SELECT memory, vector FROM passages WHERE start < 0`),
      ([memory]) => memory,
    );
    return found.map(([memory, folder, never]) => ({
      ...{ memory, folder, prompts: JSON.parse(never) },
      vectors: (vectors.get(memory) ?? []).map(([, vector]) => toVector(vector)),
    }));
  });
}

interface TypeCount {
  readonly folder: number;
  readonly type: string;
  readonly memories: number;
}

/** The number of memories of each type in each folder, asked once a generation; of entries each time. */
async function census(db: Connection, { table }: Words): Promise<readonly TypeCount[]> {
  const isHistory = table === "history_words";
  const ask = async () => {
    const rows = await db.read<[number, string, number]>(
      `SELECT folder, type, count(*) FROM memories
        WHERE folder IN (SELECT id FROM folders WHERE scope ${isHistory ? "=" : "<>"} ?)
        GROUP BY folder, type`,
      [HISTORY_SCOPE],
    );
    return rows.map(([folder, type, memories]) => ({ folder, type, memories }));
  };
  return isHistory ? await ask() : await db.once("census", ask);
}

function totalOf(kinds: readonly TypeCount[]): number {
  return kinds.reduce((total, { memories }) => total + memories, 0);
}

function takes(filter: TypeFilter | undefined, type: string): boolean {
  return filter === undefined || filter.types.includes(type) !== (filter.except ?? false);
}

/** A memory whose main thing is gone, or whose branch is not here, is as sure as one that nobody has confirmed. */
const UNCONFIRMED = 0.5;

/** Memories, those with their standing of which something has to be said. */
function withStandings(
  memories: readonly IndexedMemory[],
  standings: ReadonlyMap<number, Standing> = new Map(),
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

/** The memories that a condition on their ids selects: an index would lead through all of a folder. */
export async function selectMemories(
  db: Connection,
  where: string,
  args: readonly (string | number)[],
): Promise<IndexedMemory[]> {
  const found = await db.read<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories m NOT INDEXED JOIN folders f ON f.id = m.folder ${where}`,
    args,
  );
  return found.map(toMemory);
}

async function nearestInMemory(
  vector: Float32Array,
  { limit, also }: NearestOptions,
  { vectors, folders, filter }: {
    readonly vectors: FolderVectors;
    readonly folders: readonly number[];
    readonly filter: TypeFilter | undefined;
  },
): Promise<PassageHit[]> {
  const blocks = await Promise.all(folders.map((folder) => vectors.of(folder)));
  const takesType = (type: string) => takes(filter, type);
  return blocks.flatMap((block) => block.search(vector, { limit, also, takes: takesType }));
}

/** The same in the database, which compares all passages; only what it finds comes into memory. */
async function nearestInDatabase(
  vector: Float32Array,
  { limit, also = new Set() }: NearestOptions,
  { db, among, args }: { db: Connection; among: string; args: readonly string[] },
): Promise<PassageHit[]> {
  const near = await db.read<[number]>(
    `SELECT m.id FROM memories m CROSS JOIN passages p ON p.memory = m.id
      WHERE ${among} AND p.start > ${NOT_FOR}
      GROUP BY m.id ORDER BY min(vector_distance_cos(p.vector, ?)), m.id LIMIT ?`,
    [...args, toBlob(vector), limit],
  );
  const ids = new Set(near.flat()).union(also);
  const rows = await db.read<[number, number, number, Uint8Array]>(
    `SELECT memory, start, "end", vector FROM passages
      WHERE memory IN (SELECT value FROM json_each(?)) AND start > ${NOT_FOR} ORDER BY memory, id`,
    [JSON.stringify([...ids])],
  );
  const passages = rows.map(([memory, start, end, blob]) => ({
    ...{ memory, start, end },
    cosine: dot(toVector(blob), vector),
  }));
  return [...Map.groupBy(passages, ({ memory }) => memory)]
    .map(([memory, own]) => ({ memory, ...nearestOf(own) }));
}
