import type Database from "libsql";
import type { Client, InStatement, ResultSet } from "@libsql/client";

type Args = readonly (string | number | Uint8Array)[];

/**
 * One process's connection to the index, which several write to. Each transaction is a generation, by which a process
 * notices that another one has written and that what it holds in memory is out of date.
 */
export class Connection {
  readonly client: Client;
  readonly #reader: Reader;
  /** What prompts ask for again and again, by name. */
  #answers = new Map<string, unknown>();
  /** Counts the writes of all processes; where it differs from ours, another one has written. */
  #generation = -1;
  #foreign = 0;

  constructor({ client, reader }: { client: Client; reader: Reader }) {
    this.client = client;
    this.#reader = reader;
  }

  /** The rows of a query. */
  async rows(sql: string, args: Args = []): Promise<ResultSet["rows"]> {
    return (await this.client.execute({ sql, args: [...args] })).rows;
  }

  /** The rows of a query of the hot path, which is never a write. */
  // deno-lint-ignore require-await -- its failures are rejections, as those of `rows`
  async read(sql: string, args: readonly (string | number)[] = []): Promise<readonly Columns[]> {
    return this.#reader.rows(sql, args);
  }

  close(): void {
    this.#reader.close();
    this.client.close();
  }

  /** The number in the first row of a query. */
  async count(sql: string, args: Args = []): Promise<number> {
    return Number((await this.rows(sql, args))[0]![0]);
  }

  /** What `ask` answers, asked once a generation. */
  async once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const answers = this.#answers; // a write may put another in its place while the database is asked
    if (!answers.has(name)) answers.set(name, await ask());
    return answers.get(name) as T;
  }

  /** What is noted under a key. */
  async meta(key: string): Promise<string | undefined> {
    const value = (await this.read(`SELECT value FROM meta WHERE key = ?`, [key]))[0]?.[0];
    return value === undefined || value === null ? undefined : String(value);
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

  /** Runs one transaction as one generation; ours stays current unless another process wrote in between. */
  async write(statements: readonly InStatement[]): Promise<ResultSet[]> {
    if (statements.length === 0) return [];
    const results = await this.client.batch([
      ...statements,
      `INSERT INTO meta VALUES ('generation', '1')
        ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
    ], "write");
    const generation = Number(results.at(-1)!.rows[0]![0]);
    if (generation === this.#generation + 1) this.#generation = generation;
    this.#answers = new Map();
    return results;
  }
}

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
  readonly #driver: typeof Database;
  readonly #statements = new Map<string, Statement>();
  #db: Database.Database | undefined;

  private constructor(path: string, timeout: number, driver: typeof Database) {
    this.#path = path;
    this.#timeout = timeout;
    this.#driver = driver;
  }

  /** Loads what reads the database at `path`; the file is opened with the first question. */
  static async of(path: string, { timeout }: { readonly timeout: number }): Promise<Reader> {
    const { default: driver } = await import("libsql"); // it unpacks a library
    return new Reader(path, timeout, driver);
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
    this.#db ??= new this.#driver(this.#path, { timeout: this.#timeout });
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#db.prepare(sql).raw(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}
