import { type Config, typeSettings } from "../settings/config.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import { rankOf } from "../memory/basis.ts";
import { isOthers } from "../memory/memory.ts";
import { isMarked, isSuspectMemory } from "../memory/provenance.ts";
import type { Hit } from "../../../strategies/strategy.ts";
import { confidenceNow } from "../memory/age.ts";
import { MIN_CONFIDENCE } from "../ledger/usage_score.ts";
import { hasTrait } from "../memory/types.ts";
import { EXACT_TRIGGER, NAMED } from "./exact_triggers.ts";
import { areNear, isSaidIn, saySame, type Words, wordsOf } from "./repeats.ts";
import type { Ranking } from "./retrieve.ts";
import { secondIn } from "./second.ts";
import { isAsBefore, type Shown } from "./shown.ts";
import { onlyLine } from "./title_line.ts";

/** A memory that may go into the block. */
export interface FusedHit {
  readonly memory: IndexedMemory;
  readonly score: number;
  readonly strategy: string;
  readonly passage: Hit["passage"];
  readonly parts: Hit["parts"];
  /** The score is above the threshold and near the best one: it is given whole; any other is given as a line. */
  readonly isWhole: boolean;
  /** It fits an earlier prompt, and is here because that is known only now. */
  readonly isLate?: true;
  /** An older version of it is in context already. */
  readonly isChanged?: boolean;
  /** There is an earlier or a later one on the same matter. */
  readonly isDated?: boolean;
  /** Earlier memories whose place it has taken, … */
  readonly overtakes?: readonly IndexedMemory[];
  /** … and those that say otherwise, where no word says which holds. */
  readonly rivals?: readonly IndexedMemory[];
}

/** A memory that was found and dropped. */
export interface Dropped {
  readonly memory: IndexedMemory;
  readonly score: number;
  readonly strategy: string;
  readonly parts: Hit["parts"];
  readonly because:
    | "not for such prompts"
    | "below threshold"
    | "far below the best"
    | "waits for the language model"
    | "seen in this session"
    | "written from this conversation"
    | "held back"
    | "faded"
    | "repeats another"
    | "in MEMORY.md"
    | "overtaken"
    | "no room";
  /** The name of the memory that has overtaken it. */
  readonly by?: string;
}

export interface FuseOptions {
  readonly config: Config;
  readonly now: Date;
  /** The memories in context. */
  readonly shown: Pick<Shown, "seen" | "listed" | "pointed" | "turns">;
  /** Memories by id, for every hit. */
  readonly memories: ReadonlyMap<number, IndexedMemory>;
  /** Memories that are not for such prompts. */
  readonly refused?: ReadonlySet<number> | undefined;
  /** Lines of Claude Code's own MEMORY.md, which the model has read already. */
  readonly known?: readonly Words[];
  /** Terms of the prompt. */
  readonly terms?: readonly string[];
}

/**
 * A memory below this share of the best one's score is dropped: what fits less beside what fits is not what was meant. In
 * place of .75, .82, not .73, of what retention's prompts get is needed, and 1 in 50 needed ones stays out.
 */
const NEAR_BEST = 0.9;
/** … unless it is the second of two things that the prompt asks for: it may be so low, and so far below the threshold. */
const SECOND = { share: 0.6, margin: 0.1 } as const, AS_MUCH = 0.8;
/** Margin above its type's threshold from which a memory is given whole; any other comes as a line. */
const WHOLE_MARGIN = 0.01;
/** The same of a memory that is one line; below it comes as that line: 6 of 76 near-topic prompts get a text, not 20. */
const ONE_LINE_MARGIN = 0.18;
/** Margin from which such a line comes again though the start has listed it: fewer do, and .8 in place of .7 are needed. */
const AGAIN_MARGIN = 0.05;
/** Margin from which a score is sure: no language model has to be waited for. */
export const SURE_MARGIN = 0.05;
/** Rules come before what is merely about the same thing, at a score that is lower by up to this much. */
const RULE_EDGE = 0.05;
/**
 * Merges the lists of all strategies into one, the user's own word first (`BASES`), then by score (scores are on one
 * scale), each memory once, and drops those below their type's threshold or far below the best, shown before, held back, faded, or known to the model already.
 */
export function fuse(
  rankings: readonly Ranking[],
  options: FuseOptions,
): { kept: FusedHit[]; dropped: Dropped[] } {
  const best = new Map<
    number,
    { hit: Hit; strategy: string; isProvisional: boolean; isLate: boolean }
  >();
  for (const { strategy, hits, isProvisional = false, isLate = false } of rankings) {
    for (const hit of hits) {
      const known = best.get(hit.memory);
      if (known === undefined || hit.score > known.hit.score) {
        best.set(hit.memory, { hit, strategy, isProvisional, isLate });
      }
    }
  }
  const called = new Set(
    rankings.filter(({ strategy }) => strategy === NAMED)
      .flatMap(({ hits }) => hits.map(({ memory }) => memory)),
  );
  const kept: FusedHit[] = [], dropped: Dropped[] = [];
  const said = new Map<FusedHit, Words>();
  const place = ({ score, memory }: Hit) =>
    score + (hasTrait(options.memories.get(memory)?.type ?? "", "wish") ? RULE_EDGE : 0);
  const rank = ({ memory }: Hit) => {
    const known = options.memories.get(memory);
    return known === undefined ? 0 : rankOf(known);
  };
  const ordered = [...best.values()].sort((a, b) =>
    rank(a.hit) - rank(b.hit) || place(b.hit) - place(a.hit) || a.hit.memory - b.hit.memory
  );
  const bests = bestsOf(
    ordered.filter(({ hit }) => {
      const memory = options.memories.get(hit.memory);
      return memory !== undefined && !options.refused?.has(memory.id) &&
        reasonToWithhold(memory, options) === undefined;
    }),
    options.memories,
  );
  const isSecondOf = secondIn(options.terms ?? []);
  for (const { hit, strategy, isProvisional, isLate } of ordered) {
    const memory = options.memories.get(hit.memory);
    if (memory === undefined) continue; // removed from the index since it was ranked
    const isChanged = options.shown.seen.has(memory.path);
    const top = bests[isOthersWord({ memory }) ? "others" : "own"];
    const fused: FusedHit = {
      memory,
      strategy,
      score: hit.score,
      passage: hit.passage,
      parts: hit.parts,
      isWhole: hit.score >= thresholdOf(memory, options) + marginOf(memory),
      ...(isLate ? { isLate } : {}),
      ...(isChanged ? { isChanged } : {}),
    };
    const isSecond = mayBeSecond(hit.score, thresholdOf(memory, options), top) &&
      isSecondOf(memory, kept);
    const unfit = reasonToDrop(fused, options, isSecond ? SECOND.margin : 0);
    // Behind the hits that fill the block, repeats make no difference; and nothing here takes longer than the words.
    const isAmongFirst = kept.length <= options.config["recall.max_memories"];
    const words = unfit === undefined && isAmongFirst ? wordsOf(memory) : undefined;
    const because = unfit ?? reasonByWords(words, options) ??
      (isProvisional ? reasonToWait(fused, options) : undefined);
    const twin = because === undefined ? twinOf(fused, words, said) : undefined;
    if (because !== undefined || twin !== undefined) {
      dropped.push(droppedFor(because ?? "repeats another", fused));
      continue;
    } else if (
      hit.score < NEAR_BEST * top && !isSecond && !called.has(memory.id) && !saysAsMuch(hit, kept)
    ) {
      dropped.push(droppedFor("far below the best", fused));
      continue;
    }
    kept.push(fused);
    if (words !== undefined) said.set(fused, words);
  }
  return { kept, dropped };
}

/** Whether a hit has all the words of the prompt that the best one has, and is nearly as good: two rules for one thing. */
function saysAsMuch({ score, parts }: Hit, [best]: readonly FusedHit[]): boolean {
  const words = parts?.["lexical"] ?? 0;
  return best !== undefined && words > 0 && words >= (best.parts?.["lexical"] ?? 0) &&
    score >= AS_MUCH * best.score;
}

/** Whether a score needs to be the second thing's to count, and is high enough for it. */
function mayBeSecond(score: number, threshold: number, top: number): boolean {
  return (score < threshold || score < NEAR_BEST * top) &&
    score >= threshold - SECOND.margin && score >= SECOND.share * top;
}

/**
 * The best scores, which the others are held against. What is not the user's word is none for the user's own, and a prompt
 * that is a trigger is none at all: its score means a name, not a similarity.
 */
function bestsOf(
  ordered: readonly { readonly hit: Hit; readonly strategy: string }[],
  memories: ReadonlyMap<number, IndexedMemory>,
): { readonly own: number; readonly others: number } {
  const ranked = ordered.filter(({ strategy }) => strategy !== EXACT_TRIGGER)
    .sort((a, b) => b.hit.score - a.hit.score);
  const own = ranked.find(({ hit }) => {
    const memory = memories.get(hit.memory);
    return memory === undefined || !isOthersWord({ memory });
  });
  return { own: own?.hit.score ?? 0, others: ranked[0]?.hit.score ?? 0 };
}

function droppedFor(
  because: Dropped["because"],
  { memory, score, strategy, parts }: FusedHit,
): Dropped {
  return { memory, score, strategy, parts, because };
}

/** The hit with the same content; of what is not the user's word, also one with nearly the same: one claim. */
function twinOf(
  fused: FusedHit,
  words: Words | undefined,
  said: ReadonlyMap<FusedHit, Words>,
): FusedHit | undefined {
  if (words === undefined) return undefined;
  const isSame = isMarked(fused.memory) ? areNear : saySame;
  for (const [fused, other] of said) if (isSame(other, words)) return fused;
  return undefined;
}

/** Whether a memory is not the user's word: it is marked, or from a repository or a team, and so perhaps from another author. */
export function isOthersWord({ memory }: Pick<FusedHit, "memory">): boolean {
  return isOthers(memory.scope) || isMarked(memory);
}

/** A likely hit is left to the pending LLM call; a sure one is delivered now. */
function reasonToWait(
  { memory, score, isWhole }: FusedHit,
  options: FuseOptions,
): Dropped["because"] | undefined {
  const isSure = isWhole && score >= thresholdOf(memory, options) + SURE_MARGIN;
  return isSure ? undefined : "waits for the language model";
}

function marginOf(memory: IndexedMemory): number {
  return onlyLine(memory) === undefined ? WHOLE_MARGIN : ONE_LINE_MARGIN;
}

/** The minimum score of a memory. */
export function thresholdOf(
  { type }: IndexedMemory,
  { config }: Pick<FuseOptions, "config">,
): number {
  return typeSettings(config, type).threshold;
}

function reasonToDrop(
  { memory, score, isWhole }: FusedHit,
  options: FuseOptions,
  margin: number,
): Dropped["because"] | undefined {
  if (options.refused?.has(memory.id)) return "not for such prompts";
  if (score < thresholdOf(memory, options) - margin) return "below threshold";
  const isFaint = score < thresholdOf(memory, options) + AGAIN_MARGIN &&
    onlyLine(memory) !== undefined;
  const { pointed, listed } = options.shown;
  const isThere = isAsBefore(memory, pointed) || (isFaint && isAsBefore(memory, listed));
  if (!isWhole && isThere) return "seen in this session";
  return reasonToHide(memory, options);
}

/** Why a memory is not given, whatever its score. */
function reasonToHide(
  memory: IndexedMemory,
  { shown, ...options }: FuseOptions,
): Dropped["because"] | undefined {
  if (isAsBefore(memory, shown.seen)) return "seen in this session";
  if (memory.turn !== undefined && shown.turns.has(memory.turn)) {
    return "written from this conversation";
  }
  return reasonToWithhold(memory, options);
}

/** Why a memory is given to nobody; nor do the others have to come up to it. */
function reasonToWithhold(
  memory: IndexedMemory,
  { config, now }: Pick<FuseOptions, "config" | "now">,
): "held back" | "faded" | undefined {
  if (isSuspectMemory(memory)) return "held back";
  const { lifespanDays } = typeSettings(config, memory.type);
  return confidenceNow(memory, lifespanDays, now) < MIN_CONFIDENCE ? "faded" : undefined;
}

/** Whether a memory is not to be given, whatever its score: the model has it, it has faded, or MEMORY.md says it. */
export function isWithheld(memory: IndexedMemory, options: FuseOptions): boolean {
  if (reasonToHide(memory, options) !== undefined) return true;
  const { known = [] } = options;
  return known.length > 0 && isSaidIn(known, wordsOf(memory));
}

function reasonByWords(
  words: Words | undefined,
  { known = [] }: FuseOptions,
): Dropped["because"] | undefined {
  return words !== undefined && isSaidIn(known, words) ? "in MEMORY.md" : undefined;
}
