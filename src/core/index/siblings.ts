import type { Connection } from "./connection.ts";
import type { Sibling } from "./corpus.ts";

/** Each pair of a session that is its own, or names one thing. */
const SIBLINGS = `SELECT DISTINCT a.memory, b.memory FROM talks a
    CROSS JOIN talks b ON b.session = a.session AND b.memory <> a.memory
    CROSS JOIN memories o ON o.id = a.memory
    CROSS JOIN memories m ON m.id = b.memory AND m.folder = o.folder
    LEFT JOIN mentions t ON t.memory = b.memory
    LEFT JOIN mentions n ON n.memory = a.memory AND n.kind = t.kind AND n.text = t.text
  WHERE (a.own AND b.own OR n.text IS NOT NULL)
    AND a.memory IN (SELECT value FROM json_each(?))`;

/** The siblings of some memories, of those that a condition takes in. */
export async function siblingsOf(
  db: Connection,
  memories: readonly number[],
  { among, args }: { readonly among: string; readonly args: readonly string[] },
): Promise<Sibling[]> {
  const rows = await db.read(`${SIBLINGS} AND ${among}`, [JSON.stringify(memories), ...args]);
  return rows.map(([of, memory]): Sibling => ({ of: Number(of), memory: Number(memory) }));
}
