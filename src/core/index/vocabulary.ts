import type { Connection } from "./connection.ts";
import type { KnownTerm } from "./corpus.ts";
import type { WordsTable } from "./words.ts";

/** Terms whose frequency is kept. */
const MAX_FREQUENCIES = 20_000;

/** The terms of the memories, or of history. */
export class Vocabulary {
  readonly words: WordsTable;
  readonly #db: Connection;
  readonly #table: string;

  constructor(db: Connection, words: WordsTable) {
    this.words = words;
    this.#db = db;
    this.#table = words === "words" ? "vocabulary" : "history_vocabulary";
  }

  /** How many memories contain each of the terms. */
  async containing(terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const frequencies = await this.#kept<number>("frequencies");
    if (frequencies.size > MAX_FREQUENCIES) frequencies.clear();
    const unknown = terms.filter((term) => !frequencies.has(term));
    if (unknown.length > 0) {
      const rows = await this.#db.read(
        `SELECT v.term, v.doc FROM json_each(?) wanted
          CROSS JOIN ${this.#table} v WHERE v.term = wanted.value`,
        [JSON.stringify(unknown)],
      );
      const counted = new Map(rows.map((row) => [String(row[0]), Number(row[1])]));
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
    const rows = await this.#db.read(
      `SELECT term, doc FROM ${this.#table}
        WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? ORDER BY doc DESC, term`,
      [start, `${start}\u{10ffff}`, term.length - 1, term.length + 1],
    );
    const likely = rows.map((row) => ({ term: String(row[0]), containing: Number(row[1]) }))
      .filter((other) => isOneTypoApart(other.term, term));
    mistyped.set(term, likely);
    return likely;
  }

  /** What each strategy asks about the same prompt, kept for a generation; history makes none. */
  async #kept<T>(what: string): Promise<Map<string, T>> {
    const none = () => Promise.resolve(new Map<string, T>());
    return this.words === "words" ? await this.#db.once(what, none) : await none();
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
