// Which memory has overtaken which, of those that apply at a place: by what the index has of how they stand to each other,
// by their dates, by whose word they are, and unless both are of one conversation, or a person has said that they are two.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import type { RelationRow } from "../index/relations.ts";
import { changedAt, type Dated } from "../memory/age.ts";
import { type Attributed, mayOvertake } from "../memory/provenance.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import {
  type Conflict,
  type Contradiction,
  distinctIn,
  type DistinctPairs,
  isOnOneMatter,
  isWhateverDates,
  relate,
  type Relation,
  rivalryIn,
} from "../relation/relate.ts";
import type { HeadStatus } from "../relation/standing.ts";

interface RelationContext {
  readonly corpus: Corpus;
  readonly folders: readonly MemoryFolder[];
}

/** How some memories stand to each other. */
export type Relations = Awaited<ReturnType<typeof relationsAmong>>;

/** Reads how some memories stand to each other. */
export async function relationsAmong(
  memories: readonly IndexedMemory[],
  { corpus, folders }: RelationContext,
) {
  const ids = memories.map(({ id }) => id);
  const rows = await corpus.relations(ids);
  let byPair: ReadonlyMap<string, RelationRow> | undefined; // a session's start reads the rows alone
  // The logs of the folders are read where it matters, and then once: they may not be readable.
  let said: DistinctPairs | undefined;
  const distinct = () => said ??= distinctIn(folders);
  /** Whether a person has said that they are two. */
  const areTwo = (one: IndexedMemory, other: IndexedMemory) => distinct().has(one, other);
  const rowOf = (earlier: IndexedMemory, later: IndexedMemory): Relation | undefined => {
    byPair ??= new Map(rows.map((row) => [pairOf(row), row]));
    const row = byPair.get(pairOf({ earlier: earlier.id, later: later.id }));
    return row?.answer !== "replaces" || areTwo(earlier, later) ? undefined : row;
  };
  let talks: Promise<ReadonlySet<string>> | undefined; // mostly nobody asks
  return {
    /** What the index has of them. */
    rows,
    /** What one does to an older one of its scope; a note of a branch that is not merged here may hold there. */
    conflict(older: IndexedMemory, later: IndexedMemory): Conflict | undefined {
      const row = later.scope === older.scope ? rowOf(older, later) : undefined;
      const kind = row && rivalryIn(row);
      const isLast = isLater(later, older) || (mayOvertake(later) && row && isWhateverDates(row));
      if (kind === undefined || !isLast) return undefined;
      return isElsewhere(older) ? "rivals" : kind;
    },
    /** Whether one that is not the user's word says otherwise than one of theirs, whose place it does not take. */
    isDisputed(own: IndexedMemory, other: IndexedMemory): boolean {
      const isBoth = (own.scope === "user") === (other.scope === "user");
      if (!isBoth || !mayOvertake(own) || mayOvertake(other)) return false;
      const [older, later] = changedAt(other) < changedAt(own) ? [other, own] : [own, other];
      // Those of two folders have no row.
      const row = own.scope === other.scope
        ? rowOf(older, later)
        : relate(older, later, distinct());
      return row !== undefined && rivalryIn(row) !== undefined;
    },
    areTwo,
    /** Whether both are of one conversation, whose notes stand beside each other. */
    async areOfOneSession(one: IndexedMemory, other: IndexedMemory): Promise<boolean> {
      if (one.turn === undefined || other.turn === undefined) return false;
      talks ??= corpus.siblings(ids).then((all) =>
        new Set(all.map(({ of, memory }) => pairOf({ earlier: of, later: memory })))
      );
      const pairs = await talks;
      return pairs.has(pairOf({ earlier: one.id, later: other.id })) ||
        pairs.has(pairOf({ earlier: other.id, later: one.id }));
    },
  };
}

function pairOf({ earlier, later }: Pick<RelationRow, "earlier" | "later">): string {
  return `${earlier} ${later}`;
}

/**
 * Whether a memory is later, and may overtake at all: no note of a tool or of others does by being newer, and none of a
 * branch that is not merged here.
 */
export function isLater<M extends Dated & Attributed & HeadStatus>(one: M, older: M): boolean {
  if (!mayOvertake(one) && mayOvertake(older)) return false;
  return isElsewhere(one) === isElsewhere(older)
    ? changedAt(one) > changedAt(older)
    : isElsewhere(older);
}

/** Whether a memory comes from a branch that HEAD does not have. */
export function isElsewhere({ standing }: HeadStatus): boolean {
  return standing?.branch !== undefined;
}

/** Those of some memories that a later one of them has overtaken, contradicts or is about the matter of, with that one. */
export async function contradictedAmong(
  memories: readonly IndexedMemory[],
  { corpus, folders }: RelationContext,
): Promise<readonly Contradiction<IndexedMemory>[]> {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const relations = await relationsAmong(memories, { corpus, folders });
  const found = new Map<IndexedMemory, Contradiction<IndexedMemory>>();
  for (const row of relations.rows) {
    const [older, later] = [byId.get(row.earlier)!, byId.get(row.later)!];
    const kind = rivalryIn(row) ?? (isOnOneMatter(row) ? "rivals" : undefined);
    if (kind === undefined || isElsewhere(older) || !isLater(later, older)) continue;
    if (found.get(older)?.kind === "overtaken" || (kind === "rivals" && found.has(older))) continue;
    if (relations.areTwo(older, later) || await relations.areOfOneSession(older, later)) continue;
    found.set(older, { older, later, kind });
  }
  return [...found.values()];
}
