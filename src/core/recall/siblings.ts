// A rule that was decided in one session is often several notes: with one of them come the others, also what a later session has
// put in the place of one.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import type { Dropped, FusedHit, FuseOptions } from "./fuse.ts";
import { isWithheld, thresholdOf } from "./fuse.ts";
import { isMarked } from "../memory/provenance.ts";
import { isSure } from "./near_misses.ts";
import { saySame, wordsOf } from "./repeats.ts";
import type { Ranking } from "./retrieve.ts";

/**
 * Types whose notes may be parts of one rule, and how much lower than the threshold their own score may be, because the
 * conversation vouches for them. On twelve tasks with rules of up to six parts all 24 parts come in place of 17, for 125
 * tokens; on 707 prompts about something else it is 9 memories, 2 tokens a prompt. A trap is a part more rarely.
 */
const MARGINS: Readonly<Record<string, number>> = {
  decision: 0.1,
  feedback: 0.1,
  pattern: 0.1,
  gotcha: 0.05,
};
const MOST = 5;
/** From so many parts on the session itself is what the prompt is about, and the others may be further below. */
const SUBJECT = 2, FURTHER = 0.05;
/**
 * What the given one names, and no other note of the session is about, explains it, though it may share nothing with the
 * prompt: of 314 pairs of such notes 4. With that, and with what a later session has put in a part's place, all 63 parts of
 * sixteen tasks' rules come with the request among 300 further notes in place of 61; on 304 prompts about something else
 * it is 3 memories.
 */
const ABOUT_IT = 0.35;

/** A prompt of so few words that has what was meant asks for no more: 10 of 11 siblings on retention were not needed. */
const SHORT = 12;

/** The strategy name of a sibling in receipts. */
const SIBLING = "sibling";

/** Whether a hit is given for the sake of the one before it. */
export function isSibling({ strategy }: Pick<FusedHit, "strategy">): boolean {
  return strategy === SIBLING;
}

export interface SiblingOptions extends FuseOptions {
  readonly corpus: Pick<Corpus, "siblings" | "memories">;
  readonly rankings: readonly Ranking[];
  /** Hits that may come into the block. */
  readonly most: number;
}

/**
 * The hits, with the other parts of a rule after the last one of its conversation that is given whole: what was found by
 * itself is not to lose its room to them.
 */
export async function withSiblings(
  { kept: hits, dropped }: {
    readonly kept: readonly FusedHit[];
    readonly dropped: readonly Dropped[];
  },
  options: SiblingOptions,
): Promise<{ readonly hits: readonly FusedHit[]; readonly dropped: readonly Dropped[] }> {
  const whole = hits.slice(0, options.most).filter(({ isWhole }) => isWhole);
  const { length = 0 } = options.terms ?? [];
  const isAnswered = length > 0 && length <= SHORT &&
    whole.some((hit) => isSure(hit, options));
  const families = isAnswered ? new Map() : await familiesOf(whole, options.corpus);
  if (families.size === 0) return { hits, dropped };
  const all = [...found(hits, dropped), ...await notFound(families, hits, dropped, options)];
  const said = whole.map(({ memory }) => wordsOf(memory));
  const after = new Map<number, FusedHit[]>();
  const taken = new Set<number>();
  for (const [id, family] of families) {
    const others = all.filter(({ memory }) =>
      family.has(memory.id) && !taken.has(memory.id) && !isWithheld(memory, options)
    );
    const isWithin = ({ memory, score }: FusedHit, margin: number) =>
      score >= thresholdOf(memory, options) - margin;
    const near = others.filter((one) => isWithin(one, marginOf(one.memory)));
    const further = near.length < SUBJECT ? 0 : FURTHER;
    const siblings = others.filter((one) =>
      isWithin(one, isAboutIt(one.memory, family) ? ABOUT_IT : marginOf(one.memory) + further)
    );
    for (const one of siblings.slice(0, MOST - taken.size)) {
      const words = wordsOf(one.memory);
      if (said.some((other) => saySame(other, words))) continue;
      said.push(words);
      taken.add(one.memory.id);
      const last = whole.findLast(({ memory }) =>
        memory.id === id || family.has(memory.id)
      )!.memory;
      after.set(last.id, [...after.get(last.id) ?? [], one]);
    }
  }
  return {
    hits: hits.filter(({ memory }) => !taken.has(memory.id))
      .flatMap((hit) => [hit, ...after.get(hit.memory.id) ?? []]),
    dropped: dropped.filter(({ memory }) => !taken.has(memory.id)),
  };
}

/** The siblings of one that is given, by their ids: whether each is about what that one names. */
type Family = ReadonlyMap<number, boolean>;

/** The siblings of memories that have any, by their ids. */
async function familiesOf(
  whole: readonly FusedHit[],
  corpus: SiblingOptions["corpus"],
): Promise<ReadonlyMap<number, Family>> {
  const siblings = whole.length === 0
    ? []
    : await corpus.siblings(whole.map(({ memory }) => memory.id));
  const byMemory = Map.groupBy(siblings, ({ of }) => of);
  return new Map(
    whole.flatMap(({ memory: { id } }) => {
      const others = byMemory.get(id)?.map(({ memory, isAboutIt }) => [memory, isAboutIt] as const);
      return others === undefined ? [] : [[id, new Map(others)]];
    }),
  );
}

/** What was found and is not given whole, rules before traps, best score first. */
function found(hits: readonly FusedHit[], dropped: readonly Dropped[]): FusedHit[] {
  const lines = hits.filter(({ isWhole, isChanged }) => !isWhole && !isChanged);
  const low = dropped.filter(({ because }) =>
    because === "below threshold" || because === "far below the best"
  );
  return [...lines, ...low]
    .filter(({ memory }) => memory.type in MARGINS)
    .sort((a, b) =>
      marginOf(b.memory) - marginOf(a.memory) || b.score - a.score || a.memory.id - b.memory.id
    )
    .map(({ memory, score, parts }) => siblingOf(memory, score, parts));
}

/** What is about a thing that is named and was not found, or so far below every threshold that it was not looked at. */
async function notFound(
  families: ReadonlyMap<number, Family>,
  hits: readonly FusedHit[],
  dropped: readonly Dropped[],
  { corpus, rankings, refused }: SiblingOptions,
): Promise<FusedHit[]> {
  const known = new Set([...hits, ...dropped].map(({ memory }) => memory.id));
  const all = [...families.values()];
  const wanted = all.flatMap((family) => [...family].filter(([, isAboutIt]) => isAboutIt))
    .map(([id]) => id).filter((id) => !known.has(id) && !refused?.has(id));
  const scores = new Map(
    rankings.flatMap(({ hits }) => hits.map(({ memory, score }) => [memory, score] as const)),
  );
  return (await corpus.memories([...new Set(wanted)]))
    .filter((memory) => memory.type in MARGINS && all.some((family) => isAboutIt(memory, family)))
    .map((memory) => siblingOf(memory, scores.get(memory.id) ?? 0, undefined));
}

/** Whether a memory is about what the given one names; what was only read somewhere does not count. */
function isAboutIt(memory: IndexedMemory, family: Family): boolean {
  return family.get(memory.id) === true && !isMarked(memory);
}

function siblingOf(memory: IndexedMemory, score: number, parts: FusedHit["parts"]): FusedHit {
  return { memory, score, parts, passage: undefined, strategy: SIBLING, isWhole: true };
}

function marginOf({ type }: IndexedMemory): number {
  return MARGINS[type] ?? 0;
}
