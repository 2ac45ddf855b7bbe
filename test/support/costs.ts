import { type Columns, Connection } from "../../src/core/index/connection.ts";

type Args = Parameters<Connection["rows"]>[1];

/** What a statement cost while something ran. */
export interface Cost {
  readonly sql: string;
  runs: number;
  /** The rows that it gave, and the values in the lists that it was asked about. */
  hits: number;
  /** The steps of SQLite's virtual machine, some for each row that is visited: the same on a busy machine. */
  steps: number;
  /** How SQLite goes about it. */
  plan: readonly string[];
}

/** What each statement of the index costs that runs meanwhile. */
export async function costsOf(act: () => Promise<unknown>): Promise<Cost[]> {
  const ran = new Map<Connection, Map<string, Cost & { args: Args }>>();
  const before = new Map<Connection, ReadonlyMap<string, number>>();
  const { rows } = Connection.prototype;
  const stepsOf = (db: Connection): ReadonlyMap<string, number> => {
    const found = rows.call(db, `SELECT sql, sum(nstep) FROM sqlite_stmt GROUP BY sql`);
    return new Map(found as [string, number][]);
  };
  Connection.prototype.rows = function <Row extends Columns>(sql: string, args?: Args): Row[] {
    if (!before.has(this)) before.set(this, stepsOf(this)).get(this);
    if (!ran.has(this)) ran.set(this, new Map());
    const found = rows.call(this, sql, args), costs = ran.get(this)!;
    const cost = costs.get(sql) ?? { ...{ sql, runs: 0, hits: 0, steps: 0, plan: [] }, args };
    cost.runs++;
    cost.hits += found.length + (args ?? []).reduce<number>((sum, arg) => sum + lengthOf(arg), 0);
    costs.set(sql, cost);
    return found as Columns[] as Row[];
  };
  try {
    await act();
  } finally {
    Connection.prototype.rows = rows;
  }
  const costs = [...ran].flatMap(([db, costs]) => {
    const after = stepsOf(db);
    return [...costs.values()].map((cost) => {
      const steps = after.get(cost.sql);
      if (steps === undefined) throw new Error(`SQLite has forgotten the statement ${cost.sql}`);
      return { ...cost, path: db.path, steps: steps - (before.get(db)!.get(cost.sql) ?? 0) };
    });
  });
  return await Promise.all(costs.map(async ({ path, args, ...cost }) => {
    const db = await Connection.to(path); // of the one that ran it, no transaction would end afterwards
    const plan = db.rows(`EXPLAIN QUERY PLAN ${cost.sql}`, args).map((step) => String(step.at(-1)));
    db.close();
    return { ...cost, plan };
  }));
}

function lengthOf(arg: unknown): number {
  return typeof arg === "string" && arg.startsWith("[") ? (JSON.parse(arg) as []).length : 0;
}
