// Which memory has overtaken which, of those that apply at a place: by its words, by its date, by whose word it is, and
// unless both are of one conversation, or a person has said that they are two.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { changedAt, type Dated } from "../memory/age.ts";
import { type Attributed, mayOvertake } from "../memory/basis.ts";
import { distinctIn } from "../relation/distinct.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import {
  areOnOneMatter,
  type Contradiction,
  contradictionsIn,
  isReplacedBy,
  type Rivalry,
  rivalryOf,
} from "../relation/rivals.ts";
import { rememberingLists } from "./near_titles.ts";

/**
 * What a later memory does to an earlier one of its scope, unless a person has said that they are two. A note of a branch
 * that is not merged here is not overtaken by one of here: there it may hold.
 */
export function rivalryIn(
  older: IndexedMemory,
  later: IndexedMemory,
  folders: readonly MemoryFolder[],
): Rivalry | undefined {
  if (later.scope !== older.scope) return undefined;
  const kind = isLater(later, older)
    ? rivalryOf(older, later)
    : mayOvertake(later) && isReplacedBy(older, later)
    ? "overtaken"
    : undefined;
  if (kind === undefined || distinctIn(folders).has(older, later)) return undefined;
  return isElsewhere(older) ? "rivals" : kind;
}

/** Whether one that is not the user's word says otherwise than one of theirs, whose place it does not take. */
export function isDisputed(
  own: IndexedMemory,
  other: IndexedMemory,
  folders: readonly MemoryFolder[],
): boolean {
  const isBoth = (own.scope === "user") === (other.scope === "user");
  if (!isBoth || !mayOvertake(own) || mayOvertake(other)) return false;
  const [older, later] = changedAt(other) < changedAt(own) ? [other, own] : [own, other];
  return rivalryOf(older, later) !== undefined && !distinctIn(folders).has(own, other);
}

type Stood = Pick<IndexedMemory, "standing">;

/**
 * Whether a memory is later, and may overtake at all: no note of a tool or of others does by being newer, and none of a
 * branch that is not merged here.
 */
export function isLater<M extends Dated & Attributed & Stood>(one: M, older: M): boolean {
  if (!mayOvertake(one) && mayOvertake(older)) return false;
  return isElsewhere(one) === isElsewhere(older)
    ? changedAt(one) > changedAt(older)
    : isElsewhere(older);
}

/** Whether a memory comes from a branch that HEAD does not have. */
export function isElsewhere({ standing }: Stood): boolean {
  return standing?.branch !== undefined;
}

/** Whether two memories are of one conversation, whose notes stand beside each other. */
export type IsOneTalk = (a: IndexedMemory, b: IndexedMemory) => Promise<boolean>;

/** Tells which of some memories are of one conversation; what was typed is of none, and mostly nobody asks. */
export function conversationsOf(
  memories: readonly IndexedMemory[],
  corpus: Pick<Corpus, "siblings">,
): IsOneTalk {
  let pairs: Promise<ReadonlySet<string>> | undefined;
  const read = async () => {
    const siblings = await corpus.siblings(memories.map(({ id }) => id));
    return new Set(siblings.flatMap(({ of, memory }) => [`${of} ${memory}`, `${memory} ${of}`]));
  };
  return async (a, b) =>
    a.turn !== undefined && b.turn !== undefined &&
    (await (pairs ??= read())).has(`${a.id} ${b.id}`);
}

/** Those of some memories that a later one of them has overtaken, contradicts or is about the matter of, with that one. */
export async function contradictedAmong(
  memories: readonly IndexedMemory[],
  { corpus, folders }: {
    readonly corpus: Pick<Corpus, "siblings">;
    readonly folders: readonly MemoryFolder[];
  },
): Promise<readonly Contradiction<IndexedMemory>[]> {
  const found = placesOfContradicted(memories)
    .map(({ older, later, kind }) => ({ older: memories[older]!, later: memories[later]!, kind }))
    .filter(({ older, later }) => !distinctIn(folders).has(older, later));
  const isOneTalk = conversationsOf(found.flatMap(({ older, later }) => [older, later]), corpus);
  const others: Contradiction<IndexedMemory>[] = [];
  for (const each of found) if (!await isOneTalk(each.older, each.later)) others.push(each);
  return others;
}

/** Places in a list, of the older and of the later: memories are read anew after each write, and would be kept here. */
const placesOfContradicted = rememberingLists((memories: readonly IndexedMemory[]) => {
  const placeOf = new Map(memories.map((memory, i) => [memory, i]));
  return contradictionsIn(
    memories,
    (older, later) => later.scope === older.scope && !isElsewhere(older) && isLater(later, older),
    (older, later) =>
      rivalryOf(older, later) ?? (areOnOneMatter(older, later) ? "rivals" : undefined),
  ).map(({ kind, ...pair }) => ({
    kind,
    older: placeOf.get(pair.older)!,
    later: placeOf.get(pair.later)!,
  }));
}, ({ path, mtimeMs, size, tags, standing }) => [path, mtimeMs, size, tags, standing?.branch]);
