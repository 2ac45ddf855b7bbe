import type { Connection } from "./connection.ts";
import type { WordHit } from "./corpus.ts";

/**
 * BM25 weights of name, description, triggers, tags, body and their English terms: the subject of a memory counts more
 * than what it mentions.
 */
const FIELD_WEIGHTS = "4.0, 3.0, 3.0, 2.0, 1.0, 1.0";

/** Up to so many memories, each with any of the terms is ranked. */
export const LARGE = 20_000;
/**
 * Above, those with the rarest terms that `enough` have together: a term that more have tells next to nothing. And of
 * more than `most` only the newest.
 */
const RARE: Rare = { enough: 200, most: 4000 };

export interface Rare {
  readonly enough: number;
  readonly most: number;
}

export interface WordHitsOptions {
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
  terms: readonly string[],
  options: WordHitsOptions,
): Promise<WordHit[]> {
  return await ranked(db, anyOf(terms), options);
}

/**
 * The same in a large corpus, where to rank every memory with a common word takes longer than all else: those with the
 * rare terms, by all terms. `containing`: how many memories have each term.
 */
export async function rareWordHits(
  db: Connection,
  terms: readonly string[],
  { containing, rare: { enough, most } = RARE, ...options }: WordHitsOptions & {
    readonly containing: ReadonlyMap<string, number>;
    readonly rare?: Rare;
  },
): Promise<WordHit[]> {
  const of = (term: string) => containing.get(term) ?? 0;
  const byRarity = terms.toSorted((a, b) => of(a) - of(b));
  let count = 0, having = 0;
  while (count < byRarity.length && having < enough) having += of(byRarity[count++]!);
  const others = byRarity.slice(count);
  if (having <= most) return await byAllTerms(db, byRarity.slice(0, count), { others, ...options });
  const last = byRarity[count - 1]!;
  const rarer = await byAllTerms(db, byRarity.slice(0, count - 1), {
    others: [last, ...others],
    ...options,
  });
  const newest = await ranked(db, anyOf([last]), { ...options, newest: most });
  return best([...newest, ...rarer], options.limit);
}

/** The memories with any of the terms, and what they have of others; only with others too where those are enough. */
async function byAllTerms(
  db: Connection,
  terms: readonly string[],
  { others, ...options }: WordHitsOptions & { readonly others: readonly string[] },
): Promise<WordHit[]> {
  if (terms.length === 0) return [];
  if (others.length === 0) return await ranked(db, anyOf(terms), options);
  // BM25 is a sum over the terms of a query, so that this ranking has the memories with others as if all were asked for.
  const both = await ranked(db, `(${anyOf(terms)}) AND (${anyOf(others)})`, options);
  if (both.length >= options.limit) return both;
  return best([...await ranked(db, anyOf(terms), options), ...both], options.limit);
}

/** The best of some hits; of those of one memory the last counts. */
function best(hits: readonly WordHit[], limit: number): WordHit[] {
  const byMemory = new Map(hits.map((hit) => [hit.memory, hit]));
  return [...byMemory.values()].sort((a, b) => b.bm25 - a.bm25 || a.memory - b.memory)
    .slice(0, limit);
}

/** The memories that match, best first; `newest`: of that many, those that were entered last. */
async function ranked(
  db: Connection,
  match: string,
  { among, args, isWhole, limit, newest }: WordHitsOptions & {
    readonly newest?: number | undefined;
  },
): Promise<WordHit[]> {
  const belonging = (from: string) =>
    `${from} CROSS JOIN memories m INDEXED BY memories_kind ON m.id = ${from}.rowid`;
  const score = `-bm25(words, ${FIELD_WEIGHTS}) AS score`;
  const matching = isWhole
    ? `SELECT rowid, ${score} FROM words WHERE words MATCH ?`
    : `SELECT m.id AS rowid, ${score} FROM ${belonging("words")} WHERE words MATCH ? AND ${among}`;
  const considered = newest === undefined
    ? matching
    : `SELECT * FROM (${matching} ORDER BY words.rowid DESC LIMIT ${newest})`;
  const best = `${considered} ORDER BY score DESC, rowid LIMIT ${limit}`;
  // Another process may have entered one that does not count since all were counted.
  const found = isWhole
    ? await db.read(
      `WITH best AS (${best}) SELECT m.id, score FROM ${belonging("best")}
        WHERE ${among} ORDER BY score DESC, m.id`,
      [match, ...args],
    )
    : await db.read(best, [match, ...args]);
  return found.map((row) => ({ memory: Number(row[0]), bm25: Number(row[1]) }));
}

/** What to look for in a table of words. */
interface Having {
  readonly table: "words" | "history_words";
  /** The columns that count, with a space between them. */
  readonly columns: string;
  readonly terms: readonly string[];
  /** The rows that are asked about. */
  readonly rows: readonly number[];
}

/** Those of some rows that have all of the terms; without any term, none. */
export async function having(
  db: Connection,
  { table, columns, terms, rows }: Having,
): Promise<number[]> {
  if (terms.length === 0) return [];
  // With the bare `rowid`, SQLite would ask the full text once for each row.
  const found = await db.read(
    `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    [`{${columns}} : (${allOf(terms)})`, JSON.stringify(rows)],
  );
  return found.map((row) => Number(row[0]));
}

/** The full-text query for all of some terms. */
export function allOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(" AND ");
}

export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}
