import type { Connection } from "./connection.ts";
import type { Sibling } from "./corpus.ts";

/** Each pair of a session, once for each thing that the second one names, and what the first one calls the same. */
const SIBLINGS =
  `SELECT a.memory, b.memory, a.own AND b.own, n.kind || ' ' || n.text, t.title, n.title
  FROM talks a CROSS JOIN talks b ON b.session = a.session AND b.memory <> a.memory
    CROSS JOIN memories o ON o.id = a.memory
    CROSS JOIN memories m ON m.id = b.memory AND m.folder = o.folder
    LEFT JOIN mentions t ON t.memory = b.memory
    LEFT JOIN mentions n ON n.memory = a.memory AND n.kind = t.kind AND n.text = t.text
  WHERE a.memory IN (SELECT value FROM json_each(?))`;

interface Row {
  readonly of: number;
  readonly memory: number;
  /** Both were told in this conversation, and neither has it from what it replaced. */
  readonly isOwn: boolean;
  /** What both name; undefined: nothing. */
  readonly thing: string | undefined;
  /** The second one is about it, and the first one only names it. */
  readonly isAboutIt: boolean;
}

/** The siblings of some memories, of those that a condition takes in. */
export async function siblingsOf(
  db: Connection,
  memories: readonly number[],
  { among, args }: { readonly among: string; readonly args: readonly string[] },
): Promise<Sibling[]> {
  const rows = (await db.read(`${SIBLINGS} AND ${among}`, [JSON.stringify(memories), ...args]))
    .map(([of, memory, isOwn, thing, isTitle, isTitleOfFirst]): Row => ({
      of: Number(of),
      memory: Number(memory),
      isOwn: Number(isOwn) === 1,
      thing: thing === null ? undefined : String(thing),
      isAboutIt: thing !== null && Number(isTitle) === 1 && Number(isTitleOfFirst) === 0,
    }));
  return [...Map.groupBy(rows, ({ of }) => of)].flatMap(([of, its]) => {
    const about = Map.groupBy(its.filter(({ isAboutIt }) => isAboutIt), ({ thing }) => thing);
    const isAlone = ({ thing, memory }: Row) =>
      about.get(thing)?.every((other) => other.memory === memory) === true;
    return [...Map.groupBy(its, ({ memory }) => memory)]
      .filter(([, rows]) => rows.some(({ isOwn, thing }) => isOwn || thing !== undefined))
      .map(([memory, rows]): Sibling => ({ of, memory, isAboutIt: rows.some(isAlone) }));
  });
}
