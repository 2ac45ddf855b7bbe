import { basename, join, relative, resolve, sep } from "node:path";
import { MemoError } from "../errors.ts";
import { readMemories } from "./list.ts";
import type { MemoryFile, MemoryFolder } from "./memory.ts";
import { isLater, listArchive, originalPath } from "./archive.ts";
import { listMemoryFiles } from "./folder.ts";

/** A memory and the folder it was found in. */
export interface Found {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
}

export interface FindOptions {
  /** Relative paths start here. */
  readonly cwd: string;
  /** Searches the archived memories instead; of several versions of one file the last is used. */
  readonly archived?: boolean;
  /** Takes whole names only, not the beginning of one. */
  readonly exact?: boolean;
}

/** Maximum matches to name in an error. */
const NAMED = 10;
/** Maximum suggestions, and their minimum share of common letter pairs. */
const SUGGESTED = 3;
const SIMILAR = 0.3;

/**
 * Finds the memory that the user means: by path, file name or name, in any case, or by the beginning of one.
 * Throws a `usage` MemoError that lists the candidates if several match, `not-found` with the nearest names
 * if none does.
 */
export function findMemory(
  name: string,
  folders: readonly MemoryFolder[],
  { cwd, archived = false, exact = false }: FindOptions,
): Found {
  const all = folders.flatMap((folder) => candidatesIn(folder, archived));
  const wanted = fold(name);
  const path = resolve(cwd, name);
  const kinds: ((candidate: Nameable) => boolean)[] = [
    ({ memory }) => memory.path === path,
    ({ labels }) => labels.some((label) => label === wanted || label === `${wanted}.md`),
    ({ labels }) => wanted !== "" && labels.some((label) => label.startsWith(wanted)),
  ];
  const ways = exact ? kinds.slice(0, -1) : kinds;
  for (const fits of ways) {
    const candidates = all.filter(fits);
    const [first] = candidates;
    if (first === undefined) continue;
    if (new Set(candidates.map(({ place }) => place)).size > 1) throw ambiguous(name, candidates);
    // Of several versions, the last that was archived.
    const { memory, folder } = archived
      ? candidates.reduce((a, b) => isLater(b.memory.path, a.memory.path) ? b : a)
      : first;
    return { memory, folder };
  }
  throw missing(name, { all, archived });
}

interface Nameable extends Found {
  /**
   * The path of the memory, or its path before it was archived: versions of one file have the same, also those from
   * before and after it was shared.
   */
  readonly place: string;
  /** Its names: by front matter, file name and path. */
  readonly labels: readonly string[];
}

function candidatesIn(folder: MemoryFolder, archived: boolean): Nameable[] {
  const { memories } = readMemories(folder, archived ? listArchive : listMemoryFiles);
  return memories.map((memory) => {
    const { name, path } = memory;
    const file = archived ? relative(folder.path, originalPath(path, folder)) : path;
    const place = join(folder.project ?? folder.path, file);
    const way = relative(folder.path, path).split(sep).join("/");
    return {
      memory,
      folder,
      place: archived ? place : path,
      labels: [name, basename(file), basename(path), way].map(fold),
    };
  });
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

function ambiguous(name: string, candidates: readonly Found[]): MemoError {
  const lines = candidates.slice(0, NAMED).map(({ memory }) => `  ${memory.path}  ${memory.name}`);
  if (candidates.length > NAMED) lines.push(`  … and ${candidates.length - NAMED} more`);
  return new MemoError(
    "usage",
    `\`${name}\` is ambiguous: ${candidates.length} memories match:\n${lines.join("\n")}`,
    { hint: "Use its path, or a longer prefix of its name" },
  );
}

function missing(
  name: string,
  { all, archived }: { readonly all: readonly Found[]; readonly archived: boolean },
): MemoError {
  const wanted = fold(name);
  const near = [...new Set(all.map(({ memory }) => memory.name))]
    .map((name) => ({ name, score: similarity(wanted, fold(name)) }))
    .filter(({ score }) => score >= SIMILAR)
    .sort((a, b) => b.score - a.score)
    .slice(0, SUGGESTED)
    .map(({ name }) => `\`${name}\``);
  const list = archived ? "`memo list --archived`" : "`memo list`";
  return new MemoError(
    "not-found",
    `Cannot find ${archived ? "an archived" : "a"} memory named \`${name}\``,
    { hint: `${near.length > 0 ? `Did you mean ${near.join(", ")}? ` : ""}Run ${list} to see all` },
  );
}

/** Similarity of two names, 0–1: 1 if one contains the other, else the Dice coefficient of letter pairs. */
function similarity(wanted: string, name: string): number {
  if (wanted !== "" && name.includes(wanted)) return 1;
  const [pairs, others] = [letterPairs(wanted), letterPairs(name)];
  const common = [...others].filter((pair) => pairs.has(pair)).length;
  return pairs.size + others.size === 0 ? 0 : 2 * common / (pairs.size + others.size);
}

function letterPairs(text: string): Set<string> {
  const characters = [...text];
  return new Set(characters.slice(1).map((character, i) => characters[i] + character));
}
