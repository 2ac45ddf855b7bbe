// The standing index: one line per memory, rules first. A title is the rule or fact itself, so the model can act on
// one that no similarity to a prompt would retrieve ("never force-push").

import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { changedAt, changedOn, confidenceNow } from "../memory/age.ts";
import { mayStand } from "../memory/provenance.ts";
import { type Usage, usageOf } from "../memory/usage.ts";
import { MIN_CONFIDENCE, steadyWorth } from "../memory/worth.ts";
import { policyOf } from "../memory/types.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { isSaidIn, type Words, wordsOf } from "./repeats.ts";

/** The kinds whose titles are rules or facts to act on, the most binding first; any other kind comes after them. */
const KINDS: readonly string[] = [
  "user",
  "feedback",
  "decision",
  "pattern",
  "gotcha",
  "architecture",
  "project",
  "tool",
  "reference",
  "progress",
  "context",
];
/** Maximum titles of each kind to consider: more than the longest index holds. */
const PER_KIND = 150;
/** Maximum titles of a repository before the user's own. */
const MOST_SHARED = 12;
const NAME_CHARS = 120;
const DESCRIPTION_CHARS = 160;

export interface TitlesOptions {
  readonly now: Date;
  /** How often memories were used; default: never. */
  readonly usage?: ReadonlyMap<string, Usage> | undefined;
  /** Lines of Claude Code's own MEMORY.md, which the model has read already. */
  readonly known: readonly Words[];
  /** Paths of memories that it has a line for. */
  readonly linked?: ReadonlySet<string> | undefined;
  /** Paths of memories that are in the block whole. */
  readonly except: ReadonlySet<string>;
  /** Lists only these, and does not count the others. */
  readonly isWanted?: ((memory: IndexedMemory) => boolean) | undefined;
  /** Maximum characters of the index. */
  readonly room: number;
}

/** The standing index, within its room. */
export interface Titles {
  /** The lines under their headings, ready for the block; the count alone when no title fits. */
  readonly text: string;
  /** Memories with a title in it. */
  readonly listed: readonly IndexedMemory[];
  /** Memories left out for lack of room. */
  readonly omitted: number;
}

/**
 * The titles of some corpora, the most binding first: as many as fit, then as many descriptions as fit.
 * Each corpus is collected separately, so that a large one does not hide another.
 */
export async function titlesOf(
  corpora: readonly Corpus[],
  options: TitlesOptions,
): Promise<Titles> {
  const candidates: IndexedMemory[] = [];
  let total = 0;
  for (const corpus of corpora) {
    const found = await collect(corpus, options);
    candidates.push(...found.candidates);
    total += found.total;
  }
  const ranked = rankTitles(candidates, options.now, options.usage);
  const overBy = (count: number) =>
    render(ranked.slice(0, count), total - count).length - options.room;
  let listed = ranked.length;
  for (let over: number; listed > 0 && (over = overBy(listed)) > 0;) {
    // Each round drops about the number that exceeds the room; the last few are dropped one by one.
    listed -= Math.max(1, Math.floor(over / (NAME_CHARS + 4)));
  }
  if (listed === 0) {
    const count = total === 0 ? "" : render([], total);
    return { text: count.length <= options.room ? count : "", listed: [], omitted: total };
  }
  const chosen = ranked.slice(0, listed);
  const explained = explain(chosen, total - listed, options.room);
  return {
    text: render(chosen, total - listed, explained),
    listed: chosen,
    omitted: total - listed,
  };
}

/** Titles in order of priority: pinned first, then by kind, confidence and use, and time of change. */
export function rankTitles(
  memories: readonly IndexedMemory[],
  now: Date,
  usage: ReadonlyMap<string, Usage> = new Map(),
): IndexedMemory[] {
  const keyed = memories.map((memory) => ({
    memory,
    kind: kindOf(memory.type),
    worth: steadyWorth(memory, { now, used: usageOf(usage, memory.path).used }),
  }));
  const ranked = keyed.sort((a, b) =>
    Number(b.memory.pinned) - Number(a.memory.pinned) || a.kind - b.kind ||
    b.worth - a.worth || changedAt(b.memory) - changedAt(a.memory) ||
    (a.memory.path < b.memory.path ? -1 : 1)
  ).map(({ memory }) => memory);
  // Titles of a repository beyond their share come after all others, whatever their declared type.
  const shared = ranked.filter(({ scope }) => scope === "shared");
  const late = new Set(shared.slice(MOST_SHARED));
  return [...ranked.filter((memory) => !late.has(memory)), ...late];
}

async function collect(
  corpus: Corpus,
  { now, known, linked, except, isWanted }: TitlesOptions,
): Promise<{ candidates: IndexedMemory[]; total: number }> {
  const candidates: IndexedMemory[] = [];
  let total = 0;
  for (const filter of [...KINDS.map((kind) => ({ types: [kind] })), OTHERS]) {
    const kind = corpus.of(filter);
    const newest = await kind.newest(PER_KIND);
    const standing = newest.filter((memory) =>
      !except.has(memory.path) && !linked?.has(memory.path) &&
      (memory.pinned || mayStand(memory)) &&
      confidenceIn(memory, now) >= MIN_CONFIDENCE &&
      !(known.length > 0 && isSaidIn(known, wordsOf(memory))) && (isWanted?.(memory) ?? true)
    );
    candidates.push(...standing);
    const isAll = newest.length < PER_KIND || isWanted !== undefined;
    const beyond = isAll ? 0 : await kind.size() - newest.length;
    total += standing.length + beyond;
  }
  return { candidates, total };
}

/** The types without a position of their own in the order. */
const OTHERS = { types: KINDS, except: true };

/** As many descriptions as fit, in the order of the titles. */
function explain(
  chosen: readonly IndexedMemory[],
  omitted: number,
  room: number,
): ReadonlySet<number> {
  const explained = new Set<number>();
  let left = room - render(chosen, omitted).length;
  for (const memory of chosen) {
    const more = titleLine(memory, true).length - titleLine(memory).length;
    if (more > 0 && more <= left) {
      explained.add(memory.id);
      left -= more;
    }
  }
  return explained;
}

const HEADINGS = { user: "# In every project", project: "# In this project" } as const;

function render(
  memories: readonly IndexedMemory[],
  omitted: number,
  explained: ReadonlySet<number> = new Set(),
): string {
  const groups = Map.groupBy(memories, ({ scope }) => scope === "user" ? "user" : "project");
  const sections = (["user", "project"] as const).flatMap((scope) => {
    const its = groups.get(scope);
    if (its === undefined) return [];
    const lines = its.map((memory) => titleLine(memory, explained.has(memory.id)));
    return [`${HEADINGS[scope]}\n\n${lines.join("\n")}`];
  });
  if (omitted > 0) sections.push(`(${omitted} more: \`memo list\`)`);
  return sections.join("\n\n") + "\n";
}

/** A memory in one line: the name, the description if there is room, and the date if its type fades. */
export function titleLine(memory: IndexedMemory, isExplained = false): string {
  const name = neutraliseLine(memory.name).slice(0, NAME_CHARS).toWellFormed();
  const about = neutraliseLine(memory.description).slice(0, DESCRIPTION_CHARS).toWellFormed();
  const fades = policyOf(memory.type).lifespanDays !== null;
  const date = fades ? ` (${changedOn(memory)})` : "";
  return `- ${name}${date}${isExplained && about !== "" ? `: ${about}` : ""}`;
}

function kindOf(type: string): number {
  const place = KINDS.indexOf(type);
  return place < 0 ? KINDS.length : place;
}

function confidenceIn(memory: IndexedMemory, now: Date): number {
  return confidenceNow(memory, policyOf(memory.type).lifespanDays, now);
}
