// Memories that are near each other by the index's vectors, and not the same: reworded, or alike but for a value or a
// `not`. Ten thousand take a minute to compare, so that each call compares for a moment, newest first, and what was
// compared stays known until its text changes.

import { calibrationOf } from "../../embed/models.ts";
import type { MemoryFolder } from "../../memory/memory.ts";
import { haveSameFacts, isTold, tellingOf, turnsIn, valuesIn } from "../../memory/same.ts";
import type { CallContext } from "../calls/call.ts";
import { catalogueOf, isOwn } from "../memories/catalogue.ts";

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

/** Comparing goes on for so long in one call. */
const MOMENT_MS = 60;
const NEIGHBOURS = 4;
/** Pairs that are kept, nearest first. */
const MOST = 1000;
/** Share of common words from which a value that differs counts. */
const ALIKE = 0.5;

interface Scan {
  /** When each memory was compared, by path: the time of its file. */
  readonly seen: Map<string, number>;
  pairs: Pair[];
}
const scans = new WeakMap<CallContext["engine"], Scan>();

/** The pairs that are known, and how many memories are still to be compared. */
export async function pairsOf(
  context: CallContext,
): Promise<{ readonly found: readonly Pair[]; readonly left: number }> {
  const { engine } = context;
  const { entries, byPath } = await catalogueOf(context);
  const scan = scans.get(engine) ?? { seen: new Map<string, number>(), pairs: [] };
  scans.set(engine, scan);
  const own = entries.filter(({ folder, states }) => isOwn(folder) && !states.includes("held"));
  const isSeen = ({ head: { path, mtimeMs } }: typeof own[number]) =>
    scan.seen.get(path) === mtimeMs;
  const stale = ({ path }: One) => scan.seen.get(path) !== byPath.get(path)?.head.mtimeMs;
  scan.pairs = scan.pairs.filter(({ one, other }) =>
    byPath.has(one.path) && byPath.has(other.path) && !stale(one)
  );
  const waiting = own.filter((entry) => !isSeen(entry));
  let done = 0;
  await engine.withIndex(async (index) => {
    const end = performance.now() + MOMENT_MS;
    for (const { head, folder } of waiting) {
      if (performance.now() > end) break;
      await engine.yieldToPrompts();
      // What applies together: those of the same project, and those that apply everywhere.
      const among = [...new Map(own.map((each) => [each.folder.path, each.folder])).values()]
        .filter(({ project }) => project === undefined || project === folder.project);
      const corpus = await index.corpus(among);
      const [memory] = await index.byPath([head.path]);
      const vector = memory && await corpus.vectorOf(memory.id);
      const model = await corpus.model();
      scan.seen.set(head.path, head.mtimeMs);
      done++;
      if (vector === undefined || model === undefined) continue;
      const least = calibrationOf(model).retold;
      const hits = (await corpus.nearest(vector, { limit: NEIGHBOURS }))
        .filter(({ memory: id, cosine }) => id !== memory!.id && cosine >= least);
      const others = await corpus.memories(hits.map(({ memory }) => memory));
      for (const other of others) {
        const entry = byPath.get(other.path);
        if (entry === undefined || !isOwn(entry.folder) || entry.states.includes("held")) continue;
        const how = compare(memory!, other);
        if (how === undefined) continue;
        const cosine = hits.find(({ memory }) => memory === other.id)!.cosine;
        const pair = { one: { path: head.path, folder }, other: entry, ...how, cosine };
        const isKnown = scan.pairs.some(({ one, other: second }) =>
          [one.path, second.path].includes(head.path) &&
          [one.path, second.path].includes(other.path)
        );
        if (!isKnown) {
          scan.pairs.push({ ...pair, other: { path: other.path, folder: entry.folder } });
        }
      }
    }
  });
  scan.pairs = scan.pairs.toSorted((a, b) =>
    (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0) || b.cosine - a.cosine
  ).slice(0, MOST);
  return { found: scan.pairs, left: waiting.length - done };
}

type Said = Parameters<typeof tellingOf>[0];

/** How two memories that are near each other differ; undefined: one says nothing beyond the other, which a dream merges. */
export function compare(a: Said, b: Said): Pick<Pair, "kind" | "differ"> | undefined {
  const [one, other] = [tellingOf(a), tellingOf(b)];
  const text = ({ said }: typeof one) => said.join("\n");
  const isSame = haveSameFacts(text(one), text(other)) &&
    (isTold(one, other) || isTold(other, one));
  if (isSame) return undefined;
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  const share = common / Math.max(1, one.words.size + other.words.size - common);
  const values = [a, b].map(({ name, body }) => valuesIn(`${name}\n${body}`));
  const turns = [a, b].map(({ name, body }) => new Set(turnsIn(`${name}\n${body}`).split(" ")));
  const words = [...one.words.symmetricDifference(other.words)];
  const differ = [values, turns].flatMap(([one, other]) => [...one!.symmetricDifference(other!)])
    .filter((part) => part !== "")
    // The whole word says more than the part of it that counts.
    .map((part) => words.find((word) => word.split(/[^\p{L}\p{N}]+/u).includes(part)) ?? part);
  return share >= ALIKE && differ.length > 0
    ? { kind: "differ", differ: differ.slice(0, 8) }
    : { kind: "near", differ: [] };
}
