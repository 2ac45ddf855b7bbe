import { type Config, typeSettings } from "../settings/config.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import { isMarked, isSuspectMemory, rankOf } from "../memory/provenance.ts";
import { isOthers } from "../memory/memory.ts";
import type { Hit } from "../../../strategies/strategy.ts";
import { confidenceNow } from "../memory/age.ts";
import { MIN_CONFIDENCE } from "../ledger/usage.ts";
import { adjusted, FEW, isEnoughFor, MOST, NEAR_BEST, type RecallForm } from "./adjust.ts";
import { isForHere, type Whereabouts } from "./at_work.ts";
import { EXACT_TRIGGER, NAMED } from "./exact_triggers.ts";
import { areNear, hasSameWords, isSaidIn, type TextWords, wordsOf } from "./repeats.ts";
import type { DropReason } from "./receipts.ts";
import type { Ranking } from "./retrieve.ts";
import { secondIn } from "./second.ts";
import { isAsBefore, type Shown } from "./shown.ts";
import { onlyLine } from "./title_line.ts";
import { MANY } from "./near_titles.ts";

/** A memory that may go into the block. */
export interface FusedHit {
  readonly memory: IndexedMemory;
  readonly score: number;
  readonly strategy: string;
  readonly passage: Hit["passage"];
  readonly parts: Hit["parts"];
  readonly sum?: Hit["sum"];
  /** It is given with its text; any other as a line. */
  readonly isWhole: boolean;
  /** It is likely, not sure: its title alone is given. */
  readonly isTitle?: true;
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
export interface DroppedHit {
  readonly memory: IndexedMemory;
  readonly score: number;
  readonly strategy: string;
  readonly parts: Hit["parts"];
  readonly sum?: Hit["sum"];
  readonly because: DropReason;
  /** The name of the memory that has overtaken it. */
  readonly by?: string;
}

/** Hits, and what was dropped. */
export interface Fused {
  readonly hits: readonly FusedHit[];
  readonly dropped: readonly DroppedHit[];
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
  readonly known?: readonly TextWords[];
  /** Where the prompt is given. */
  readonly where?: Whereabouts | undefined;
  /** Terms of the prompt. */
  readonly terms?: readonly string[];
  /** Memories that apply; default: as many as a start can list. */
  readonly size?: number;
}

/**
 * Merges the lists of all strategies into one, the user's own word first (`BASES`), then by score (scores are on one
 * scale), each memory once, and drops those below their type's threshold or far below the best, shown before, held back,
 * faded, or known to the model already. Where no text comes, or none that is certain in a large store, titles end it.
 */
export function fuse(
  rankings: readonly Ranking[],
  options: FuseOptions,
): Fused {
  const ordered = bestOfEach(rankings, options);
  const tops = topScores(ordered, options);
  const called = new Set(
    rankings.filter(({ strategy }) => strategy === NAMED)
      .flatMap(({ hits }) => hits.map(({ memory }) => memory)),
  );
  const kept: FusedHit[] = [], dropped: DroppedHit[] = [];
  const said = new Map<FusedHit, TextWords>();
  const isSecondOf = secondIn(options.terms ?? []);
  for (const { isProvisional, ...ranked } of ordered) {
    const top = tops[isThirdParty(ranked) ? "others" : "own"];
    const isLow = !isEnoughFor("text", ranked, options) || ranked.score < NEAR_BEST * top;
    const isSecond = isLow && isEnoughFor("second", ranked, options) &&
      isSecondOf(ranked.memory, kept);
    const hit = isSecond ? { ...ranked, isWhole: false } : ranked;
    // Behind the hits that fill the block, repeats make no difference; and nothing here takes longer than the words.
    const isAmongFirst = kept.length <= options.config["recall.max_memories"];
    const unfit = reasonToDrop(hit, options, isSecond ? "second" : "text");
    const words = unfit === undefined && isAmongFirst ? wordsOf(hit.memory) : undefined;
    const isClear = hit.isWhole && isEnoughFor("clear", hit, options);
    const isFit = called.has(hit.memory.id) || isSecond || hit.score >= NEAR_BEST * top;
    const because = unfit ??
      (words !== undefined && isSaidIn(options.known ?? [], words) ? "in MEMORY.md" : undefined) ??
      (isProvisional && !isClear ? "waits for the language model" : undefined) ??
      (hasTwin(hit, words, said) ? "repeats another" : undefined) ??
      (isFit ? undefined : "far below the best");
    if (because !== undefined) dropped.push(droppedFor(because, hit));
    else {
      kept.push(hit);
      if (words !== undefined) said.set(hit, words);
    }
  }
  const isForNow = rankings.every(({ isProvisional, isLate }) => !isProvisional && !isLate);
  const titles = isForNow ? titlesAmong(dropped, kept, options) : [];
  const isTitled = new Set(titles.map(({ memory }) => memory.id));
  return {
    hits: [...kept, ...titles],
    dropped: dropped.filter(({ memory }) => !isTitled.has(memory.id)),
  };
}

/** A hit, and whether a language model ranks the same memories, and has not answered yet. */
type ProvisionalHit = FusedHit & { readonly isProvisional: boolean };

/** The best hit of each memory, in the order in which they come. */
function bestOfEach(rankings: readonly Ranking[], options: FuseOptions): ProvisionalHit[] {
  const { memories, shown, where } = options;
  const best = new Map<number, ProvisionalHit>();
  for (const { strategy, hits, isProvisional = false, isLate } of rankings) {
    for (const { memory: id, passage, parts, ...ranked } of hits) {
      const memory = memories.get(id), known = best.get(id);
      if (memory === undefined) continue; // it was removed from the index since it was ranked
      const isHere = where === undefined ? undefined : isForHere(memory, where);
      const { score, sum } = isHere === undefined
        ? ranked
        : adjusted(ranked, isHere ? "for these files" : "for other files");
      if (known !== undefined && known.score >= score) continue;
      const isCertain = isEnoughFor("certain", { memory, score }, options);
      best.set(id, {
        ...{ memory, strategy, score, passage, parts, sum, isProvisional },
        isWhole: onlyLine(memory) === undefined || isCertain,
        ...isLate && { isLate },
        ...shown.seen.has(memory.path) && { isChanged: true },
      });
    }
  }
  return [...best.values()].sort((a, b) =>
    rankOf(a.memory) - rankOf(b.memory) || b.score - a.score || a.memory.id - b.memory.id
  );
}

/**
 * The best scores, which the others are held against. What is not the user's word is none for the user's own, and a prompt
 * that is a trigger is none at all: its score means a name, not a similarity.
 */
function topScores(
  hits: readonly FusedHit[],
  options: FuseOptions,
): { readonly own: number; readonly others: number } {
  const fit = hits.filter(({ memory, strategy }) =>
    strategy !== EXACT_TRIGGER && !options.refused?.has(memory.id) &&
    reasonToWithhold(memory, options) === undefined
  );
  const best = (some: readonly FusedHit[]) => Math.max(0, ...some.map(({ score }) => score));
  return { own: best(fit.filter((hit) => !isThirdParty(hit))), others: best(fit) };
}

/** A hit that is dropped. */
export function droppedFor(
  because: DroppedHit["because"],
  { memory, score, strategy, parts, sum }: FusedHit,
): DroppedHit {
  return { memory, score, strategy, parts, sum, because };
}

/** Whether a kept hit has the same content; of what is not the user's word, also one with nearly the same: one claim. */
function hasTwin(
  { memory }: FusedHit,
  words: TextWords | undefined,
  said: ReadonlyMap<FusedHit, TextWords>,
): boolean {
  const isSame = isMarked(memory) ? areNear : hasSameWords;
  return words !== undefined && said.values().some((other) => isSame(other, words));
}

/**
 * The best of what was dropped for its score alone, and has no title in this conversation yet: a title often is the rule
 * itself, and costs a fraction of a text.
 */
function titlesAmong(
  dropped: readonly DroppedHit[],
  kept: readonly FusedHit[],
  options: FuseOptions,
): FusedHit[] {
  const { shown, config, size = MANY } = options;
  const isOfMany = size > MANY && shown.pointed.size < MOST.titlesOfSession;
  const isEnough = (hit: FusedHit) => !isOfMany || isEnoughFor("certain", hit, options);
  if (kept.some(isEnough)) return [];
  const form = isOfMany || size <= FEW ? "anyTitle" : "title";
  const low = dropped.map((hit) =>
    hit.memory.importedFrom === undefined ? hit : adjusted(hit, "imported")
  ).toSorted((a, b) => b.score - a.score || a.memory.id - b.memory.id);
  const nearBest = isOfMany ? 0 : NEAR_BEST * (low[0]?.score ?? 0);
  const near = low.filter((hit) =>
    (hit.because === "below threshold" || (isOfMany && hit.because === "far below the best")) &&
    isEnoughFor(form, hit, options) && hit.score >= nearBest && !isMarked(hit.memory) &&
    !isAsBefore(hit.memory, shown.listed) && !isAsBefore(hit.memory, shown.pointed)
  );
  const most = isOfMany ? config["recall.max_memories"] - kept.length : MOST.titles;
  return near.values().filter(({ memory }) => !isWithheld(memory, options)).take(most)
    .map(({ memory, score, strategy, parts, sum }): FusedHit => ({
      ...{ memory, score, strategy, parts, sum, passage: undefined },
      ...{ isWhole: false, isTitle: true },
    })).toArray();
}

/** Whether a memory is not the user's word: it is marked, or from a repository or a team, and so perhaps from another author. */
export function isThirdParty({ memory }: Pick<FusedHit, "memory">): boolean {
  return isOthers(memory.scope) || isMarked(memory);
}

function reasonToDrop(
  hit: FusedHit,
  options: FuseOptions,
  form: RecallForm,
): DroppedHit["because"] | undefined {
  const { memory, isWhole } = hit;
  if (options.refused?.has(memory.id)) return "not for such prompts";
  if (!isEnoughFor(form, hit, options)) return "below threshold";
  const { pointed, listed } = options.shown;
  const isThere = isAsBefore(memory, pointed) ||
    (!isEnoughFor("clear", hit, options) && isAsBefore(memory, listed));
  if (!isWhole && isThere) return "seen in this session";
  return reasonToHide(memory, options);
}

/** Why a memory is not given, whatever its score. */
function reasonToHide(
  memory: IndexedMemory,
  { shown, ...options }: FuseOptions,
): DroppedHit["because"] | undefined {
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
