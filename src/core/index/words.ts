import type { Connection } from "./connection.ts";
import type { KnownTerm, WordHit } from "./corpus.ts";

/** The full text of memories, and that of history: how rare a word is among one says nothing about the other. */
export type WordsTable = "words" | "history_words";

/** BM25 weights of name, description, triggers, tags, body and English: the subject counts more than what is mentioned. */
const FIELD_WEIGHTS = "4.0, 3.0, 3.0, 2.0, 1.0, 1.0";
/** Terms whose frequency is kept. */
const MAX_FREQUENCIES = 20_000;

/** The words of the memories, or of history, and which of them have some. */
export class Words {
  readonly table: WordsTable;
  readonly #db: Connection;
  readonly #vocabulary: string;

  constructor(db: Connection, table: WordsTable) {
    this.table = table;
    this.#db = db;
    this.#vocabulary = table === "words" ? "vocabulary" : "history_vocabulary";
  }

  /** The memories with any of the terms, best first. */
  async hits(
    terms: readonly string[],
    limit: number,
    { among, args = [], isWhole = false }: {
      /** A condition on `memories m`, with its values. */
      readonly among: string;
      readonly args?: readonly string[];
      /** Whether it holds for every memory of the index: then only the best are looked at, in two thirds of the time. */
      readonly isWhole?: boolean;
    },
  ): Promise<WordHit[]> {
    if (terms.length === 0) return [];
    const words = this.table;
    const match = terms.map((term) => `"${term}"`).join(" OR ");
    const belonging = (from: string) =>
      `${from} CROSS JOIN memories m INDEXED BY memories_kind ON m.id = ${from}.rowid`;
    const score = `-bm25(${words}, ${FIELD_WEIGHTS}) AS score`;
    const best = (matching: string) => `${matching} ORDER BY score DESC, rowid LIMIT ${limit}`;
    // Another process may have entered one that does not count since all were counted.
    const sql = isWhole
      ? `WITH best AS (${best(`SELECT rowid, ${score} FROM ${words} WHERE ${words} MATCH ?`)})
        SELECT m.id, score FROM ${belonging("best")} WHERE ${among} ORDER BY score DESC, m.id`
      : best(
        `SELECT m.id AS rowid, ${score} FROM ${
          belonging(words)
        } WHERE ${words} MATCH ? AND ${among}`,
      );
    const found = await this.#db.read<[number, number]>(sql, [match, ...args]);
    return found.map(([memory, bm25]) => ({ memory, bm25 }));
  }

  /** Those of all memories, or of some, that have all of the terms in some columns; without any term, none. */
  async withAll(
    terms: readonly string[],
    columns: string,
    memories?: readonly number[],
  ): Promise<number[]> {
    if (terms.length === 0) return [];
    const match = `{${columns}} : (${terms.map((term) => `"${term}"`).join(" AND ")})`;
    // With the bare `rowid`, SQLite would ask the full text once for each row.
    const [among, args] = memories === undefined
      ? ["", []]
      : [` AND +rowid IN (SELECT value FROM json_each(?))`, [JSON.stringify(memories)]];
    const found = await this.#db.read<[number]>(
      `SELECT rowid FROM ${this.table} WHERE ${this.table} MATCH ?${among}`,
      [match, ...args],
    );
    return found.flat();
  }

  /** How many memories contain each of the terms. */
  async containing(terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const frequencies = await this.#kept<number>("frequencies");
    if (frequencies.size > MAX_FREQUENCIES) frequencies.clear();
    const unknown = terms.filter((term) => !frequencies.has(term));
    if (unknown.length > 0) {
      const counted = new Map(
        await this.#db.read<[string, number]>(
          `SELECT v.term, v.doc FROM json_each(?) wanted
            CROSS JOIN ${this.#vocabulary} v WHERE v.term = wanted.value`,
          [JSON.stringify(unknown)],
        ),
      );
      for (const term of unknown) frequencies.set(term, counted.get(term) ?? 0);
    }
    return frequencies;
  }

  /** Terms one typing mistake away, those in most memories first. */
  async likely(term: string): Promise<readonly KnownTerm[]> {
    const mistyped = await this.#kept<readonly KnownTerm[]>("mistyped");
    const known = mistyped.get(term);
    if (known !== undefined) return known;
    const start = term.slice(0, 2);
    // Few mistakes are in the first two letters, and the whole vocabulary would take too long.
    const rows = await this.#db.read<[string, number]>(
      `SELECT term, doc FROM ${this.#vocabulary}
        WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? ORDER BY doc DESC, term`,
      [start, `${start}\u{10ffff}`, term.length - 1, term.length + 1],
    );
    const likely = rows.map(([term, containing]) => ({ term, containing }))
      .filter((other) => isOneTypoApart(other.term, term));
    mistyped.set(term, likely);
    return likely;
  }

  /** What each strategy asks about the same prompt, kept for a generation; history makes none. */
  async #kept<T>(what: string): Promise<Map<string, T>> {
    const none = () => Promise.resolve(new Map<string, T>());
    return this.table === "words" ? await this.#db.once(what, none) : await none();
  }
}

/** Whether one typing mistake turns one word into the other: a letter too many, missing, wrong, or two exchanged. */
export function isOneTypoApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start), restB = b.slice(start);
  return restA.slice(1) === restB || restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2));
}
