import { isLeftBehind, type Standing } from "../relation/standing.ts";
import type { Connection } from "./connection.ts";

/** What is known of how a memory stands to a work tree. */
export interface StandingRow {
  readonly memory: number;
  /** Of the memory's text and date: another text stands otherwise. */
  readonly hash: string;
  /** The commit that it was compared with. */
  readonly head: string;
  /** What it rests on, for the next comparison, as JSON. */
  readonly rests: string;
  /** undefined: all holds. */
  readonly standing: Standing | undefined;
}

/** How memories stand to the code of work trees. */
export class Standings {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The memories of which something has to be said in some work trees, by id; read once a generation. */
  async in(tops: readonly string[]): Promise<ReadonlyMap<number, Standing>> {
    const key = JSON.stringify(tops);
    return await this.#db.once(`standings ${key}`, async () => {
      const told = await this.#db.read<[number, string]>(
        `SELECT memory, standing FROM standings
          WHERE top IN (SELECT value FROM json_each(?)) AND standing <> ''`,
        [key],
      );
      return new Map(told.map(([id, standing]) => [id, JSON.parse(standing)]));
    });
  }

  /** The same by the memories' paths; with a time those alone that a person is to decide about. */
  async byPath(tops: readonly string[], now?: Date): Promise<ReadonlyMap<string, Standing>> {
    const standings = await this.in(tops);
    const found = await this.#db.read<[number, string]>(
      `SELECT id, path FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path`,
      [JSON.stringify([...standings.keys()])],
    );
    return new Map(
      found.map(([id, path]) => [path, standings.get(id)!] as const)
        .filter(([, standing]) => now === undefined || isLeftBehind(standing, now)),
    );
  }

  /** All that is known of a work tree, by the memories' ids. */
  async rows(top: string): Promise<Map<number, StandingRow>> {
    const found = await this.#db.read<[number, string, string, string, string]>(
      `SELECT memory, hash, head, rests, standing FROM standings WHERE top = ?`,
      [top],
    );
    return new Map(found.map(([memory, hash, head, rests, told]) => {
      const standing = told === "" ? undefined : JSON.parse(told) as Standing;
      return [memory, { memory, hash, head, rests, standing }];
    }));
  }

  /** What other work trees know of memories that they saw first on a branch, as JSON by the memories' ids. */
  async onBranches(top: string): Promise<Map<number, string>> {
    return new Map(
      await this.#db.read<[number, string]>(
        `SELECT memory, rests FROM standings WHERE top <> ? AND rests ->> 'born' IS NOT NULL`,
        [top],
      ),
    );
  }

  /** Keeps what was found out; a new generation only if something else has to be said than before. */
  async put(
    top: string,
    rows: readonly StandingRow[],
    { isNews }: { readonly isNews: boolean },
  ): Promise<void> {
    const values = rows.map((
      { memory, hash, head, rests, standing },
    ) => [memory, hash, head, rests, standing === undefined ? "" : JSON.stringify(standing)]);
    const statement = {
      sql: `REPLACE INTO standings (memory, top, hash, head, rests, standing)
        SELECT m.id, ?, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4
        FROM json_each(?) e JOIN memories m ON m.id = e.value ->> 0`,
      args: [top, JSON.stringify(values)],
    };
    if (isNews) await this.#db.write([statement]);
    else if (rows.length > 0) await this.#db.transact([statement]);
  }
}
