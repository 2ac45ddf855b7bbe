// How the memories of a folder stand to each other, asked of the words of each when it is written: of its neighbours by
// words, or, of many at once, of those that share words which few have.

import { analyze } from "../text/analyze.ts";
import { contradicting, pairsAmong, relate, type Relation } from "../relation/relate.ts";
import { contentTerms } from "../text/language/stopwords.ts";
import type { Connection, InStatement } from "./connection.ts";
import { Words } from "./words.ts";

/** How a memory stands to an earlier one. */
export interface RelationRow extends Relation {
  readonly earlier: number;
  readonly later: number;
}

/** More memories at once are compared by what they share; fewer with their neighbours in the index. */
const FEW = 20;
const NEIGHBOURS = 50;
/** The beginning of a text, in which its statement is, and its own words on what came in its place. */
const READ_CHARS = 2000;
/** Memories to ask before others have their turn. */
const BATCH = 100;

/** The answers about some memories, each to each. */
export async function relationsAmong(
  db: Connection,
  memories: readonly number[],
): Promise<RelationRow[]> {
  const wanted = new Set(memories);
  // Of two lists in one statement SQLite would go through the second for each row of the first.
  const found = await db.read<[number, number, Relation["answer"], number, Relation["by"]]>(
    `SELECT earlier, later, answer, probability, by FROM relations
      WHERE earlier IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(memories)],
  );
  return found.filter(([, later]) => wanted.has(later))
    .map(([earlier, later, answer, probability, by]) => ({
      ...{ earlier, later, answer, probability, by },
    }));
}

/** Asks how the memories of a folder that are new in the index stand to the others, and keeps the answers. */
export async function relateNew(
  db: Connection,
  folder: number,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const pending = await read(db, `m.folder = ? AND m.related = 0`, [folder]);
  if (pending.length === 0) return;
  const rows = new Map<string, RelationRow>();
  const ask = (one: RelationRecord, other: RelationRecord) => {
    for (const [earlier, later] of [[one, other], [other, one]] as const) {
      const relation = relate(earlier, later);
      if (relation.answer === "unrelated") continue;
      const pair = { earlier: earlier.id, later: later.id };
      rows.set(`${pair.earlier} ${pair.later}`, { ...pair, ...relation });
    }
  };
  if (pending.length > FEW) {
    let asked = 0;
    for (const [one, other] of pairsAmong(await read(db, `m.folder = ?`, [folder]), pending)) {
      ask(one, other);
      if (++asked % BATCH === 0) await pause();
    }
  } else {
    for (const one of pending) {
      for (const other of await neighboursOf(one, folder, db)) {
        if (other.id !== one.id) ask(one, other);
      }
    }
  }
  const ids = JSON.stringify(pending.map(({ id }) => id));
  await db.write([
    ...["earlier", "later"].map((column): InStatement => ({
      sql: `DELETE FROM relations WHERE ${column} IN (SELECT value FROM json_each(?))`,
      args: [ids],
    })),
    {
      sql: `INSERT INTO relations SELECT value ->> 'earlier', value ->> 'later', value ->> 'answer',
        value ->> 'probability', value ->> 'by' FROM json_each(?)`,
      args: [JSON.stringify([...rows.values()])],
    },
    {
      sql: `UPDATE memories SET related = 1 WHERE id IN (SELECT value FROM json_each(?))`,
      args: [ids],
    },
  ]);
}

type RelationRecord = Awaited<ReturnType<typeof read>>[number];

/** The texts of some memories, as far as they are compared. */
async function read(db: Connection, where: string, args: readonly (number | string)[]) {
  const found = await db.read<[number, string, string, string, string, string]>(
    `SELECT m.id, m.path, m.name, m.description, substr(m.body, 1, ${READ_CHARS}), m.tags
      FROM memories m WHERE ${where}`,
    args,
  );
  return found.map(([id, path, name, description, body, tags]) => ({
    ...{ id, path, name, description, body },
    tags: JSON.parse(tags) as string[],
  }));
}

async function neighboursOf(
  { name, body }: RelationRecord,
  folder: number,
  db: Connection,
): Promise<RelationRecord[]> {
  const terms = [...contentTerms(`${name}\n${body}`), ...analyze(contradicting(""))];
  const words = new Words(db, "words");
  const hits = await words.hits(terms, NEIGHBOURS, { among: `m.folder = ${folder}` });
  const ids = JSON.stringify(hits.map(({ memory }) => memory));
  return await read(db, `m.id IN (SELECT value FROM json_each(?))`, [ids]);
}
