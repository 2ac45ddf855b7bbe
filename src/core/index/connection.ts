import type Driver from "libsql";

type Args = readonly (string | number | Uint8Array | null)[];

/** A statement, with the values of its parameters if it has any. */
export type InStatement = string | { readonly sql: string; readonly args: Args };

/** A row of an answer, by the numbers of its columns. */
export type Columns = readonly unknown[];

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_TIMEOUT = 5000;
/** Statements that are kept; there are fewer, unless the folders of many projects are asked. */
const MAX_STATEMENTS = 100;

interface Prepared {
  readonly statement: ReturnType<Driver.Database["prepare"]>;
  /** Whether it has rows. */
  readonly isReader: boolean;
}

/**
 * One process's connection to the index, which several write to. Each transaction is a generation, by which a process
 * notices that another one has written and that what it holds in memory is out of date. Statements stay prepared and
 * rows have no names: preparing what every prompt asks and naming the columns of each row take longer than the answers.
 */
export class Connection {
  readonly path: string;
  readonly #db: Driver.Database;
  readonly #statements = new Map<string, Prepared>();
  /** What prompts ask for again and again, by name. */
  #answers = new Map<string, unknown>();
  /** Counts the writes of all processes; where it differs from ours, another one has written. */
  #generation = -1;
  #foreign = 0;

  private constructor(path: string, db: Driver.Database) {
    this.path = path;
    this.#db = db;
  }

  /** Opens a database, or makes it. */
  static async to(path: string): Promise<Connection> {
    const { default: Database } = await import("libsql"); // only now: it unpacks a library
    return new Connection(path, new Database(path, { timeout: BUSY_TIMEOUT }));
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** The rows of a query, or those that a write returns. */
  rows<Row extends Columns>(sql: string, args: Args = []): Row[] {
    const { statement, isReader } = this.#prepared(sql);
    if (isReader) return statement.all([...args]) as unknown[] as Row[];
    statement.run([...args]);
    return [];
  }

  /** The same, one after the other. */
  iterate<Row extends Columns>(sql: string, args: Args): Iterable<Row> {
    return this.#prepared(sql).statement.iterate([...args]) as Iterable<unknown> as Iterable<Row>;
  }

  /** The same at once, with failures as rejections. */
  // deno-lint-ignore require-await
  async read<Row extends Columns>(sql: string, args?: Args): Promise<Row[]> {
    return this.rows<Row>(sql, args);
  }

  /** The number in the first row of a query. */
  async count(sql: string, args?: Args): Promise<number> {
    return (await this.read<[number]>(sql, args))[0]![0];
  }

  /** What `ask` answers, asked once a generation. */
  async once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const answers = this.#answers; // a write may put another in its place while the database is asked
    if (!answers.has(name)) answers.set(name, await ask());
    return answers.get(name) as T;
  }

  /** What is noted under a key. */
  async meta(key: string): Promise<string | undefined> {
    const [row] = await this.read<[string | number]>(`SELECT value FROM meta WHERE key = ?`, [key]);
    return row && String(row[0]);
  }

  /** Notices whether another process has written since this was last asked. */
  async follow(): Promise<void> {
    const generation = Number(await this.meta("generation") ?? 0);
    if (generation !== this.#generation) {
      this.#answers = new Map();
      this.#foreign++;
    }
    this.#generation = generation;
  }

  /** Counts what others have written, as far as it was noticed. */
  get foreignWrites(): number {
    return this.#foreign;
  }

  /** Runs one transaction that no process has to notice; returns the rows of each statement. */
  // deno-lint-ignore require-await
  async transact(statements: readonly InStatement[]): Promise<Columns[][]> {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const results = statements.map((statement) =>
        typeof statement === "string"
          ? this.rows(statement)
          : this.rows(statement.sql, statement.args)
      );
      this.#db.exec("COMMIT");
      return results;
    } finally {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    }
  }

  /** Runs one transaction as one generation; ours stays current unless another process wrote in between. */
  async write(statements: readonly InStatement[]): Promise<Columns[][]> {
    if (statements.length === 0) return [];
    const results = await this.transact([
      ...statements,
      `INSERT INTO meta VALUES ('generation', '1')
        ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
    ]);
    const generation = Number(results.at(-1)![0]![0]);
    if (generation === this.#generation + 1) this.#generation = generation;
    this.#answers = new Map();
    return results;
  }

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#db.prepare(sql), isReader = statement.reader;
    const prepared = { statement: isReader ? statement.raw(true) : statement, isReader };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}
