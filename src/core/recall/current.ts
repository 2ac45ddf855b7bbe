// Of a note and a later one that may take its place both are looked at, whichever a prompt has found: one that is overtaken
// is not given, but named with the day until which it held; where it is not sure which holds, both come with their dates.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import {
  droppedFor,
  type DroppedHit,
  type Fused,
  type FusedHit,
  type FuseOptions,
  isWithheld,
} from "./fuse.ts";
import { type LaterMemory, type Laters, latersOf } from "./overtaken.ts";
import { isSibling } from "./siblings.ts";

/** The best hits that did not come by themselves, and are looked at. */
const LOOKED_AT = 12;

/** The strategy name in receipts of what comes for the sake of an older memory. */
const LATER = "successor";

/** Whether a hit has come for the sake of an older one, whose place it takes. */
export function isSuccessor({ strategy }: Pick<FusedHit, "strategy">): boolean {
  return strategy === LATER;
}

export interface CurrentOptions extends FuseOptions {
  readonly corpus: Corpus;
  /** Hits that may come into the block. */
  readonly most: number;
  readonly folders: readonly MemoryFolder[];
}

/** The hits, each with the later ones of its matter, and what is dropped for their sake. */
export async function withCurrent(
  { hits, dropped }: Fused,
  options: CurrentOptions,
): Promise<Fused> {
  const looked = hits.slice(0, options.most + LOOKED_AT);
  const laters = await closed(looked.map(({ memory }) => memory), options);
  const found = new Map([...dropped, ...hits].map((hit) => [hit.memory.id, hit]));
  const placing = new Placing(laters, found, options);
  for (const [rank, hit] of hits.entries()) {
    placing.place(hit, { isAlone: rank >= options.most || isSibling(hit) });
  }
  return { hits: placing.hits, dropped: placing.dropped };
}

/** What stands to some memories as later ones, to these again, and so on. */
async function closed(
  memories: readonly IndexedMemory[],
  options: CurrentOptions,
): Promise<Laters> {
  const known = new Set<number>();
  const found: Laters[] = [];
  let open = memories;
  while (open.length > 0) {
    for (const { id } of open) known.add(id);
    const laters = await latersOf(open, options);
    found.push(laters);
    open = open.flatMap((memory) => laters(memory).map((later) => later.memory))
      .filter(({ id }) => !known.has(id) && known.add(id));
  }
  return (older) => found.flatMap((laters) => laters(older));
}

/** What a prompt has found of a memory, and whether it comes by itself. */
type FoundMemories = ReadonlyMap<number, FusedHit | DroppedHit>;

function isHit(found: FusedHit | DroppedHit | undefined): found is FusedHit {
  return found !== undefined && "isWhole" in found;
}

class Placing {
  readonly hits: FusedHit[] = [];
  readonly dropped: DroppedHit[] = [];
  readonly #given: Set<number>;
  readonly #laters: Laters;
  readonly #found: FoundMemories;
  readonly #options: CurrentOptions;

  constructor(laters: Laters, found: FoundMemories, options: CurrentOptions) {
    this.#laters = laters;
    this.#found = found;
    this.#options = options;
    this.#given = new Set(options.refused);
  }

  /** Gives a hit, with what comes before or behind it for its sake. */
  place(hit: FusedHit, { isAlone }: { readonly isAlone: boolean }): void {
    if (this.#given.has(hit.memory.id)) return;
    this.#given.add(hit.memory.id);
    const laters = isAlone
      ? []
      : this.#laters(hit.memory).filter(({ memory }) =>
        !isWithheld(memory, this.#options) || this.#isGiven(memory)
      );
    const over = laters.find(({ kind }) => kind !== "rivals");
    if (over !== undefined) {
      const because = over.kind === "repeats" ? "repeats another" : "overtaken";
      this.dropped.push({ ...droppedFor(because, hit), by: over.memory.name });
      this.#bring(over, hit);
      if (over.kind === "overtaken") this.#note(over.memory, "overtakes", hit.memory);
      return;
    }
    for (const later of laters) if (later.probability > 0) this.#bring(later, hit);
    this.hits.push(laters.length > 0 ? { ...hit, isDated: true } : hit);
    for (const later of laters) {
      if (later.probability === 0) this.#bring(later, hit);
      // Of two that disagree the first says so.
      const [one, other] = later.probability > 0
        ? [later.memory, hit.memory]
        : [hit.memory, later.memory];
      this.#note(one, "rivals", other);
    }
  }

  #isGiven({ id }: IndexedMemory): boolean {
    return this.hits.some(({ memory }) => memory.id === id);
  }

  /** Gives a later memory, as much of it as of the older one. */
  #bring({ memory }: LaterMemory, { score, isWhole }: FusedHit): void {
    const own = this.#found.get(memory.id), hit = isHit(own) ? own : undefined;
    this.place({
      ...{ memory, passage: hit?.passage, parts: own?.parts ?? {} },
      ...{ score: Math.max(score, own?.score ?? 0), strategy: hit?.strategy ?? LATER },
      ...{ isWhole: hit?.isWhole === true || isWhole, isDated: true },
    }, { isAlone: false });
  }

  /** Notes beside what a memory was given. */
  #note({ id }: IndexedMemory, how: "overtakes" | "rivals", other: IndexedMemory): void {
    const at = this.hits.findIndex(({ memory }) => memory.id === id);
    const hit = this.hits[at];
    if (hit === undefined) return;
    this.hits[at] = { ...hit, isDated: true, [how]: [...hit[how] ?? [], other] };
  }
}
