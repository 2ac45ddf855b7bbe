// A rule that was decided in one session is often several notes: with one of them come the others, also what a later session has
// put in the place of one.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { hasTrait } from "../memory/types.ts";
import { adjusted, isEnoughFor } from "./adjust.ts";
import {
  type DroppedHit,
  type Fused,
  type FusedHit,
  type FuseOptions,
  isWithheld,
} from "./fuse.ts";
import { hasSameWords, wordsOf } from "./repeats.ts";

/** The strategy name of a sibling in receipts. */
const SIBLING = "sibling";

/** Whether a hit is given for the sake of the one before it. */
export function isSibling({ strategy }: Pick<FusedHit, "strategy">): boolean {
  return strategy === SIBLING;
}

/**
 * The hits, with the other parts of a rule after the last one of its conversation that is given whole: what was found by
 * itself is not to lose its room to them.
 */
export async function withSiblings(
  { hits, dropped }: Fused,
  options: FuseOptions & {
    readonly corpus: Pick<Corpus, "siblings">;
    /** Hits that may come into the block. */
    readonly most: number;
  },
): Promise<Fused> {
  const whole = hits.slice(0, options.most).filter(({ isWhole }) => isWhole);
  const { length = 0 } = options.terms ?? [];
  const isAnswered = length > 0 && length <= FEW_TERMS &&
    whole.some((hit) => isEnoughFor("certain", hit, options));
  const pairs = whole.length === 0 || isAnswered
    ? []
    : await options.corpus.siblings(whole.map(({ memory }) => memory.id));
  const likely = pairs.length === 0 ? [] : partsAmong(hits, dropped, options);
  const said = whole.map(({ memory }) => wordsOf(memory));
  const after = new Map<IndexedMemory, FusedHit[]>();
  const taken = new Set<number>();
  for (const part of likely) {
    const isOther = (id: number) =>
      pairs.some(({ of, memory }) => of === id && memory === part.memory.id);
    const last = whole.findLast(({ memory }) => isOther(memory.id))?.memory;
    const words = wordsOf(part.memory);
    if (last === undefined || taken.size >= options.most) continue;
    if (isWithheld(part.memory, options) || said.some((other) => hasSameWords(other, words))) {
      continue;
    }
    said.push(words);
    taken.add(part.memory.id);
    after.set(last, [...after.get(last) ?? [], part]);
  }
  const isLeft = ({ memory }: Pick<FusedHit, "memory">) => !taken.has(memory.id);
  return {
    hits: hits.filter(isLeft).flatMap((hit) => [hit, ...after.get(hit.memory) ?? []]),
    dropped: dropped.filter(isLeft),
  };
}

/** A prompt of so few words that has what was meant asks for no more: 10 of 11 siblings on retention were not needed. */
const FEW_TERMS = 12;

/** What may be a part of a rule, was found and is not given whole, best score first. */
function partsAmong(
  hits: readonly FusedHit[],
  dropped: readonly DroppedHit[],
  options: FuseOptions,
): FusedHit[] {
  const lines = hits.filter(({ isWhole, isChanged }) => !isWhole && !isChanged);
  const low = dropped.filter(({ because }) =>
    because === "below threshold" || because === "far below the best"
  );
  return [...lines, ...low].filter(({ memory }) => hasTrait(memory.type, "work"))
    .map(({ memory, score, parts, sum }): FusedHit => {
      const found = { memory, score, parts, sum, passage: undefined };
      return adjusted({ ...found, strategy: SIBLING, isWhole: true }, SIBLING);
    }).filter((part) => isEnoughFor("text", part, options))
    .sort((a, b) => b.score - a.score || a.memory.id - b.memory.id);
}
