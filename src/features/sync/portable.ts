// The files of a memory folder that go to other machines, which names may come back from them, and how two versions of
// one become one.

import { type Dirent, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, messageOf } from "../../errors.ts";
import { CHANGE_LOG } from "../../core/ledger/change_log.ts";
import {
  type Identity,
  identityOf,
  isSameProject,
  projectOf,
  PROJECTS,
} from "../../core/memory/project.ts";
import { identityIn } from "../../core/memory/project_record.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { projectsOn } from "../../core/memory/off.ts";
import { INDEX_FILE, JOURNAL, type Unreadable } from "../../core/memory/folder.ts";
import {
  mergeDays,
  mergeLines,
  mergeMemories,
  type MergeResult,
  type Versions,
} from "../../core/change/merge.ts";
import { redact } from "../../core/redact/redact.ts";
import { readState, writeState } from "../../core/files/state.ts";
import { parsed } from "../../core/files/there.ts";
import { privateFolder } from "../../core/memory/scopes.ts";
import { slug } from "../../core/memory/title.ts";
import { type Env, type Paths, shortHash } from "../../paths.ts";
import type { SyncRepository } from "./repository.ts";
import type { FileTree } from "./merge_trees.ts";

/** The folder of archived memories in a memory folder. */
export const ARCHIVE = ".archive";
/** The path of the log of changes. */
export const LOG = `${ARCHIVE}/${CHANGE_LOG}`;
/** The file that says which project a folder is. */
export const PROJECT_FILE = ".project.json";
/** The form of a folder's name outside this machine. */
export const PLACE = /^(?:user|projects\/[\p{L}\p{N}\p{M}-]{1,200})$/u;
const MAX_DEPTH = 8;
/** A larger file is no note. */
const MAX_FILE = 8 * 1024 * 1024;
/** A log of changes grows by about 200 bytes a change. */
const MAX_LOG = 128 * 1024 * 1024;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A file of a folder that travels. */
export interface Portable {
  /** Its path in the folder, with `/`. */
  readonly relativePath: string;
  readonly path: string;
}

/** A folder in it that cannot be read, `""` for the whole. */
export type Unlisted = Portable & Unreadable;

/**
 * Every file of a folder that travels: memories, journal and archive. Links do not, nor does what is generated. A
 * folder that cannot be read is added to `unlisted`.
 */
export function portableFiles(
  folder: Pick<MemoryFolder, "path" | "scope">,
  unlisted: Unlisted[] = [],
): Portable[] {
  const files: Portable[] = [];
  const walk = (at: string, prefix: string) => {
    for (const entry of entriesOf(at, prefix, unlisted)) {
      const relativePath = prefix + entry.name;
      if (relativePath === PROJECTS && folder.scope === "user") continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (isPortable(`${relativePath}/x.md`)) walk(path, `${relativePath}/`);
      } else if (entry.isFile() && isPortable(relativePath)) files.push({ relativePath, path });
    }
  };
  walk(folder.path, "");
  return files.sort((a, b) => a.relativePath < b.relativePath ? -1 : 1);
}

/**
 * Whether a path may be written below a memory folder on any system: it stays in it, hides nothing but the archive, and
 * is a memory, a day of the journal or the log of changes.
 */
export function isPortable(relativePath: string): boolean {
  const parts = relativePath.split("/");
  const name = parts.at(-1)!;
  const [first] = parts;
  if (parts.length > MAX_DEPTH || Buffer.byteLength(relativePath) > 1000) return false;
  if (parts.some((part, i) => !isName(part, i === 0))) return false;
  if (relativePath === LOG) return true;
  return name.endsWith(".md") && relativePath !== INDEX_FILE && first !== PROJECTS;
}

/** The most bytes that the file at a path may have to travel. */
export function limitOf(relativePath: string): number {
  return relativePath === LOG ? MAX_LOG : MAX_FILE;
}

/** Whether what is at a path only grows: the journal, the archive and the log of changes. */
export function isAppendOnly(relativePath: string): boolean {
  return isJournal(relativePath) || isArchived(relativePath);
}

/** Whether what is at a path is a memory in use. */
export function isLive(relativePath: string): boolean {
  return relativePath.endsWith(".md") && !isAppendOnly(relativePath);
}

/** Whether a path is a day of the journal. */
export function isJournal(relativePath: string): boolean {
  return relativePath.startsWith(`${JOURNAL}/`);
}

/** Whether a path lies in the archive. */
export function isArchived(relativePath: string): boolean {
  return relativePath.startsWith(`${ARCHIVE}/`);
}

function isName(part: string, isFirst: boolean): boolean {
  if (part === "" || Buffer.byteLength(part) > 255) return false;
  if (part.startsWith(".") && !(part === ARCHIVE && isFirst)) return false;
  // deno-lint-ignore no-control-regex
  return !/[\\:*?"<>|\u0000-\u001f\u007f]/.test(part) && !/[. ]$/.test(part) &&
    !RESERVED.test(part) && part.toWellFormed() === part;
}

function entriesOf(folder: string, prefix: string, unlisted: Unlisted[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const isAbsent = ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
    if (!isAbsent) unlisted.push({ relativePath: prefix, path: folder, because: messageOf(error) });
    return [];
  }
}

/** The kinds of secrets that a file seems to hold. */
export async function secretKindsIn(
  bytes: Uint8Array,
  patterns: readonly RegExp[],
): Promise<string[]> {
  return Object.keys((await redact(Buffer.from(bytes).toString("utf8"), patterns)).found);
}

/** Merges a file of a memory folder. */
export function mergeFile(relativePath: string, { base, ours, theirs }: Versions): MergeResult {
  if (ours === theirs) return { text: ours };
  if (relativePath.endsWith(".jsonl")) return { text: mergeLines({ base, ours, theirs }) };
  if (relativePath === PROJECT_FILE) return { text: ours }; // it has what the other knows (`merged`)
  if (isJournal(relativePath)) return { text: mergeDays({ base, ours, theirs }) };
  if (isArchived(relativePath)) return { text: ours, sibling: theirs };
  return mergeMemories({ base, ours, theirs });
}

// Which folder of the repository is which project here: paths differ between machines.
/** A memory folder with its place in the repository. */
export interface Synced {
  /** `user` or `projects/ID`. */
  readonly place: string;
  readonly folder: MemoryFolder;
  /** What the repository says of a project. */
  readonly identity?: Identity;
}

/**
 * The projects of this machine with their places in the repository: as recorded, else by their identity among those of
 * the trees, else new ones.
 */
export async function syncedProjects(
  trees: readonly FileTree[],
  { paths, env, repository, file, roots }: {
    readonly paths: Pick<Paths, "claude" | "config" | "home">;
    readonly env: Env;
    readonly repository: SyncRepository;
    /** The file that keeps which root has which place. */
    readonly file: string;
    /** Roots of projects that are on this machine and may have no memories yet. */
    readonly roots: readonly string[];
  },
): Promise<Synced[]> {
  const kept = Object.entries(readState(file) ?? {}); // none yet, or damaged: they are found again
  const recorded: Record<string, string> = Object.fromEntries(
    kept.filter((place): place is [string, string] => typeof place[1] === "string"),
  );
  const there = await identitiesIn(trees, repository);
  const own = new Map(projectsOn(paths).map((project) => [project.root, project]));
  const taken = new Set<string>();
  const found: Synced[] = [];
  const [all, gone] = [true, false].map((isThere) =>
    [...own.keys(), ...roots].filter((root) => existsSync(root) === isThere)
  ) as [string[], string[]];
  const left = gone.filter((root) => own.has(root) && recorded[root]);
  for (const root of new Set([...all, ...left])) {
    const identity = left.includes(root) ? undefined : await identityOf(root, env);
    const place = recorded[root] ??
      [...there].find(([, known]) => isSameProject(known, identity!))?.[0] ??
      (own.has(root) ? newPlace(identity!, there) : undefined);
    if (place === undefined || taken.has(place)) continue; // no memories here, and none there
    taken.add(place);
    recorded[root] = place;
    const folder = privateFolder(own.get(root) ?? projectOf(root, paths.claude));
    const said = merged(there.get(place), identity);
    if (said !== undefined) there.set(place, said);
    found.push({ place, folder, ...said && { identity: said } });
  }
  writeState(file, recorded, { durable: true });
  return found;
}

/** Has a project keep its place in the repository under another root. */
export function moveSynced(
  { sync }: Pick<Paths, "sync">,
  { project: from = "" }: Pick<MemoryFolder, "project">,
  { project: to = "" }: Pick<MemoryFolder, "project">,
): void {
  const file = join(sync, PLACES), { [from]: place, ...others } = readState(file) ?? {};
  if (place !== undefined) writeState(file, { [to]: place, ...others }, { durable: true });
}

/** The file that keeps which root has which place. */
export const PLACES = "projects.json";

function newPlace(identity: Identity, there: ReadonlyMap<string, Identity>): string {
  const { name, remotes, commits } = identity;
  const key = remotes[0] ?? commits[0] ?? `name/${name}`;
  for (let n = 1;; n++) {
    const place = `projects/${slug(name)}-${shortHash(n === 1 ? key : `${key}#${n}`)}`;
    if (!there.has(place)) return place;
  }
}

/** What both know: a remote that a machine has seen helps the next one. */
function merged(there: Identity | undefined, own: Identity | undefined): Identity | undefined {
  if (there === undefined || own === undefined) return there ?? own;
  const join = (key: "remotes" | "commits") => [...new Set([...there[key], ...own[key]])];
  return { name: there.name, remotes: join("remotes"), commits: join("commits") };
}

async function identitiesIn(
  trees: readonly FileTree[],
  repository: SyncRepository,
): Promise<Map<string, Identity>> {
  const found = new Map<string, Identity>();
  const files = trees.flatMap((tree) => [...tree]).filter(([relativePath, id]) =>
    relativePath.endsWith(`/${PROJECT_FILE}`) && !repository.isTooLarge(relativePath, id)
  );
  await repository.readAhead(files.map(([, id]) => id));
  for (const [relativePath, id] of files) {
    const identity = identityIn(parsed(await repository.readText(id)));
    if (identity !== undefined) found.set(dirname(relativePath), identity);
  }
  return found;
}
