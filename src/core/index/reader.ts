import Database from "libsql";

/** A row of an answer, by the numbers of its columns. */
export type Columns = readonly unknown[];

type Statement = ReturnType<Database.Database["prepare"]>;

/** Statements that are kept; there are fewer, unless the folders of many projects are asked. */
const MAX_STATEMENTS = 100;

/**
 * Answers what every prompt asks. Its statements stay prepared and its rows have no names: with the client, preparing
 * the same statements and naming the columns of each row take longer than the answers. It never writes.
 */
export class Reader {
  readonly #path: string;
  readonly #timeout: number;
  readonly #statements = new Map<string, Statement>();
  #db: Database.Database | undefined;

  constructor(path: string, { timeout }: { readonly timeout: number }) {
    this.#path = path;
    this.#timeout = timeout;
  }

  rows(sql: string, args: readonly (string | number)[]): Columns[] {
    return this.#prepared(sql).all([...args]) as Columns[];
  }

  /** The same, one after the other. */
  iterate(sql: string, args: readonly (string | number)[]): Iterable<Columns> {
    return this.#prepared(sql).iterate([...args]) as Iterable<Columns>;
  }

  close(): void {
    this.#statements.clear();
    this.#db?.close();
    this.#db = undefined;
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    this.#db ??= new Database(this.#path, { timeout: this.#timeout });
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#db.prepare(sql).raw(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}
