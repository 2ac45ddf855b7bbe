import type { Connection } from "./connection.ts";
import type { WordHit } from "./corpus.ts";

/** The full text of memories, and that of history: how rare a word is among one says nothing about the other. */
export type WordsTable = "words" | "history_words";

/**
 * BM25 weights of name, description, triggers, tags, body and their English terms: the subject of a memory counts more
 * than what it mentions.
 */
const FIELD_WEIGHTS = "4.0, 3.0, 3.0, 2.0, 1.0, 1.0";
/** A memory's own words, without their English terms. */
const OWN_COLUMNS = "name description triggers tags body";

export interface WordHitsOptions {
  readonly terms: readonly string[];
  /** A condition on `memories m`, with its values. */
  readonly among: string;
  readonly args: readonly string[];
  /** Whether it holds for every memory of the index: then only the best are looked at, in two thirds of the time. */
  readonly isWhole?: boolean;
  readonly limit: number;
}

/** The memories with any of the terms, best first. */
export async function wordHits(
  db: Connection,
  words: WordsTable,
  { terms, among, args, isWhole, limit }: WordHitsOptions,
): Promise<WordHit[]> {
  if (terms.length === 0) return [];
  const match = terms.map((term) => `"${term}"`).join(" OR ");
  const belonging = (from: string) =>
    `${from} CROSS JOIN memories m INDEXED BY memories_kind ON m.id = ${from}.rowid`;
  const score = `-bm25(${words}, ${FIELD_WEIGHTS}) AS score`;
  const best = (matching: string) => `${matching} ORDER BY score DESC, rowid LIMIT ${limit}`;
  // Another process may have entered one that does not count since all were counted.
  const found = isWhole
    ? await db.read(
      `WITH best AS (${best(`SELECT rowid, ${score} FROM ${words} WHERE ${words} MATCH ?`)})
        SELECT m.id, score FROM ${belonging("best")} WHERE ${among} ORDER BY score DESC, m.id`,
      [match, ...args],
    )
    : await db.read(
      best(
        `SELECT m.id AS rowid, ${score} FROM ${
          belonging(words)
        } WHERE ${words} MATCH ? AND ${among}`,
      ),
      [match, ...args],
    );
  return found.map((row) => ({ memory: Number(row[0]), bm25: Number(row[1]) }));
}

/** Those of some memories that have all of the terms in their own words; without any term, none. */
export async function having(
  db: Connection,
  words: WordsTable,
  terms: readonly string[],
  memories: readonly number[],
): Promise<number[]> {
  if (terms.length === 0) return [];
  // With the bare `rowid`, SQLite would ask the full text once for each row.
  const found = await db.read(
    `SELECT rowid FROM ${words} WHERE ${words} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    [`{${OWN_COLUMNS}} : (${allOf(terms)})`, JSON.stringify(memories)],
  );
  return found.map((row) => Number(row[0]));
}

/** The full-text query for all of some terms. */
export function allOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(" AND ");
}
