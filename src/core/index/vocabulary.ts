import type { Connection } from "./connection.ts";
import type { KnownTerm } from "./corpus.ts";

/** Terms whose frequency is kept. */
const MAX_FREQUENCIES = 20_000;

/** The terms of the index. Answers are cached until the next write, because every prompt asks for the same ones. */
export class Vocabulary {
  readonly #db: Connection;
  readonly #table: string;
  /** How many memories contain a term. */
  #frequencies = new Map<string, number>();
  /** Terms that a mistyped one may stand for. */
  #mistyped = new Map<string, readonly KnownTerm[]>();

  constructor(db: Connection, table: "vocabulary" | "history_vocabulary") {
    this.#db = db;
    this.#table = table;
  }

  /** The index has been written to. */
  forget(): void {
    this.#frequencies = new Map();
    this.#mistyped = new Map();
  }

  /** How many memories contain each of the terms, cached per index generation. */
  async containing(terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (this.#frequencies.size > MAX_FREQUENCIES) this.forget();
    const frequencies = this.#frequencies; // a write may put another in its place while the database is asked
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

  /** Terms one typing mistake away, looked for once a generation: each strategy asks about the same prompt. */
  async likely(term: string): Promise<readonly KnownTerm[]> {
    const known = this.#mistyped.get(term);
    if (known !== undefined) return known;
    const mistyped = this.#mistyped;
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
