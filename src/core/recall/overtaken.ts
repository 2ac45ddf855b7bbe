// Which memory has overtaken which, of those that apply at a place: by what the index has of how they stand to each other,
// by their dates, by whose word they are, and unless both are of one conversation, or a person has said that they are two.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import type { Index } from "../index/mod.ts";
import type { RelationRow } from "../index/relations.ts";
import { changedAt, type Dated } from "../memory/age.ts";
import { type Attributed, mayOvertake } from "../memory/provenance.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { type Bearing, bearingOf, type Contradiction, distinctIn } from "../relation/relate.ts";
import type { HeadStatus } from "../relation/standing.ts";

interface RelationContext {
  readonly corpus: Corpus;
  readonly folders: readonly MemoryFolder[];
}

/** What a later memory does to an older one: it takes its place, says otherwise, or says all of it. */
export interface LaterMemory {
  readonly memory: IndexedMemory;
  readonly kind: Bearing;
  /** How likely it takes the place of the older one, 0–1; 0: it is not the user's word, and stays behind theirs. */
  readonly probability: number;
}

/** The memories that stand to some as later ones, of all that apply, newest first. */
export type Laters = (older: IndexedMemory) => readonly LaterMemory[];

/** Reads what stands to some memories as a later one. */
export async function latersOf(
  memories: readonly IndexedMemory[],
  { corpus, folders }: RelationContext,
): Promise<Laters> {
  const rows = (await corpus.relations(memories.map(({ id }) => id)))
    .filter((row) => bearingOf(row) !== undefined);
  if (rows.length === 0) return () => [];
  const known = new Map(memories.map((memory) => [memory.id, memory]));
  const others = rows.map(({ later }) => later).filter((id) => !known.has(id));
  for (const memory of await corpus.memories([...new Set(others)])) known.set(memory.id, memory);
  const areApart = await apart([...known.values()], { corpus, folders });
  const found = new Map<number, LaterMemory[]>();
  for (const row of rows) {
    const older = known.get(row.earlier)!, memory = known.get(row.later);
    const later = memory && laterIn(row, older, memory);
    if (later === undefined || areApart(older, later.memory)) continue;
    found.set(older.id, [...found.get(older.id) ?? [], later]);
  }
  for (const laters of found.values()) {
    laters.sort((a, b) => changedAt(b.memory) - changedAt(a.memory));
  }
  return ({ id }) => found.get(id) ?? [];
}

/** What a row says of a later memory; undefined: it is not later, or has no say. */
function laterIn(
  row: RelationRow,
  older: IndexedMemory,
  memory: IndexedMemory,
): LaterMemory | undefined {
  const { probability } = row, kind = bearingOf(row);
  if (kind === undefined || older.scope !== memory.scope) return undefined;
  const isConflict = kind !== "repeats";
  if (!isLater(memory, older)) {
    // What is not the user's word says otherwise, and takes no place.
    const isOpen = isConflict && changedAt(memory) > changedAt(older) &&
      isElsewhere(memory) === isElsewhere(older);
    return isOpen ? { memory, kind: "rivals", probability: 0 } : undefined;
  }
  // What a note of a branch that is not merged here says may hold there.
  return { memory, kind: isConflict && isElsewhere(older) ? "rivals" : kind, probability };
}

/** Whether two memories stand beside each other, whatever was judged: a person has said so, or both are of one conversation. */
async function apart(
  memories: readonly IndexedMemory[],
  { corpus, folders }: RelationContext,
): Promise<(one: IndexedMemory, other: IndexedMemory) => boolean> {
  const said = distinctIn(folders);
  const talked = memories.filter(({ turn }) => turn !== undefined);
  const pairs = talked.length < 2 ? [] : await corpus.siblings(talked.map(({ id }) => id));
  const together = new Set(pairs.map(({ of, memory }) => `${of} ${memory}`));
  return (one, other) =>
    said.has(one, other) || together.has(`${one.id} ${other.id}`) ||
    together.has(`${other.id} ${one.id}`);
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

/** Those of some memories that a later one of them has overtaken, contradicts or says all of, with that one. */
export async function contradictedAmong(
  memories: readonly IndexedMemory[],
  context: RelationContext,
): Promise<readonly Contradiction<IndexedMemory>[]> {
  const laters = await latersOf(memories, context);
  const among = new Set(memories.map(({ id }) => id));
  return memories.flatMap((older) => {
    const its = laters(older).filter(({ memory }) => among.has(memory.id));
    const found = its.find(({ kind }) => kind !== "rivals") ?? its[0];
    if (found === undefined || isElsewhere(older)) return [];
    const kind = found.kind === "rivals" ? "rivals" : "overtaken";
    return [{ older, later: found.memory, kind }];
  });
}

/** The pairs of some folders' memories of which the later one contradicts the earlier, and nobody has settled that. */
export async function contradictionsIn(
  index: Index,
  folders: readonly MemoryFolder[],
): Promise<readonly Contradiction<IndexedMemory>[]> {
  const rows = await index.contradictions(folders);
  const found = await index.byPath([
    ...new Set(rows.flatMap(({ older, later }) => [older, later])),
  ]);
  const byPath = new Map(found.map((memory) => [memory.path, memory]));
  const areApart = await apart(found, { corpus: await index.corpus(folders), folders });
  return rows.flatMap(({ kind, ...paths }) => {
    const older = byPath.get(paths.older), later = byPath.get(paths.later);
    if (older === undefined || later === undefined || !isLater(later, older)) return [];
    return areApart(older, later) ? [] : [{ older, later, kind }];
  });
}
