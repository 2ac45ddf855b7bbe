import type { Connection } from "./connection.ts";
import type { TypeFilter } from "./corpus.ts";

/** The memories of one type in one folder. */
export interface Kind {
  readonly folder: number;
  readonly type: string;
  readonly memories: number;
}

/** The number of memories of each type in each folder, cached per index generation. */
export async function census(db: Connection): Promise<readonly Kind[]> {
  return await db.once("census", async () => {
    const rows = await db.rows(`SELECT folder, type, count(*) FROM memories GROUP BY folder, type`);
    return rows.map((row) => ({
      folder: Number(row[0]),
      type: String(row[1]),
      memories: Number(row[2]),
    }));
  });
}

/** The memories in some kinds. */
export function totalOf(kinds: readonly Kind[]): number {
  return kinds.reduce((total, { memories }) => total + memories, 0);
}

/** Whether a filter lets a type in. */
export function takes(filter: TypeFilter | undefined, type: string): boolean {
  return filter === undefined || filter.types.includes(type) !== (filter.except ?? false);
}
