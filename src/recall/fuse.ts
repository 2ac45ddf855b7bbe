import { type Config, typeSettings } from "../settings/config.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import type { Hit } from "../../strategies/strategy.ts";
import { confidenceNow } from "../memory/age.ts";
import { isSaidIn, saySame, type Words, wordsOf } from "./repeats.ts";
import type { Ranking } from "./retrieve.ts";

/** A memory that may go into the block. */
export interface Candidate {
  readonly memory: IndexedMemory;
  readonly score: number;
  readonly strategy: string;
  readonly passage: Hit["passage"];
  readonly parts: Hit["parts"];
}

/** A memory that was found and left out. */
export interface Dropped {
  readonly memory: IndexedMemory;
  readonly score: number;
  readonly strategy: string;
  readonly because:
    | "below threshold"
    | "waits for the language model"
    | "seen in this session"
    | "faded"
    | "repeats another"
    | "in MEMORY.md"
    | "no room";
}

export interface FuseOptions {
  readonly config: Config;
  readonly now: Date;
  /** Paths that this session was already shown. */
  readonly seen: ReadonlySet<string>;
  /** Memories by id, for every hit. */
  readonly memories: ReadonlyMap<number, IndexedMemory>;
  /** Lines that the model has read already, of Claude Code's own MEMORY.md. */
  readonly known?: readonly Words[];
}

/** How far above its type's threshold a score is sure. */
const SURE_MARGIN = 0.1;
/** Minimum confidence for recall; search still finds memories below it. */
export const MIN_CONFIDENCE = 0.3;

/**
 * Joins the lists of all strategies into one, best score first (scores are on one scale), each memory once,
 * and drops what is below its type's threshold, was shown before, has faded, or says what the model knows already.
 */
export function fuse(
  rankings: readonly Ranking[],
  options: FuseOptions,
): { kept: Candidate[]; dropped: Dropped[] } {
  const best = new Map<number, { hit: Hit; strategy: string; isProvisional: boolean }>();
  for (const { strategy, hits, isProvisional = false } of rankings) {
    for (const hit of hits) {
      const known = best.get(hit.memory);
      if (known === undefined || hit.score > known.hit.score) {
        best.set(hit.memory, { hit, strategy, isProvisional });
      }
    }
  }
  const kept: Candidate[] = [], dropped: Dropped[] = [];
  const said: Words[] = [];
  const ordered = [...best.values()].sort((a, b) =>
    b.hit.score - a.hit.score || a.hit.memory - b.hit.memory
  );
  for (const { hit, strategy, isProvisional } of ordered) {
    const memory = options.memories.get(hit.memory);
    if (memory === undefined) continue; // gone from the index since it was ranked
    // Behind what fills the block anyway it makes no difference what repeats what.
    const isAmongFirst = kept.length <= options.config["recall.max_memories"];
    const because = reasonToDrop(memory, hit.score, options) ??
      (isProvisional ? reasonToWait(memory, hit.score, options) : undefined) ??
      (isAmongFirst ? repeats(memory, said, options.known ?? []) : undefined);
    if (because !== undefined) dropped.push({ memory, score: hit.score, strategy, because });
    else kept.push({ memory, score: hit.score, strategy, passage: hit.passage, parts: hit.parts });
  }
  return { kept, dropped };
}

/** Notes what a memory says in `said`, unless it says nothing new. */
function repeats(
  memory: IndexedMemory,
  said: Words[],
  known: readonly Words[],
): Dropped["because"] | undefined {
  const words = wordsOf(memory);
  if (isSaidIn(known, words)) return "in MEMORY.md";
  if (said.some((other) => saySame(other, words))) return "repeats another";
  said.push(words);
  return undefined;
}

/** A likely hit is left to the language model that is being asked; a sure one need not wait. */
function reasonToWait(
  { type }: IndexedMemory,
  score: number,
  { config }: FuseOptions,
): Dropped["because"] | undefined {
  const sure = typeSettings(config, type).threshold + SURE_MARGIN;
  return score < sure ? "waits for the language model" : undefined;
}

function reasonToDrop(
  memory: IndexedMemory,
  score: number,
  { config, now, seen }: FuseOptions,
): Dropped["because"] | undefined {
  const { threshold, lifespanDays } = typeSettings(config, memory.type);
  if (score < threshold) return "below threshold";
  if (seen.has(memory.path)) return "seen in this session";
  if (confidenceNow(memory, lifespanDays, now) < MIN_CONFIDENCE) return "faded";
  return undefined;
}
