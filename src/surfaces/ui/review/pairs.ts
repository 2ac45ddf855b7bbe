// Memories that are near each other by the index's vectors, and not the same: reworded, or alike but for a value or a
// `not`; and those that a model has said to contradict each other. Ten thousand take a minute to compare, so that each call compares for a moment, newest first, and what was
// compared stays known until its text changes.

import { calibrationOf } from "../../../core/embed/mod.ts";
import type { MemoryFolder } from "../../../core/memory/memory.ts";
import {
  contradictedBy,
  relate,
  rivalryIn,
  saysSame,
  sentences,
} from "../../../core/relation/relate.ts";
import { turnsIn, valuesIn } from "../../../core/text/content_terms.ts";
import type { CallContext } from "../calls/call.ts";
import { catalogueOf, type Entry, isOwn } from "../memories/catalogue.ts";

/** A memory of a pair. */
export interface One {
  readonly path: string;
  readonly folder: MemoryFolder;
}

/** Two memories that are near each other. */
export interface Pair {
  readonly one: One;
  readonly other: One;
  /** `differ`: much the same words, and a value or a `not` that is in one alone; `near`: much the same meaning. */
  readonly kind: "differ" | "near";
  readonly differ: readonly string[];
  readonly cosine: number;
}

/** Comparing goes on for so long in the first call, and in one that comes after it. */
const FIRST_MS = 60, MOMENT_MS = 250;
const NEIGHBOURS = 4;
/** Pairs that are kept, nearest first. */
const MOST = 1000;
/** Share of common words from which a value that differs counts. */
const ALIKE = 0.5;

/** Memories that were compared, and what was found. */
interface Scan {
  /** When each memory was compared, by path: the time of its file. */
  readonly seen: Map<string, number>;
  pairs: Pair[];
  /** Their keys, and those of the ones that were too many. */
  known: Set<string>;
  /** The memories that the rest follows from. */
  entries?: readonly Entry[];
  /** Those that are still to be compared, the last one first. */
  waiting: Entry[];
  /** The folders whose memories are compared. */
  folders: readonly MemoryFolder[];
}
const scans = new WeakMap<CallContext["engine"], Scan>();

/** The pairs that are known, and how many memories are still to be compared. */
export async function pairsOf(
  context: CallContext,
): Promise<{ readonly found: readonly Pair[]; readonly left: number }> {
  const { engine } = context;
  const { entries, byPath } = await catalogueOf(context);
  const scan = scans.get(engine) ??
    {
      seen: new Map<string, number>(),
      pairs: [],
      known: new Set<string>(),
      waiting: [],
      folders: [],
    };
  scans.set(engine, scan);
  if (scan.entries !== entries) {
    const own = entries.filter(mayPair);
    const isSeen = (path: string) => scan.seen.get(path) === byPath.get(path)?.head.mtimeMs;
    scan.entries = entries;
    scan.folders = [...new Map(own.map(({ folder }) => [folder.path, folder])).values()];
    scan.waiting = own.filter(({ head }) => !isSeen(head.path)).reverse();
    scan.pairs = scan.pairs.filter(({ one, other }) =>
      byPath.has(one.path) && byPath.has(other.path) && isSeen(one.path)
    );
    scan.known = new Set(scan.pairs.map(({ one, other }) => keyOf(one, other)));
  }
  await engine.withIndex(async (index) => {
    const end = performance.now() + (scan.seen.size === 0 ? FIRST_MS : MOMENT_MS);
    while (performance.now() < end && scan.waiting.length > 0) {
      await engine.yieldToPrompts();
      const next = scan.waiting.pop();
      if (next === undefined) break; // another answer has compared it
      const { head, folder } = next;
      // What applies together: those of the same project, and those that apply everywhere.
      const among = scan.folders.filter(({ project }) =>
        project === undefined || project === folder.project
      );
      const corpus = await index.corpus(among);
      const [memory] = await index.byPath([head.path]);
      scan.seen.set(head.path, head.mtimeMs);
      if (memory === undefined) continue;
      const vector = await corpus.vectorOf(memory.id);
      const model = await corpus.model();
      const least = model === undefined ? Infinity : calibrationOf(model).retold;
      const hits = vector === undefined ? [] : (await corpus.nearest(vector, { limit: NEIGHBOURS }))
        .filter(({ memory: id, cosine }) => id !== memory.id && cosine >= least);
      const others = [
        ...await corpus.memories(hits.map(({ memory }) => memory)),
        ...await index.byPath(contradictedBy(memory)),
      ];
      for (const other of others) {
        const entry = byPath.get(other.path);
        if (entry === undefined || !mayPair(entry)) continue;
        const how = compare(memory, other);
        if (how === undefined) continue;
        const cosine = hits.find(({ memory }) => memory === other.id)?.cosine ?? 1;
        const one = { path: head.path, folder },
          second = { path: other.path, folder: entry.folder };
        const key = keyOf(one, second);
        if (!scan.known.has(key)) scan.pairs.push({ one, other: second, ...how, cosine });
        scan.known.add(key);
      }
    }
  });
  scan.pairs = scan.pairs.toSorted((a, b) =>
    (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0) || b.cosine - a.cosine
  ).slice(0, MOST);
  return { found: scan.pairs, left: scan.waiting.length };
}

function mayPair({ folder, states }: Entry): boolean {
  return isOwn(folder) && !states.includes("held");
}

/** The same for two memories in either order. */
function keyOf({ path: a }: One, { path: b }: One): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

type Said = Parameters<typeof sentences>[0];

/** How two memories that are near each other differ; undefined: one says nothing beyond the other, which a dream merges. */
export function compare(a: Said, b: Said): Pick<Pair, "kind" | "differ"> | undefined {
  if (saysSame(a, b) || saysSame(b, a)) return undefined;
  const [one, other] = [sentences(a), sentences(b)];
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  const share = common / Math.max(1, one.words.size + other.words.size - common);
  const values = [a, b].map(({ name, body }) => valuesIn(`${name}\n${body}`));
  const turns = [a, b].map(({ name, body }) => new Set(turnsIn(`${name}\n${body}`).split(" ")));
  const words = [...one.words.symmetricDifference(other.words)];
  const differ = [values, turns].flatMap(([one, other]) => [...one!.symmetricDifference(other!)])
    .filter((part) => part !== "")
    // The whole word says more than the part of it that counts.
    .map((part) => words.find((word) => word.split(/[^\p{L}\p{N}]+/u).includes(part)) ?? part);
  const isRival = [relate(a, b), relate(b, a)].some((each) => rivalryIn(each) !== undefined);
  return isRival || (share >= ALIKE && differ.length > 0)
    ? { kind: "differ", differ: (differ.length > 0 ? differ : words).slice(0, 8) }
    : { kind: "near", differ: [] };
}
