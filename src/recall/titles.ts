// The standing index: one line per memory, rules first. A title is the rule or fact itself, so the model can act on
// one that no similarity to a prompt would retrieve ("never force-push").

import { basename } from "node:path";
import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { changedAt, changedOn, confidenceNow } from "../memory/age.ts";
import { isOthers } from "../memory/memory.ts";
import { mayStand } from "../memory/provenance.ts";
import { type Usage, usageOf } from "../memory/usage.ts";
import { MIN_CONFIDENCE, steadyWorth, STEP } from "../memory/worth.ts";
import { policyOf } from "../memory/types.ts";
import { nameOfFile, shorten } from "../memory/title.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { isRule } from "../text/rule.ts";
import { repeatsIn } from "./near_titles.ts";
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
/** Kinds that are rules whatever their words are. */
const RULES: readonly string[] = ["user", "feedback", "decision", "pattern", "gotcha"];
/** Maximum titles of each kind to consider, and of what was said or typed: more than the longest index holds. */
const PER_KIND = 150, SAID_PER_KIND = 400;
/** Maximum titles of a repository and of teams before the user's own. */
const MOST_SHARED = 12;
const NAME_CHARS = 120;
const DESCRIPTION_CHARS = 200;
/** A memory of one line up to this length stands with all its text. */
const TEXT_CHARS = 300;
/** A title that is shortened to make room has at least so many characters. */
const SHORT_CHARS = 64;

export interface RankOptions {
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
}

export interface TitlesOptions extends RankOptions {
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

/** The memories of some corpora in the order of their titles, and how many there are. */
export interface Ranked {
  readonly memories: readonly RankedTitle[];
  readonly total: number;
}

/** A memory, and how much a later prompt may need its title without resembling it. */
export interface RankedTitle {
  readonly memory: IndexedMemory;
  readonly tier: Tier;
}

/** What the order of titles begins with: a later tier is shortened and left out before an earlier one. */
type Tier = "rule" | "fact" | "imported";
const TIERS: readonly Tier[] = ["rule", "fact", "imported"];

/** The titles of some corpora; each is collected separately, so that a large one does not hide another. */
export async function ranked(
  corpora: readonly Corpus[],
  options: RankOptions,
): Promise<Ranked> {
  const candidates: IndexedMemory[] = [];
  let total = 0;
  for (const corpus of corpora) {
    const found = await collect(corpus, options);
    candidates.push(...found.candidates);
    total += found.total;
  }
  return { memories: rankTitles(candidates, options.now, options.usage), total };
}

/** Titles in order of priority, within a room. */
export async function titlesOf(
  corpora: readonly Corpus[],
  { room, ...options }: TitlesOptions,
): Promise<Titles> {
  return fitTitles(await ranked(corpora, options), room);
}

/** Characters of all titles without what explains them; undefined if some are left out or shortened. */
export function plainLength({ memories, total }: Ranked): number | undefined {
  if (memories.length < total) return undefined;
  return render(memories.map(({ memory }) => ({ memory, form: "title" })), 0).length;
}

/**
 * Titles in order of priority: pinned first; rules, facts and what was imported and never used; within these what says
 * something new, by use, by kind, by confidence, and at last by time of change.
 */
export function rankTitles(
  memories: readonly IndexedMemory[],
  now: Date,
  usage: ReadonlyMap<string, Usage> = new Map(),
): RankedTitle[] {
  const keyed = memories.map((memory) => {
    const { used } = usageOf(usage, memory.path);
    return {
      memory,
      tier: tierOf(memory, used),
      kind: kindOf(memory.type),
      uses: used - used % STEP,
      worth: steadyWorth(memory, { now, used }),
    };
  });
  const sorted = keyed.sort((a, b) =>
    Number(b.memory.pinned) - Number(a.memory.pinned) ||
    TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) ||
    b.uses - a.uses || a.kind - b.kind || b.worth - a.worth ||
    changedAt(b.memory) - changedAt(a.memory) ||
    (a.memory.path < b.memory.path ? -1 : 1)
  );
  // What repeats another comes after all that does not, in its tier; titles of others beyond their share at last.
  const repeats = repeatsIn(sorted.map(({ memory }) => sayingOf(memory)));
  const shared = new Set(
    sorted.filter(({ memory }) => isOthers(memory.scope)).slice(MOST_SHARED),
  );
  const place = (title: typeof sorted[number], i: number) =>
    Number(shared.has(title)) * 100 + TIERS.indexOf(title.tier) * 10 +
    (title.memory.pinned ? -1000 : Number(repeats.has(i)));
  const places = new Map(sorted.map((title, i) => [title, place(title, i)]));
  return sorted.toSorted((a, b) => places.get(a)! - places.get(b)!)
    .map(({ memory, tier }) => ({ memory, tier }));
}

function tierOf(memory: IndexedMemory, used: number): Tier {
  if (memory.pinned) return "rule";
  if (memory.isImported && used === 0) return "imported";
  return RULES.includes(memory.type) || isRule(sayingOf(memory)) ? "rule" : "fact";
}

async function collect(
  corpus: Corpus,
  { now, known, linked, except, isWanted }: RankOptions,
): Promise<{ candidates: IndexedMemory[]; total: number }> {
  const candidates: IndexedMemory[] = [];
  let total = 0;
  for (const filter of [...KINDS.map((kind) => ({ types: [kind] })), OTHERS]) {
    const kind = corpus.of(filter);
    const newest = await kind.newest(PER_KIND);
    const isAll = newest.length < PER_KIND;
    const said = isAll ? [] : await kind.newest(SAID_PER_KIND, { isSaid: true });
    const found = [...new Map([...said, ...newest].map((each) => [each.id, each])).values()];
    const standing = found.filter((memory) =>
      !except.has(memory.path) && !linked?.has(memory.path) &&
      (memory.pinned || mayStand(memory)) &&
      confidenceIn(memory, now) >= MIN_CONFIDENCE &&
      !(known.length > 0 && isSaidIn(known, wordsOf(memory))) && (isWanted?.(memory) ?? true)
    );
    candidates.push(...standing);
    const beyond = isAll || isWanted !== undefined ? 0 : await kind.size() - found.length;
    total += standing.length + beyond;
  }
  return { candidates, total };
}

/** The types without a position of their own in the order. */
const OTHERS = { types: KINDS, except: true };

/** How much of a memory its line says: nothing, the title cut, the title, or the title and what explains it. */
type Form = "none" | "short" | "title" | "full";

interface Line {
  readonly memory: IndexedMemory;
  readonly form: Form;
}

/** The steps in which lines grow while there is room: no fact makes a rule's title shorter, and no import a fact's. */
const STEPS: readonly { readonly tiers: readonly Tier[]; readonly form: Form }[] = [
  { tiers: ["rule"], form: "short" },
  { tiers: ["fact"], form: "short" },
  { tiers: ["rule"], form: "title" },
  { tiers: ["fact"], form: "title" },
  { tiers: ["imported"], form: "short" },
  { tiers: ["imported"], form: "title" },
  { tiers: TIERS, form: "full" },
];

/** As many titles as fit, the last ones shortened before one is left out; then as many explanations as fit. */
export function fitTitles(ranked: Ranked, room: number): Titles {
  const { memories, total } = ranked;
  const scopes = new Set(memories.map(({ memory }) => sectionOf(memory)));
  const headings = [...scopes].reduce((sum, scope) => sum + HEADINGS[scope].length + 4, 0);
  const isAll = (lines: readonly Line[]) =>
    lines.length === total && lines.every(({ form }) => form !== "none");
  let lines = grown(memories, room - headings);
  if (!isAll(lines)) lines = grown(memories, room - headings - countOf(total).length - 2);
  const listed = lines.filter(({ form }) => form !== "none").map(({ memory }) => memory);
  const omitted = total - listed.length;
  const text = total === 0 ? "" : render(lines, omitted);
  return { text: text.length <= room ? text : "", listed, omitted };
}

/** Each memory's line, as long as the room for all of them allows. */
function grown(memories: readonly RankedTitle[], room: number): Line[] {
  const lines = memories.map(({ memory }): Line => ({ memory, form: "none" }));
  const hasOwn = memories.some(({ memory }) => !isOthers(memory.scope));
  let left = room;
  let leftOfOthers = hasOwn ? room / 2 : room;
  for (const { tiers, form } of STEPS) {
    for (const [i, { memory, tier }] of memories.entries()) {
      const before = lines[i]!.form;
      if (!tiers.includes(tier) || (form !== "short" && before === "none")) continue;
      const length = before === "none" ? 0 : lineOf(memory, before).length + 1;
      const more = lineOf(memory, form).length + 1 - length;
      const isTheirs = isOthers(memory.scope);
      if (isTheirs && more > leftOfOthers) continue;
      if (more <= left) {
        lines[i] = { memory, form };
        left -= more;
        if (isTheirs) leftOfOthers -= more;
      } else if (form === "short") break;
    }
  }
  return lines;
}

const HEADINGS = {
  user: "# In every project",
  project: "# In this project",
  team: "# Approved by your team",
} as const;

function sectionOf({ scope }: IndexedMemory): keyof typeof HEADINGS {
  return scope === "user" || scope === "team" ? scope : "project";
}

function render(lines: readonly Line[], omitted: number): string {
  const groups = Map.groupBy(
    lines.filter(({ form }) => form !== "none"),
    ({ memory }) => sectionOf(memory),
  );
  const sections = (["user", "project", "team"] as const).flatMap((section) => {
    const its = groups.get(section);
    if (its === undefined) return [];
    return [
      `${HEADINGS[section]}\n\n${its.map(({ memory, form }) => lineOf(memory, form)).join("\n")}`,
    ];
  });
  if (omitted > 0) sections.push(countOf(omitted));
  return sections.join("\n\n") + "\n";
}

function countOf(omitted: number): string {
  return `(${omitted} more)`;
}

/** A memory in one line: its title, what explains it if that is wanted, and the date if its type fades. */
export function titleLine(memory: IndexedMemory, isExplained = false): string {
  return lineOf(memory, isExplained ? "full" : "title");
}

function lineOf(memory: IndexedMemory, form: Form): string {
  const fades = policyOf(memory.type).lifespanDays !== null;
  const date = fades ? ` (${changedOn(memory)})` : "";
  if (form !== "full") {
    const title = titleOf(memory);
    return `- ${form === "short" ? shorten(title, SHORT_CHARS) : title}${date}`;
  }
  const { title, about } = explained(memory);
  return `- ${title}${date}${about === "" ? "" : `: ${about}`}`;
}

/** A memory's title; where that is the cut beginning of the text or of the description, that instead of it. */
function titleOf({ name, description, body, path }: IndexedMemory): string {
  const isHeadless = description === "" && basename(path, ".md") === name;
  const title = line(isHeadless ? nameOfFile(name, body) : name, NAME_CHARS);
  if (!title.endsWith("…")) return title;
  const stem = stemOf(title);
  return [sentence(body), line(description, DESCRIPTION_CHARS)].find((text) =>
    text !== undefined && text.startsWith(stem)
  ) ?? title;
}

/** A memory whose text is one short line that begins with its title; undefined for any other. */
export function wholeLine(memory: IndexedMemory): string | undefined {
  return sentence(memory.body)?.startsWith(stemOf(titleOf(memory)))
    ? lineOf(memory, "full")
    : undefined;
}

/** The title with what explains it: a short text whole, else the description, neither of them behind its own beginning. */
function explained(memory: IndexedMemory): { readonly title: string; readonly about: string } {
  const title = titleOf(memory), stem = stemOf(title);
  const text = sentence(memory.body);
  if (text?.startsWith(stem)) return { title: text, about: "" };
  const about = line(memory.description, DESCRIPTION_CHARS);
  return about.startsWith(stem) ? { title: about, about: "" } : { title, about };
}

/** The text of a memory that is one short line. */
function sentence(body: string): string | undefined {
  if (body.length > TEXT_CHARS || body.trim().includes("\n")) return undefined;
  return neutraliseLine(body).replace(/(?<![.。])[.。]$/, "");
}

/** A title without the mark of its cut. */
function stemOf(title: string): string {
  return title.replace(/…$/, "").trimEnd();
}

/** What is compared, and read for words that oblige. */
function sayingOf(memory: IndexedMemory): string {
  const { title, about } = explained(memory);
  return `${title}\n${about}`;
}

function line(text: string, longest: number): string {
  const whole = neutraliseLine(text);
  return whole.length <= longest ? whole : whole.slice(0, longest).toWellFormed();
}

function kindOf(type: string): number {
  const place = KINDS.indexOf(type);
  return place < 0 ? KINDS.length : place;
}

function confidenceIn(memory: IndexedMemory, now: Date): number {
  return confidenceNow(memory, policyOf(memory.type).lifespanDays, now);
}
