// The titles at session start: one line per memory, rules first. A title is the rule or fact itself, so the model can act on
// one that no similarity to a prompt would retrieve ("never force-push").

import { basename } from "node:path";
import type { Corpus, IndexedMemory } from "../index/corpus.ts";
import { changedAt, changedOn, confidenceNow } from "../memory/age.ts";
import { isOthers, type MemoryFolder } from "../memory/memory.ts";
import { markOf } from "../memory/basis.ts";
import { passedDay } from "../memory/due.ts";
import { isMarked, mayStand } from "../memory/provenance.ts";
import { isPast, sayStanding } from "../memory/standing.ts";
import { type Usage, usageOf } from "../memory/usage.ts";
import { MIN_CONFIDENCE, STEP, steppedScore } from "../memory/usage_score.ts";
import { hasTrait, policyOf, TYPES } from "../memory/types.ts";
import { nameOfFile, shorten } from "../memory/title.ts";
import { limitOf } from "../text/limit.ts";
import { neutraliseLine } from "../text/neutralise.ts";
import { isGeneral, isRule } from "../text/rule.ts";
import { repeatsIn } from "./near_titles.ts";
import { overtakenAmong } from "./overtaken.ts";
import { isSaidIn, type Words, wordsOf } from "./repeats.ts";
import { type Topic, topicsOf } from "./topics.ts";

/** The kinds whose titles are rules or facts to act on, the most binding first; any other kind comes after them. */
const KINDS = TYPES.filter(({ name }) => name !== "*").toSorted((a, b) => a.binding - b.binding)
  .map(({ name }): string => name);
/** Maximum titles of each kind to consider, and of what was said or typed: more than the longest index holds. */
const PER_KIND = 150, SAID_PER_KIND = 400;
/** A tool that more memories were imported from has been imported in bulk: no start could list them. */
const BULK = 150;
/** Maximum titles of a repository and of teams before the user's own. */
const MOST_SHARED = 12;
const NAME_CHARS = 120;
const DESCRIPTION_CHARS = 200;
/** A memory of one line up to this length stands with all its text. */
const TEXT_CHARS = 300;
/** A title that is shortened to make room has at least so many characters. */
const SHORT_CHARS = 64;

/** With more memories in a project what is left out is counted by topic, in so many characters. */
export const MANY = 300;
const TOPICS_CHARS = 300;

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
  /** The folders of the memories; without them none is taken for overtaken. */
  readonly folders?: readonly MemoryFolder[];
  /** Lists only these, and does not count the others. */
  readonly isWanted?: ((memory: IndexedMemory) => boolean) | undefined;
}

export interface TitlesOptions extends RankOptions {
  /** Maximum characters of the index. */
  readonly room: number;
}

/** The titles at session start, within their room. */
export interface Titles {
  /** The lines under their headings, ready for the block; the count alone when no title fits. */
  readonly text: string;
  /** Memories whose whole title is in it. */
  readonly listed: readonly IndexedMemory[];
  /** Memories left out for lack of room. */
  readonly omitted: number;
}

/** The memories of some corpora in the order of their titles, and how many there are. */
export interface Ranked {
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
}

/** What the order of titles begins with: a later tier is shortened and left out before an earlier one. */
type Tier = "rule" | "general" | "fact" | "imported rule" | "imported";
const TIERS: readonly Tier[] = ["rule", "general", "fact", "imported rule", "imported"];

/** The titles of some corpora; each is collected separately, so that a large one does not hide another. */
export async function ranked(
  corpora: readonly Corpus[],
  options: RankOptions,
): Promise<Ranked> {
  const candidates: IndexedMemory[] = [], imports: string[] = [];
  let total = 0;
  for (const corpus of corpora) {
    const found = await collect(corpus, options);
    const { folders = [] } = options;
    const gone = await overtakenAmong(folders.length === 0 ? [] : found.candidates, {
      corpus,
      folders,
    });
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
  return { memories: rankTitles(candidates, options.now, options.usage), total, imports };
}

/** The same without some of them. */
export function without(ranked: Ranked, others: readonly IndexedMemory[]): Ranked {
  const paths = new Set(others.map(({ path }) => path));
  const memories = ranked.memories.filter(({ memory }) => !paths.has(memory.path));
  return { ...ranked, memories, total: ranked.total - (ranked.memories.length - memories.length) };
}

/** Titles in order of priority, within a room. */
export async function titlesOf(
  corpora: readonly Corpus[],
  { room, ...options }: TitlesOptions,
): Promise<Titles> {
  return fitTitles(await ranked(corpora, options), room);
}

/** Characters of all titles without what explains them; undefined if some are left out or shortened. */
export function plainLength({ memories, total, imports }: Ranked): number | undefined {
  if (memories.length < total) return undefined;
  const lines = memories.map((title): Line => ({ ...title, form: "title" }));
  return render(lines, total, imports).length;
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
    (title.memory.pinned ? -1000 : Number(repeats.has(i)));
  const places = new Map(sorted.map((title, i) => [title, place(title, i)]));
  return sorted.toSorted((a, b) => places.get(a)! - places.get(b)!)
    .map(({ memory, tier }) => ({ memory, tier, due: passedDay(memory, now) }));
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
  { now, known, linked, except, isWanted }: RankOptions,
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
      (memory.pinned || mayStand(memory)) &&
      confidenceIn(memory, now) >= MIN_CONFIDENCE &&
      !(known.length > 0 && isSaidIn(known, wordsOf(memory))) && (isWanted?.(memory) ?? true)
    );
    candidates.push(...allowed);
    const beyond = isAll || isWanted !== undefined ? 0 : await kind.size() - found.length;
    total += allowed.length + beyond;
  }
  return { candidates, total };
}

/** The types without a position of their own in the order. */
const OTHERS = { types: KINDS, except: true };

/** How much of a memory its line says: nothing, the title cut, the title, or the title and what explains it. */
type Form = "none" | "short" | "title" | "full";

interface Line extends Pick<RankedTitle, "memory" | "due"> {
  readonly form: Form;
}

function isCut(line: Line): boolean {
  return line.form === "none" ||
    (line.form === "short" && lineOf(line) !== lineOf({ ...line, form: "title" }));
}

/**
 * The steps in which lines grow while there is room: no fact makes a rule's title shorter, and no import a fact's. What a
 * prompt finds by itself leaves half of it free: 206 imports beside 60 notes take 1,400 characters less, and nothing lacks.
 */
const STEPS: readonly { tiers: readonly Tier[]; form: Form; isFound?: true }[] = [
  { tiers: ["rule"], form: "short" },
  { tiers: ["general"], form: "short" },
  { tiers: ["fact"], form: "short" },
  { tiers: ["rule"], form: "title" },
  { tiers: ["general"], form: "title" },
  { tiers: ["fact"], form: "title" },
  { tiers: ["imported rule"], form: "short" },
  { tiers: ["imported rule"], form: "title" },
  { tiers: ["imported"], form: "short", isFound: true },
  { tiers: ["imported"], form: "title", isFound: true },
  { tiers: TIERS, form: "full", isFound: true },
];

/** As many titles as fit, the last ones shortened before one is left out; then as many explanations as fit. */
export function fitTitles(ranked: Ranked, room: number): Titles {
  const { memories, total, imports } = ranked;
  const scopes = new Set(memories.map(({ memory }) => sectionOf(memory)));
  const headings = [...scopes].reduce((sum, scope) => sum + HEADINGS[scope].length + 4, 0) +
    imports.reduce((sum, line) => sum + line.length + 2, 0);
  const areAll = (lines: readonly Line[]) =>
    lines.length === total && lines.every(({ form }) => form !== "none");
  let lines = grown(memories, room - headings, { isAll: true });
  if (!areAll(lines)) {
    const count = total > MANY ? TOPICS_CHARS : countOf(total).length;
    lines = grown(memories, room - headings - count - 2, { isAll: false });
  }
  const omitted = total - lines.filter(({ form }) => form !== "none").length;
  const listed = lines.filter((line) => !isCut(line)).map(({ memory }) => memory);
  const text = total + imports.length === 0 ? "" : render(lines, total, imports);
  return { text: text.length <= room ? text : "", listed, omitted };
}

/** Each memory's line, as long as the room for all titles, or for some, allows. */
function grown(
  memories: readonly RankedTitle[],
  room: number,
  { isAll }: { readonly isAll: boolean },
): Line[] {
  const lines = memories.map(({ memory, due }): Line => ({ memory, due, form: "none" }));
  const hasOwn = memories.some(({ memory }) => !isOthers(memory.scope));
  let left = room;
  let leftOfOthers = hasOwn ? room / 2 : room;
  for (const { tiers, form, isFound } of STEPS) {
    const kept = isFound && (form === "full" || !isAll) ? room / 2 : 0;
    for (const [i, { memory, tier }] of memories.entries()) {
      const before = lines[i]!, grown = { ...before, form };
      if (!tiers.includes(tier) || (form !== "short" && before.form === "none")) continue;
      const length = before.form === "none" ? 0 : lineOf(before).length + 1;
      const more = lineOf(grown).length + 1 - length;
      const isTheirs = isOthers(memory.scope);
      if (isTheirs && more > leftOfOthers) continue;
      if (more <= left - kept) {
        lines[i] = grown;
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

function render(lines: readonly Line[], total: number, imports: readonly string[]): string {
  const groups = Map.groupBy(
    lines.filter(({ form }) => form !== "none"),
    ({ memory }) => sectionOf(memory),
  );
  const sections = (["user", "project", "team"] as const).flatMap((section) => {
    const its = groups.get(section);
    if (its === undefined) return [];
    return [
      `${HEADINGS[section]}\n\n${its.map(lineOf).join("\n")}`,
    ];
  });
  const left = lines.filter(({ form }) => form === "none").map(({ memory }) => said(memory).saying);
  const omitted = total - lines.length + left.length;
  if (omitted > 0) sections.push(countOf(omitted, total > MANY ? topicsOf(left) : []));
  sections.push(...imports);
  return sections.join("\n\n") + "\n";
}

/** How many titles are left out, and what they are about, the commonest first; of an import only what. */
function countOf(omitted: number, topics: readonly Topic[] = [], from = ""): string {
  const more = `(${omitted} more${from}`;
  let text = more;
  for (const { name, titles } of topics) {
    const lead = text !== more ? ", " : from === "" ? ", by topic: " : ", mostly about ";
    const next = text + lead + neutraliseLine(name) + (from === "" ? ` ${titles}` : "");
    if (next.length + 1 > TOPICS_CHARS) break;
    text = next;
  }
  return `${text})`;
}

/** A memory in one line: its title, what explains it if that is wanted, and the date if its type fades. */
export function titleLine(memory: IndexedMemory, isExplained = false): string {
  return lineOf({ memory, form: isExplained ? "full" : "title" });
}

function lineOf({ memory, form, due }: Line): string {
  const { lines } = said(memory);
  const line = lines[form] ??= withLimit(writeLine(memory, form), memory);
  return due === undefined ? line : `${line} [was due ${neutraliseLine(due)}]`;
}

/** A line with what limits where its memory holds, if it does not say so: half of a rule is another rule. */
function withLimit(line: string, memory: IndexedMemory): string {
  const limit = limitOf(memory, line);
  return limit === undefined ? line : `${line} [${neutraliseLine(limit)}]`;
}

function writeLine(memory: IndexedMemory, form: Form): string {
  const fades = policyOf(memory.type).lifespanDays !== null;
  const standing = sayStanding(memory).map((fact) => ` [${fact}]`).join("");
  const facts = [markOf(memory)?.inTitle, fades ? changedOn(memory) : undefined]
    .filter((fact) => fact !== undefined).join(", ");
  const date = (facts === "" ? "" : ` (${facts})`) + standing;
  const { title, explained } = said(memory);
  if (form !== "full") {
    return `- ${form === "short" ? shorten(title, SHORT_CHARS) : title}${date}`;
  }
  const { about } = explained;
  return `- ${explained.title}${date}${about === "" ? "" : `: ${about}`}`;
}

/** What a memory says of itself in a line. */
interface Said {
  /** Its title; where that is the cut beginning of the text or of the description, that instead of it. */
  readonly title: string;
  /** The text of a memory that is one short line and begins with its title. */
  readonly only: string | undefined;
  /** The title with what explains it: a short text whole, else the description, neither behind its own beginning. */
  readonly explained: { readonly title: string; readonly about: string };
  /** What is compared, and read for words that oblige. */
  readonly saying: string;
  /** How much its words oblige: 2 for a rule, 1 for what holds in every case or within limits, 0 for any other. */
  readonly binds: 0 | 1 | 2;
  /** Its lines, once they are needed. */
  readonly lines: Partial<Record<Form, string>>;
}

/** A session's start looks at each memory several times. */
const known = new WeakMap<IndexedMemory, Said>();

function said(memory: IndexedMemory): Said {
  let found = known.get(memory);
  if (found === undefined) known.set(memory, found = read(memory));
  return found;
}

function read({ name, description, body, path }: IndexedMemory): Said {
  const text = sentence(body);
  const about = line(description, DESCRIPTION_CHARS);
  const isHeadless = description === "" && basename(path, ".md") === name;
  const named = line(isHeadless ? nameOfFile(name, body) : name, NAME_CHARS);
  const isOf = (stem: string) => (whole: string | undefined) => whole?.startsWith(stem) === true;
  const title = !named.endsWith("…") ? named : [text, about].find(isOf(stemOf(named))) ?? named;
  const isBegun = isOf(stemOf(title));
  const day = DAY.exec(title)?.[0] ?? "";
  const only = text !== undefined && isBegun(day + text) ? day + text : undefined;
  const explained = only !== undefined
    ? { title: only, about: "" }
    : isBegun(about)
    ? { title: about, about: "" }
    : { title, about };
  const saying = `${explained.title}\n${explained.about}`;
  return {
    title,
    only,
    explained,
    saying,
    lines: {},
    binds: isRule(saying) ? 2 : isGeneral(saying) ? 1 : 0,
  };
}

/** Whether a memory's words oblige, or say what holds in every case or within limits. */
export function isBinding(memory: IndexedMemory): boolean {
  return said(memory).binds > 0;
}

/** The text of a memory that is one short line and begins with its title; undefined for any other. */
export function onlyLine(memory: IndexedMemory): string | undefined {
  return said(memory).only;
}

/** The same as a line of the index. */
export function wholeLine(memory: IndexedMemory): string | undefined {
  return onlyLine(memory) === undefined ? undefined : titleLine(memory, true);
}

/** What the title of a daily note has before its first sentence. */
const DAY = /^\d{4}-\d\d-\d\d: /;

/** The text of a memory that is one short line. */
function sentence(body: string): string | undefined {
  if (body.length > TEXT_CHARS || body.trim().includes("\n")) return undefined;
  return neutraliseLine(body).replace(/(?<![.。])[.。]$/, "");
}

/** A title without the mark of its cut. */
function stemOf(title: string): string {
  return title.replace(/…$/, "").trimEnd();
}

function line(text: string, longest: number): string {
  const whole = neutraliseLine(text);
  return whole.length <= longest ? whole : whole.slice(0, longest).toWellFormed();
}

function kindOf(type: string): number {
  return policyOf(type).binding;
}

function confidenceIn(memory: IndexedMemory, now: Date): number {
  return confidenceNow(memory, policyOf(memory.type).lifespanDays, now);
}
