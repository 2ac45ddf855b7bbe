import type { Connection } from "./connection.ts";
import type { Corpus, NearestOptions, PassageHit } from "./corpus.ts";
import { asMemory, HISTORY_COLUMNS, toEntry } from "./history_rows.ts";
import { compared } from "./compared.ts";
import { toBlob } from "./rows.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { allOf, having } from "./word_hits.ts";

/** A stretch of days, both included, as `2026-03-04`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** BM25 weights of title, text and their English terms. */
const FIELD_WEIGHTS = "2.0, 1.0, 1.0";

/** An entry's own words, without their English terms. */
const OWN_COLUMNS = "title text";

export interface HistoryCorpusOptions {
  readonly db: Connection;
  readonly vocabulary: Vocabulary;
  /** Ids of the folders. */
  readonly folders: readonly number[];
  /** Only entries of these days. */
  readonly days: Days | undefined;
}

/** History as strategies ask for it: they rank entries as they rank memories. */
export function historyCorpus(options: HistoryCorpusOptions): Corpus {
  const { db, vocabulary, folders, days } = options;
  const inDays = days === undefined ? "" : " AND h.day BETWEEN ? AND ?";
  const among = `h.folder IN (${folders.join(", ") || "NULL"})${inDays}`;
  const args = days === undefined ? [] : [days.from, days.to];
  const select = async (rest: string, more: readonly (string | number)[]) => {
    const found = await db.rows(
      `SELECT ${HISTORY_COLUMNS} FROM history h JOIN folders f ON f.id = h.folder ${rest}`,
      more,
    );
    return found.map(toEntry).map(asMemory);
  };
  return {
    of: () => historyCorpus(options),
    model: async () => await db.meta("model"),
    size: async () => await db.count(`SELECT count(*) FROM history h WHERE ${among}`, args),
    statistics: async (terms) => {
      const containing = await vocabulary.containing(terms);
      return {
        documents: await db.count(`SELECT count(*) FROM history`),
        containing: terms.map((term) => containing.get(term) ?? 0),
      };
    },
    refusals: () => Promise.resolve([]),
    siblings: () => Promise.resolve([]),
    likely: async (term) => await vocabulary.likely(term),
    words: async (terms, limit) => {
      if (terms.length === 0) return [];
      const found = await db.rows(
        `SELECT h.id, -bm25(history_words, ${FIELD_WEIGHTS}) AS score
          FROM history_words CROSS JOIN history h ON h.id = history_words.rowid
          WHERE history_words MATCH ? AND ${among} ORDER BY score DESC, h.id LIMIT ?`,
        [terms.map((term) => `"${term}"`).join(" OR "), ...args, limit],
      );
      return found.map((row) => ({ memory: Number(row[0]), bm25: Number(row[1]) }));
    },
    having: async (terms, entries) =>
      new Set(
        await having(db, {
          table: "history_words",
          columns: OWN_COLUMNS,
          terms,
          rows: entries,
        }),
      ),
    called: () => Promise.resolve(new Map()),
    imports: () => Promise.resolve(new Map()),
    named: async (terms, limit) =>
      terms.length === 0 ? [] : await select(
        `JOIN history_words ON history_words.rowid = h.id
          WHERE history_words MATCH ? AND ${among} ORDER BY h.day DESC, h.id LIMIT ?`,
        [`{title} : (${allOf(terms)})`, ...args, limit],
      ),
    nearest: async (vector, nearness) => await nearest(vector, options, nearness),
    vectorOf: () => Promise.resolve(undefined), // no entry replaces another
    newest: async (limit) =>
      await select(`WHERE ${among} ORDER BY h.day DESC, h.time DESC, h.id LIMIT ?`, [
        ...args,
        limit,
      ]),
    memories: async (ids) => {
      const found = await select(`WHERE h.id IN (SELECT value FROM json_each(?))`, [
        JSON.stringify(ids),
      ]);
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** The nearest entries: the database compares all passages, and only what it finds comes into memory. */
async function nearest(
  vector: Float32Array,
  { db, folders, days }: HistoryCorpusOptions,
  { limit, also }: NearestOptions,
): Promise<PassageHit[]> {
  const found = await db.rows(
    `SELECT p.entry FROM history_passages p CROSS JOIN history h ON h.id = p.entry
      WHERE h.folder IN (${folders.join(", ") || "NULL"}) AND h.day BETWEEN ? AND ?
      GROUP BY p.entry ORDER BY min(vector_distance_cos(p.vector, ?)), p.entry LIMIT ?`,
    [days?.from ?? "", days?.to ?? "9999", toBlob(vector), limit],
  );
  const wanted = [...new Set([...found.map((row) => Number(row[0])), ...also ?? []])];
  const rows = await db.rows(
    `SELECT entry, start, "end", vector FROM history_passages
      WHERE entry IN (SELECT value FROM json_each(?)) ORDER BY entry, id`,
    [JSON.stringify(wanted)],
  );
  return compared(rows, vector).sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
}
