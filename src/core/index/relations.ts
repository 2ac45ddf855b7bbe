// How memories stand to each other, judged once, when a memory is new and has its vectors: beside its nearest neighbours
// in its folder.

import type { Judge } from "../relation/judge.ts";
import {
  contradictedPaths,
  contradicting,
  CUTOFFS,
  relate,
  type Relation,
} from "../relation/relate.ts";
import type { Corpus } from "./corpus.ts";
import type { Connection, InStatement } from "./connection.ts";
import { IS_CONTRADICTING, IS_TO_JUDGE } from "./database.ts";

/** How a memory stands to an earlier one. */
export interface RelationRow extends Relation {
  readonly earlier: number;
  readonly later: number;
}

/** The neighbours with which a memory is compared. */
const NEIGHBOURS = 10;
/** Memories that are judged before others have their turn. */
const BATCH = 20;
/** The beginning of a text, which is all that is compared. */
const READ_CHARS = 2000;

/** How later memories stand to some, in one statement: of the second of two lists SQLite would make a loop. */
export async function relationsOf(
  db: Connection,
  earlier: readonly number[],
): Promise<RelationRow[]> {
  const found = await db.read<[number, number, Relation["answer"], number, Relation["by"]]>(
    `SELECT earlier, later, answer, probability, by FROM relations
      WHERE earlier IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(earlier)],
  );
  return found.map(([earlier, later, answer, probability, by]) => ({
    ...{ earlier, later, answer, probability, by },
  }));
}

export interface JudgeOptions {
  /** Stops after the memory at hand. */
  readonly signal?: AbortSignal | undefined;
  /** Awaited before each memory: prompts go first. */
  readonly yieldToPrompts?: (() => Promise<void>) | undefined;
}

/** What has been compared: by a judge, or, where there is none yet, by what needs none. */
const JUDGED = 1, COMPARED = 2;

/**
 * Judges how the memories that are new stand to their neighbours, and returns how many those were. Without a judge equal
 * texts alone are the same, and what a model has said contradicts; a judge looks at them again.
 */
export async function judgeNew(
  db: Connection,
  corpusOf: (folder: number) => Pick<Corpus, "nearest" | "vectorOf">,
  judge: Judge | undefined,
  { signal, yieldToPrompts }: JudgeOptions = {},
): Promise<number> {
  let done = 0;
  while (!signal?.aborted) {
    const where = judge === undefined
      ? "related = 0"
      : `related IN (0, ${COMPARED}) AND embedded = 1`;
    const pending = await read(db, `${IS_TO_JUDGE} AND ${where} AND past = 0 LIMIT ${BATCH}`);
    if (pending.length === 0) break;
    for (const memory of pending) {
      await yieldToPrompts?.();
      if (signal?.aborted) break;
      const rows = await rowsFor(memory, { db, corpusOf, judge });
      await db.write(statementsFor(memory, rows, judge === undefined ? COMPARED : JUDGED));
      done++;
    }
  }
  return done;
}

type RelationRecord = Awaited<ReturnType<typeof read>>[number];

/** A memory beside its nearest neighbours, and beside those that a model has said it contradicts, or they it. */
async function rowsFor(
  memory: RelationRecord,
  { db, corpusOf, judge }: {
    readonly db: Connection;
    readonly corpusOf: (folder: number) => Pick<Corpus, "nearest" | "vectorOf">;
    readonly judge: Judge | undefined;
  },
): Promise<RelationRow[]> {
  const corpus = corpusOf(memory.folder), vector = await corpus.vectorOf(memory.id);
  const near = vector === undefined ? [] : await corpus.nearest(vector, { limit: NEIGHBOURS + 1 });
  const others = await read(
    db,
    `id <> ? AND id IN (SELECT value FROM json_each(?)
      UNION SELECT id FROM memories WHERE path IN (SELECT value FROM json_each(?))
      UNION SELECT id FROM memories WHERE folder = ? AND ${IS_CONTRADICTING}
        AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?))`,
    [
      memory.id,
      JSON.stringify(
        near.filter(({ cosine }) => cosine >= CUTOFFS.neighbours).map((hit) => hit.memory),
      ),
      JSON.stringify(contradictedPaths(memory)),
      memory.folder,
      contradicting(memory.path),
    ],
  );
  const rows: RelationRow[] = [];
  for (const other of others) {
    for (const [earlier, later] of [[other, memory], [memory, other]] as const) {
      const relation = relate(earlier, later, await judge?.compare(earlier, later));
      if (relation !== undefined) rows.push({ earlier: earlier.id, later: later.id, ...relation });
    }
  }
  return rows;
}

function statementsFor(
  { id, hash }: RelationRecord,
  rows: readonly RelationRow[],
  state: number,
): InStatement[] {
  return [
    { sql: `DELETE FROM relations WHERE earlier = ? OR later = ?`, args: [id, id] },
    {
      sql: `INSERT INTO relations SELECT r.value ->> 'earlier', r.value ->> 'later',
          r.value ->> 'answer', r.value ->> 'probability', r.value ->> 'by' FROM json_each(?) r
        WHERE EXISTS (SELECT 1 FROM memories WHERE id = r.value ->> 'earlier')
          AND EXISTS (SELECT 1 FROM memories WHERE id = r.value ->> 'later')`,
      args: [JSON.stringify(rows)],
    },
    { sql: `UPDATE memories SET related = ? WHERE id = ? AND hash = ?`, args: [state, id, hash] },
  ];
}

/** The texts of some memories, as far as they are compared. */
async function read(db: Connection, where: string, args: readonly (number | string)[] = []) {
  const found = await db.read<[number, number, string, string, string, string, string, string]>(
    `SELECT id, folder, path, hash, name, description, substr(body, 1, ${READ_CHARS}), tags
      FROM memories WHERE ${where}`,
    args,
  );
  return found.map(([id, folder, path, hash, name, description, body, tags]) => ({
    ...{ id, folder, path, hash, name, description, body },
    tags: JSON.parse(tags) as string[],
  }));
}
