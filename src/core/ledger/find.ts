import { basename, join, relative, resolve, sep } from "node:path";
import { withSlashes } from "../files/slashes.ts";
import { MemoError } from "../../errors.ts";
import { analyze } from "../text/analyze.ts";
import { nearest } from "../text/nearest.ts";
import { once } from "../text/remembered.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { archiveOf, isLater, listArchive, originalPath } from "./archive.ts";
import { readMemories } from "../memory/list.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { fold } from "../memory/names.ts";
import { CUT } from "../memory/title.ts";
import { memoryPaths } from "../memory/folder.ts";
import { digestOf } from "../memory/trust.ts";

/** A memory, and where it was found. */
export interface FoundMemory {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
  readonly archived: boolean;
}

export interface FindOptions {
  /** Relative paths start here. */
  readonly cwd: string;
  /** Which memories are looked at; of several archived versions of one file the last is meant. */
  readonly among?: "in use" | "archived" | "both";
  /** Takes whole names and ids only, not a part of one. */
  readonly exact?: boolean;
  /** Leaves out memories. */
  readonly isMeant?: ((memory: MemoryFile) => boolean) | undefined;
}

/** What a name stands for. */
export type Lookup =
  | { readonly kind: "found"; readonly found: FoundMemory }
  | { readonly kind: "unclear"; readonly error: MemoError }
  /** With the memories whose names are nearest. */
  | { readonly kind: "missing"; readonly error: MemoError; readonly near: readonly FoundMemory[] };

const NAMED = 10;
/** Maximum suggestions, and their minimum share of common letter pairs. */
const SUGGESTED = 3, SIMILAR = 0.3;
/** The similarity of words of a name that are mistyped, or shortened, as `db` for database. */
const MISTYPED = 0.9, SHORTENED = 0.8;

/**
 * Looks up what a person or a model calls a memory: its path, name, file name (with or without its type) or id, in any
 * case; else the beginning of one of them, or some of its words, if no other memory has them.
 */
export function lookUp(
  name: string,
  folders: readonly MemoryFolder[],
  { cwd, among = "in use", exact = false, isMeant = () => true }: FindOptions,
): Lookup {
  const read =
    (archived: boolean, options?: { readonly name: string; readonly cwd: string }) => () =>
      candidatesIn(folders, archived, options).filter(({ memory }) => isMeant(memory));
  const sources = [
    ...among === "archived" ? [] : [once(read(false, { name, cwd }))],
    ...among === "in use" ? [] : [once(read(true))],
  ];
  const ways = waysToName(name, cwd);
  for (const [i, fits] of ways.slice(0, exact ? WHOLE_NAMES : undefined).entries()) {
    for (const source of sources) {
      const candidates = source().filter(fits);
      if (candidates.length === 0) continue;
      if (new Set(candidates.map(({ place }) => place)).size > 1) {
        return { kind: "unclear", error: unclear(name, candidates, folders) };
      }
      if (i >= WHOLE_NAMES && analyze(name).every(isStopword)) continue; // "the" is no name
      // Of several versions, the last that was archived.
      const { memory, folder, archived } = candidates.reduce((a, b) =>
        a.archived && isLater(b.memory.path, a.memory.path) ? b : a
      );
      return { kind: "found", found: { memory, folder, archived } };
    }
  }
  const near = nearestTo(fold(name), read(among === "archived")());
  return { kind: "missing", error: missing(name, near, among === "archived"), near };
}

/** The same; throws a `usage` MemoError that lists the candidates, or `not-found` with the nearest names. */
export function findMemory(...asked: Parameters<typeof lookUp>): FoundMemory {
  const lookup = lookUp(...asked);
  if (lookup.kind === "found") return lookup.found;
  throw lookup.error;
}

const WHOLE_NAMES = 3;

/** The ways in which a text names a memory, the surest first. */
function waysToName(name: string, cwd: string): ((candidate: NamedFile) => boolean)[] {
  const wanted = fold(name);
  const path = resolve(cwd, name);
  const words = wordsOf(wanted);
  return [
    ({ memory }) => memory.path === path,
    ({ labels, memory }) =>
      labels.some((label) => label === wanted || label === `${wanted}.md`) ||
      isCutName(memory, wanted),
    ({ memory, folder }) => isId(wanted) && idOf(memory, folder).startsWith(wanted),
    ({ labels }) => wanted !== "" && labels.some((label) => label.startsWith(wanted)),
    ({ labels }) =>
      words.length > 0 && labels.some((label) => {
        const own = wordsOf(label);
        return words.every((word) => own.includes(word));
      }),
  ];
}

interface NamedFile extends FoundMemory {
  /**
   * The path of the memory, or its path before it was archived: versions of one file have the same, also those from
   * before and after it was shared.
   */
  readonly place: string;
  /** Its names: by front matter, file name and path. */
  readonly labels: readonly string[];
}

/** The memories of some folders, archived or in use; of these those alone that a name can stand for, if one is given. */
function candidatesIn(
  folders: readonly MemoryFolder[],
  archived: boolean,
  meant?: { readonly name: string; readonly cwd: string },
): NamedFile[] {
  const wanted = fold(meant?.name ?? "");
  const id = isId(wanted) ? wanted : undefined;
  const named = meant && { path: resolve(meant.cwd, meant.name), id, words: wordsOf(wanted) };
  return folders.flatMap((folder) => {
    return readMemories(folder, archived ? { list: listArchive } : { named }).memories.map(
      (memory) => {
        const { name, path } = memory;
        const file = archived ? relative(folder.path, originalPath(path, folder)) : path;
        const place = archived ? join(folder.project ?? folder.path, file) : path;
        const within = withSlashes(relative(folder.path, path));
        const slug = basename(file).replace(/^[^_]*_/, "");
        const labels = [...new Set([name, basename(file), slug, basename(path), within])];
        return { memory, folder, archived, place, labels: labels.map(fold) };
      },
    );
  });
}

/** Whether a text is the sentence that a name was cut from. */
function isCutName({ name, body }: MemoryFile, wanted: string): boolean {
  const stem = name.endsWith(CUT) ? fold(name.slice(0, -CUT.length)) : "";
  return stem !== "" && wanted.startsWith(stem) && fold(body).startsWith(wanted);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function unclear(
  name: string,
  candidates: readonly NamedFile[],
  folders: readonly MemoryFolder[],
): MemoError {
  const byPlace = [...new Map(candidates.map((each) => [each.place, each])).values()];
  const ids = shortIds(byPlace.map(({ memory, folder }) => idOf(memory, folder)), folders);
  const lines = byPlace.slice(0, NAMED).map(({ memory }, i) => `  ${ids[i]}  ${memory.name}`);
  if (byPlace.length > NAMED) lines.push(`  … and ${byPlace.length - NAMED} more`);
  return new MemoError(
    "usage",
    `\`${name}\` is ambiguous: ${byPlace.length} memories match:\n${lines.join("\n")}`,
    { hint: `Use an id, such as \`${ids[0]}\`, or more of its name` },
  );
}

function missing(name: string, near: readonly FoundMemory[], archived: boolean): MemoError {
  const names = near.map(({ memory }) => `\`${memory.name}\``);
  const list = archived ? "`memo list --archived`" : "`memo list`";
  return new MemoError(
    "not-found",
    `Cannot find ${archived ? "an archived" : "a"} memory named \`${name}\``,
    {
      hint: `${names.length > 0 ? `Did you mean ${names.join(", ")}? ` : ""}Run ${list} to see all`,
    },
  );
}

/** The memories whose names are nearest to a text: those with it in their name, else those with most of its letter pairs. */
function nearestTo(wanted: string, all: readonly NamedFile[]): FoundMemory[] {
  const byName = [...new Map(all.map((each) => [each.memory.name, each])).values()];
  const ranked = byName
    .map((found) => ({ found, score: similarity(wanted, fold(found.memory.name)) }))
    .filter(({ score }) => score >= SIMILAR)
    .sort((a, b) => b.score - a.score);
  const having = ranked.filter(({ score }) => score === 1);
  return (having.length > 0 ? having : ranked).slice(0, SUGGESTED).map(({ found }) => found);
}

/** Similarity of two names, 0–1: 1 if one contains the other, else the Dice coefficient of letter pairs, or mistyped or shortened words. */
function similarity(wanted: string, name: string): number {
  if (wanted !== "" && name.includes(wanted)) return 1;
  const words = wordsOf(wanted), own = wordsOf(name);
  const areAll = (fits: (word: string) => boolean) => words.length > 0 && words.every(fits);
  // A short word is nearly many.
  const isMistyped = (word: string) => word.length > 3 && nearest(word, own) !== undefined;
  if (areAll((word) => own.includes(word) || isMistyped(word))) return MISTYPED;
  if (areAll((word) => own.some((other) => isShortFor(word, other)))) return SHORTENED;
  const pairs = letterPairs(wanted), others = letterPairs(name);
  const common = others.intersection(pairs).size;
  return pairs.size + others.size === 0 ? 0 : 2 * common / (pairs.size + others.size);
}

/** Whether a word has the first and some more of another's letters, in their order. */
function isShortFor(word: string, other: string): boolean {
  let at = 0;
  for (const letter of other) if (letter === word[at]) at++;
  return word.length > 1 && word[0] === other[0] && at === word.length;
}

function letterPairs(text: string): Set<string> {
  const characters = [...text];
  return new Set(characters.slice(1).map((character, i) => characters[i] + character));
}

/** Letters of an id, none of them a hexadecimal digit: changes, turns and sessions have ids of such digits. */
const LETTERS = "klmnopqrstuvwxyz";
/** Length of a whole id, and minimum length that is shown and taken. */
const WHOLE = 8;
const LEAST = 4;
const ID = new RegExp(`^[${LETTERS[0]}-${LETTERS.at(-1)}]{${LEAST},${WHOLE}}$`);

function isId(word: string): boolean {
  return ID.test(word);
}

/** The whole id of a memory: it follows from scope and file, so that a change leaves it, and the archive too. */
export function idOf(
  { path, scope }: Pick<MemoryFile, "path" | "scope">,
  folder: MemoryFolder,
): string {
  const isArchived = path.startsWith(archiveOf(folder) + sep);
  const own = isArchived ? originalPath(path, folder) : path;
  const isBelow = own.startsWith(folder.path + sep); // `relative` would take as long as all else
  const file = isBelow ? own.slice(folder.path.length + 1) : relative(folder.path, own);
  const digits = digestOf(`${scope}/${withSlashes(file)}`).slice(0, WHOLE);
  return [...digits].map((digit) => LETTERS[parseInt(digit, 16)]).join("");
}

/**
 * Ids, in their order, as short as they differ from each other and from those of the memories in use in some folders: by
 * the index, if there is one, which may not have the newest of them yet.
 */
export function shortIds(
  ids: readonly string[],
  folders: readonly MemoryFolder[],
): string[] {
  const near = folders.flatMap((folder) =>
    folder.known?.idsNear(ids, folder) ??
      memoryPaths(folder).map((path) => idOf({ path, scope: folder.scope }, folder))
  );
  const sorted = [...new Set([...ids, ...near])].sort();
  const lengths = new Map<string, number>();
  let before = LEAST;
  for (const [i, id] of sorted.entries()) {
    const next = sorted[i + 1] ?? "-"; // which no id begins with
    let after = LEAST;
    while (after < WHOLE && id.startsWith(next.slice(0, after))) after++;
    lengths.set(id, Math.max(before, after));
    before = after;
  }
  return ids.map((id) => id.slice(0, lengths.get(id)));
}
