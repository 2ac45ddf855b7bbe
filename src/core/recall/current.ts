// Of two notes about the same matter the later one comes first, and whoever finds the older one gets the later one too;
// but of two things that a number or a name tells apart the prompt says which is meant.
// One that it has overtaken by its words is not given beside it, but named with the day until which it held; one that
// says otherwise is named as well, because half of a contradiction is worse than none.

import { dot } from "../embed/mod.ts";
import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { changedAt } from "../memory/age.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { contradicting, CUTOFFS, isSaidAgainst, nameOf } from "../relation/relate.ts";
import { analyze } from "../text/analyze.ts";
import { contentTerms } from "../text/language/stopwords.ts";
import { remembering } from "../text/remembered.ts";
import {
  droppedFor,
  type DroppedHit,
  type Fused,
  type FusedHit,
  type FuseOptions,
  isWithheld,
} from "./fuse.ts";
import { isLater, type Relations, relationsAmong } from "./overtaken.ts";
import { isSibling } from "./siblings.ts";
import { onlyLine } from "./title_line.ts";
import { successorOf } from "./successor.ts";

/** The best hits that did not come by themselves, and are looked at. */
const LOOKED_AT = 12;

/** Why those were dropped; one whose title alone the model has seen comes again beside what it replaces. */
const MAY_FOLLOW: readonly DroppedHit["because"][] = [
  "below threshold",
  "far below the best",
  "seen in this session",
];

/** The strategy name in receipts of what comes for the sake of an older memory. */
const LATER = "successor";

/** Whether a hit has come for the sake of an older one, which it stands before. */
export function isSuccessor({ strategy }: Pick<FusedHit, "strategy">): boolean {
  return strategy === LATER;
}

export interface CurrentOptions extends FuseOptions {
  readonly corpus: Corpus;
  /** Hits that may come into the block. */
  readonly most: number;
  readonly folders: readonly MemoryFolder[];
}

type OrderOptions = CurrentOptions & {
  readonly relations: Relations;
  readonly cosineOf: ReturnType<typeof cosinesOf>;
};

type FoundHit = Pick<FusedHit, "memory" | "score" | "parts"> & Partial<FusedHit>;

/** What comes before a hit; `isMeant`: by its meaning alone, as a line. */
type Later = FoundHit & { readonly isMeant?: boolean };

/**
 * The hits, each after the later ones on the same matter, and what is dropped for their sake: what is out of date must
 * neither lead nor stand alone.
 */
export async function withCurrent(
  { hits, dropped }: Fused,
  options: CurrentOptions,
): Promise<Fused> {
  const { most, refused } = options;
  const low = dropped.filter(({ because }) => MAY_FOLLOW.includes(because)).slice(0, LOOKED_AT)
    .filter(({ memory }) => !isWithheld(memory, options))
    .map(({ memory, score, parts }) => ({ memory, score, parts }));
  const found = hits.slice(0, most + LOOKED_AT).filter((hit) => !isSibling(hit));
  const known: readonly FoundHit[] = [...found, ...low];
  const pool: readonly FoundHit[] = [...known, ...await saidAgainst(known, options)];
  const relations = await relationsAmong(pool.map(({ memory }) => memory), options);
  const looking: OrderOptions = { ...options, relations, cosineOf: cosinesOf(options.corpus) };
  const given = new Set<number>(refused), lines = new Set<number>();
  const all: FusedHit[] = [];
  const place = async (hit: FusedHit, find: typeof findSuccessors): Promise<void> => {
    if (given.has(hit.memory.id)) return;
    given.add(hit.memory.id);
    const later = await find(hit, pool, looking);
    for (const { isMeant, ...one } of later) {
      const { passage, strategy = LATER } = one;
      const isWhole = one.isWhole === true || (isMeant !== true && hit.isWhole);
      const score = Math.max(one.score, hit.score);
      await place({ ...one, passage, strategy, score, isWhole, isDated: true }, overtaking);
    }
    // Texts come before lines: what a line perhaps corrects is one, too.
    const isWhole = hit.isWhole && later.every(({ memory }) => !lines.has(memory.id));
    if (!isWhole) lines.add(hit.memory.id);
    all.push(later.length === 0 ? hit : { ...hit, isWhole, isDated: true });
  };
  for (const [rank, hit] of hits.entries()) {
    await place(hit, rank < most && !isSibling(hit) ? findSuccessors : () => Promise.resolve([]));
  }
  return await settled(all, pool, looking);
}

/** Memories that a model has said to contradict some, which no score has found: mostly none. */
async function saidAgainst(
  known: readonly FoundHit[],
  options: CurrentOptions,
): Promise<FoundHit[]> {
  const { corpus } = options;
  const words = await corpus.words(analyze(contradicting("")), LOOKED_AT);
  const memories = await corpus.memories(words.map(({ memory }) => memory));
  return memories.filter((memory) =>
    !known.some((each) => each.memory.id === memory.id) && !isWithheld(memory, options) &&
    known.some((each) => isSaidAgainst(memory, each.memory))
  ).map((memory) => ({ memory, score: 0, parts: {} }));
}

/** The hits without those that another has overtaken, each with what it stands against. */
async function settled(
  hits: readonly FusedHit[],
  pool: readonly FoundHit[],
  options: OrderOptions,
): Promise<Fused> {
  const dropped = new Map<number, DroppedHit>();
  const all: FusedHit[] = [];
  for (const [rank, hit] of hits.entries()) {
    if (rank >= options.most || isSibling(hit)) {
      all.push(hit);
      continue;
    }
    const overtakes: IndexedMemory[] = [], rivals: IndexedMemory[] = [];
    for (const { memory } of pool) {
      const { relations } = options;
      const kind = relations.conflict(memory, hit.memory);
      if (kind === undefined && relations.isDisputed(hit.memory, memory)) rivals.push(memory);
      if (kind === undefined || await relations.areOfOneSession(memory, hit.memory)) continue;
      if (kind === "rivals") rivals.push(memory);
      const old = hits.find((each) => each.memory.id === memory.id);
      if (kind === "rivals" || old === undefined || dropped.has(memory.id)) continue;
      dropped.set(memory.id, { ...droppedFor("overtaken", old), by: hit.memory.name });
      overtakes.push(memory);
    }
    all.push(
      overtakes.length + rivals.length === 0 ? hit : { ...hit, isDated: true, overtakes, rivals },
    );
  }
  return {
    hits: all.filter(({ memory }) => !dropped.has(memory.id)),
    dropped: [...dropped.values()],
  };
}

/** What has overtaken a hit by its words, or was said to contradict it. */
async function overtaking(
  { memory }: FusedHit,
  pool: readonly FoundHit[],
  { relations }: OrderOptions,
): Promise<readonly FoundHit[]> {
  const found: FoundHit[] = [];
  for (const one of pool) {
    const kind = relations.conflict(memory, one.memory);
    const saysSo = kind === "overtaken" ||
      (kind !== undefined && isSaidAgainst(one.memory, memory));
    if (saysSo && !await relations.areOfOneSession(one.memory, memory)) found.push(one);
  }
  return found;
}

/** Later memories on the matter of one, newest first. */
async function findSuccessors(
  hit: FusedHit,
  pool: readonly FoundHit[],
  options: OrderOptions,
): Promise<readonly Later[]> {
  const { relations, terms } = options;
  const certain = await overtaking(hit, pool, options);
  const later: Later[] = [...certain];
  const areTwo = (memory: IndexedMemory) =>
    isNamed(hit.memory, memory, terms) || relations.areTwo(hit.memory, memory);
  for (const one of pool) {
    if (certain.some(({ memory }) => memory === one.memory)) continue;
    if (!isLater(one.memory, hit.memory) || areTwo(one.memory)) continue;
    const matter = await sameMatter(hit, one, options);
    if (matter === undefined || await relations.areOfOneSession(one.memory, hit.memory)) continue;
    later.push({ ...one, isMeant: matter === "meant" });
  }
  later.sort((a, b) => changedAt(b.memory) - changedAt(a.memory));
  if (later.some(({ isMeant }) => isMeant !== true)) return later;
  const successor = await successorOf(hit.memory, options);
  if (successor === undefined || isWithheld(successor, options) || areTwo(successor)) return later;
  const { score, parts } = hit;
  const others = later.filter(({ memory }) => memory.id !== successor.id);
  return [{ memory: successor, score, parts }, ...others];
}

/** Whether a prompt names the one of two things, by the word that tells them apart, and not the other. */
function isNamed(
  one: IndexedMemory,
  other: IndexedMemory,
  prompt: readonly string[] = [],
): boolean {
  const isIn = (names: ReadonlySet<string>) => prompt.some((term) => names.has(term));
  return isIn(nameOf(one, other)) && !isIn(nameOf(other, one));
}

/**
 * Whether two hits are on one matter as a prompt asks for both: the later one has nearly as much of its words as the older
 * one has, or, much alike, scores nearly as much ("refresh tokens" are not what was asked of session tokens). Of two notes
 * of a line each the later one may correct the older one in other words.
 */
async function sameMatter(
  older: FoundHit,
  later: FoundHit,
  { cosineOf }: OrderOptions,
): Promise<"asked" | "meant" | undefined> {
  const { near, alike, meant, words, terms, score } = CUTOFFS.asked;
  const asked = (found: FoundHit) => found.parts?.["lexical"] ?? 0;
  const isAsked = asked(later) > 0 && asked(later) >= terms * asked(older);
  const isGood = later.score >= score * older.score;
  const areLines = [older, later].every(({ memory }) => onlyLine(memory) !== undefined);
  if (!isAsked && !isGood && !areLines) return undefined;
  const [a, b] = [leadTerms(older.memory), leadTerms(later.memory)];
  const shared = a.intersection(b).size / Math.max(1, Math.min(a.size, b.size));
  if (isAsked && shared >= words) return "asked";
  const cosine = await cosineOf(older.memory, later.memory);
  if ((isAsked && shared > 0 && cosine >= near) || (isGood && cosine >= alike)) return "asked";
  return areLines && cosine >= meant ? "meant" : undefined;
}

/** The content words of a memory's title and of its first paragraph. */
const leadTerms = remembering(({ name, body }: IndexedMemory) =>
  contentTerms(`${name}\n${body.split(/\n\s*\n/, 1)[0]}`)
);

/** Compares memories by their vectors, each of which is read once. */
function cosinesOf(corpus: Corpus) {
  const vectorOf = remembering(({ id }: IndexedMemory) => corpus.vectorOf(id));
  return async (a: IndexedMemory, b: IndexedMemory) => {
    const [one, other] = [await vectorOf(a), await vectorOf(b)];
    return one === undefined || other === undefined ? 0 : dot(one, other);
  };
}
