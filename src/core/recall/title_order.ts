// The order of the titles at session start: which memories of a folder come first, and which stand for others.

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { globsIn, isForFolder } from "../memory/applies.ts";
import { ageInDays, changedAt, changedOn, confidenceNow, passedDay } from "../memory/age.ts";
import { isOthers, type MemoryFolder } from "../memory/memory.ts";
import { isWithin } from "../memory/project.ts";
import { isListable, isMarked } from "../memory/provenance.ts";
import { isPast } from "../relation/standing.ts";
import { MIN_CONFIDENCE, STEP, steppedScore, type Usage, usageOf } from "../ledger/usage.ts";
import { hasTrait, policyOf, TYPES } from "../memory/types.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { nearestFirst } from "./at_work.ts";
import { countOf, MANY, repeatsIn, topicsOf } from "./near_titles.ts";
import { contradictedAmong } from "./overtaken.ts";
import { isSaidIn, type TextWords, wordsOf } from "./repeats.ts";
import { said } from "./title_line.ts";

/** The kinds whose titles are rules or facts to act on, the most binding first; any other kind comes after them. */
const KINDS = TYPES.filter(({ name }) => name !== "*").toSorted((a, b) => a.binding - b.binding)
  .map(({ name }): string => name);
/** Maximum titles of each kind to consider, and of what was said or typed: more than the longest index holds. */
const PER_KIND = 150, SAID_PER_KIND = 400;
/** A tool that more memories were imported from has been imported in bulk: no start could list them. */
const BULK = 150;
/** Maximum titles of a repository and of teams before the user's own. */
const MOST_SHARED = 12;

export interface TitleOptions {
  readonly now: Date;
  /** How often memories were used; default: never. */
  readonly usage?: ReadonlyMap<string, Usage> | undefined;
  /** Lines of Claude Code's own MEMORY.md, which the model has read already. */
  readonly known: readonly TextWords[];
  /** Whether Claude Code has read a memory's text in its rule files. */
  readonly isRead?: ((memory: IndexedMemory) => boolean) | undefined;
  /** Paths of memories that it has a line for. */
  readonly linked?: ReadonlySet<string> | undefined;
  /** Paths of memories that are in the block whole. */
  readonly except: ReadonlySet<string>;
  /** The folders of the memories; without them none is taken for overtaken. */
  readonly folders?: readonly MemoryFolder[];
  /** What the place is about; undefined: nothing is known of it. */
  readonly work?: (() => string) | undefined;
  /** The folder of its project that the session is in; default: the top. */
  readonly folder?: string | undefined;
  /** Lists only these, and does not count the others. */
  readonly isWanted?: ((memory: IndexedMemory) => boolean) | undefined;
}

/** The memories of some corpora in the order of their titles, and how many there are. */
export interface RankedTitles {
  readonly memories: readonly RankedTitle[];
  readonly total: number;
  /** What stands for the memories that were imported in bulk, a line for each tool. */
  readonly imports: readonly string[];
}

/** A memory, and how much a later prompt may need its title without resembling it. */
export interface RankedTitle {
  readonly memory: IndexedMemory;
  readonly tier: Tier;
  /** The day that it looks forward to, if that has passed. */
  readonly due?: string | undefined;
  /** It is a fact from some months ago, which says its day where there is room. */
  readonly isOld?: boolean;
  /** There is an earlier or a later one on the same matter. */
  readonly isDated?: boolean;
  /** It is of the project around the submodule at hand. */
  readonly isAround?: boolean;
}

/** What the order of titles begins with: a later tier is shortened and left out before an earlier one. */
export const TIERS = ["rule", "general", "fact", "imported rule", "imported"] as const;
export type Tier = typeof TIERS[number];

/** The titles of some corpora; each is collected separately, so that a large one does not hide another. */
export async function ranked(
  corpora: readonly Corpus[],
  options: TitleOptions,
): Promise<RankedTitles> {
  const candidates: IndexedMemory[] = [], imports: string[] = [];
  const laterOf = new Map<IndexedMemory, IndexedMemory>();
  let total = 0;
  for (const corpus of corpora) {
    const found = await collect(corpus, options);
    const { folders = [] } = options, compared = folders.length === 0 ? [] : found.candidates;
    const contradicted = await contradictedAmong(compared, { corpus, folders });
    for (const { older, later } of contradicted) laterOf.set(older, later);
    const gone = new Set(
      contradicted.filter(({ kind }) => kind === "overtaken").map(({ older }) => older),
    );
    const current = found.candidates.filter((each) => each.pinned || !gone.has(each));
    const counts = await corpus.imports(), { usage = new Map() } = options;
    const { left = [], inBulk = [] } = Object.groupBy(current, (memory) => {
      const isUnused = tierOf(memory, usageOf(usage, memory.path).used) === "imported";
      return isUnused && counts.get(memory.importedFrom!)! > BULK ? "inBulk" : "left";
    });
    candidates.push(...left);
    total += found.total - (found.candidates.length - left.length);
    if (options.isWanted !== undefined) continue;
    for (const [tool, its] of Map.groupBy(inBulk, ({ importedFrom }) => importedFrom!)) {
      const listed = left.filter(({ importedFrom }) => importedFrom === tool).length;
      const omitted = counts.get(tool)! - listed;
      // Those beyond the newest of each kind were counted as well.
      total = Math.max(candidates.length, total - (omitted - its.length));
      const topics = topicsOf(its.map((memory) => said(memory).saying));
      imports.push(countOf(omitted, topics, ` imported from ${neutraliseLine(tool)}`));
    }
  }
  const work = total > MANY ? options.work?.() : undefined;
  const titles = rankTitles(candidates, { ...options, work });
  const around = (options.folders ?? []).filter(({ isAround }) => isAround);
  const memories = laterFirst(titles, laterOf).map((title) =>
    around.some(({ path }) => isWithin(title.memory.path, path))
      ? { ...title, isAround: true }
      : title
  );
  return { memories, total, imports };
}

/** Titles of which none stands above a later one on the same matter, and which say their days where these differ. */
function laterFirst(
  titles: readonly RankedTitle[],
  laterOf: ReadonlyMap<IndexedMemory, IndexedMemory>,
): RankedTitle[] {
  const titleOf = new Map(titles.map((title) => [title.memory, title]));
  const pairs = [...laterOf].filter((pair) => pair.every((memory) => titleOf.has(memory)));
  const dated = new Set(pairs.filter((pair) => new Set(pair.map(changedOn)).size > 1).flat());
  const placed = new Map<IndexedMemory, RankedTitle>();
  const place = (title: RankedTitle): void => {
    const { memory, tier } = title, later = titleOf.get(laterOf.get(memory)!);
    const mayLead = later !== undefined && !placed.has(later.memory) && !isPast(later.memory);
    if (mayLead) place({ ...later, tier });
    placed.set(memory, dated.has(memory) ? { ...title, isDated: true } : title);
  };
  for (const title of titles) if (!placed.has(title.memory)) place(title);
  return [...placed.values()];
}

/** The same without some of them. */
export function without(ranked: RankedTitles, others: readonly IndexedMemory[]): RankedTitles {
  const paths = new Set(others.map(({ path }) => path));
  const memories = ranked.memories.filter(({ memory }) => !paths.has(memory.path));
  return { ...ranked, memories, total: ranked.total - (ranked.memories.length - memories.length) };
}

/**
 * Titles in order of priority: pinned first; rules, facts and what was imported and never used; within these what says
 * something new, by use, by kind, by confidence, and at last by time of change. Where the place's work decides, every
 * other title is the nearest to it.
 */
export function rankTitles(
  memories: readonly IndexedMemory[],
  { now, usage = new Map(), folder = "", work }: Pick<TitleOptions, "now" | "usage" | "folder"> & {
    work?: string | undefined;
  },
): RankedTitle[] {
  const keyed = memories.map((memory) => {
    const { used } = usageOf(usage, memory.path);
    return {
      memory,
      tier: tierOf(memory, used),
      kind: policyOf(memory.type).binding,
      uses: used - used % STEP,
      score: steppedScore(memory, { now, used }),
    };
  });
  const sorted = keyed.sort((a, b) =>
    Number(b.memory.pinned) - Number(a.memory.pinned) ||
    TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) ||
    b.uses - a.uses || a.kind - b.kind || b.score - a.score ||
    changedAt(b.memory) - changedAt(a.memory) ||
    (a.memory.path < b.memory.path ? -1 : 1)
  );
  // What repeats another comes after all that does not, in its tier; then titles of others beyond their share, and at
  // last those that the code has left behind.
  const repeats = repeatsIn(sorted.map(({ memory }) => said(memory).saying));
  const shared = new Set(
    sorted.filter(({ memory }) => isOthers(memory.scope)).slice(MOST_SHARED),
  );
  const place = (title: typeof sorted[number], i: number) =>
    Number(isPast(title.memory)) * 200 + Number(shared.has(title)) * 100 +
    TIERS.indexOf(title.tier) * 10 +
    (isScoped(title.memory, folder) ? ELSEWHERE : 0) +
    (title.memory.pinned ? -1000 : Number(repeats.has(i)));
  const places = new Map(sorted.map((title, i) => [title, place(title, i)]));
  const inOrder = sorted.toSorted((a, b) => places.get(a)! - places.get(b)!);
  const own = inOrder.filter((title) => OWN.has(places.get(title)!));
  const order = work === undefined ? inOrder : [
    ...inOrder.filter((title) => places.get(title)! < 0),
    ...byTurns(own, work),
    ...inOrder.filter((title) => places.get(title)! > 0 && !own.includes(title)),
  ];
  return order.map(({ memory, tier }) => ({
    ...{ memory, tier, due: passedDay(memory, now) },
    isOld: isOldFact(memory, now),
  }));
}

/** What a person wants does not age as a fact does. */
const OLD_DAYS = 60;

function isOldFact(memory: IndexedMemory, now: Date): boolean {
  return !hasTrait(memory.type, "wish") && ageInDays(memory, now) > OLD_DAYS;
}

/** How far behind the others of their tier stand those that are for another folder. */
const ELSEWHERE = 5;

/** Whether a memory is for some files, and not for the folder at hand. */
function isScoped({ body }: IndexedMemory, folder: string): boolean {
  const globs = globsIn(body);
  return globs.length > 0 && isForFolder(globs, folder) !== true;
}

/** The places of what is neither pinned nor imported, repeats nothing, and is not past or beyond its share. */
const OWN: ReadonlySet<number> = new Set([0, 10, 20]);

/** Titles that take turns: the next in their order, and the next that is nearest to the work, whatever its tier. */
function byTurns<T extends Pick<RankedTitle, "memory" | "tier">>(
  titles: readonly T[],
  work: string,
) {
  const nearest = nearestFirst(titles, work, ({ memory }) => said(memory).saying);
  return [...new Set(titles.flatMap((title, i) => [title, nearest[i]!]))]
    .map((title): T => ({ ...title, tier: "rule" }));
}

function tierOf(memory: IndexedMemory, used: number): Tier {
  if (memory.pinned) return "rule";
  const { binds } = said(memory);
  if (memory.importedFrom !== undefined && used === 0) {
    return binds === 2 || hasTrait(memory.type, "wish") ? "imported rule" : "imported";
  }
  if (isMarked(memory)) return "fact"; // nobody has said it: it obliges to nothing
  if (binds === 2 || hasTrait(memory.type, "rule")) return "rule";
  return binds === 1 ? "general" : "fact";
}

async function collect(
  corpus: Corpus,
  { now, known, isRead, linked, except, isWanted }: TitleOptions,
): Promise<{ candidates: IndexedMemory[]; total: number }> {
  const candidates: IndexedMemory[] = [];
  let total = 0;
  for (const filter of [...KINDS.map((kind) => ({ types: [kind] })), OTHERS]) {
    const kind = corpus.of(filter);
    const newest = await kind.newest(PER_KIND);
    const isAll = newest.length < PER_KIND;
    const typed = isAll ? [] : await kind.newest(SAID_PER_KIND, { isSaid: true });
    const found = [...new Map([...typed, ...newest].map((each) => [each.id, each])).values()];
    const allowed = found.filter((memory) =>
      !except.has(memory.path) && !linked?.has(memory.path) &&
      (memory.pinned || isListable(memory)) &&
      confidenceNow(memory, policyOf(memory.type).lifespanDays, now) >= MIN_CONFIDENCE &&
      !(known.length > 0 && isSaidIn(known, wordsOf(memory))) && !isRead?.(memory) &&
      (isWanted?.(memory) ?? true)
    );
    candidates.push(...allowed);
    const beyond = isAll || isWanted !== undefined ? 0 : await kind.size() - found.length;
    total += allowed.length + beyond;
  }
  return { candidates, total };
}

/** The types without a position of their own in the order. */
const OTHERS = { types: KINDS, except: true };
