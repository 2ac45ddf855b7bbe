// The memory folders that apply to a working directory, and the parts of a repository that are not read.

import { lstatSync, readFileSync, type Stats } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { MemoError } from "../../errors.ts";
import { readPart } from "../files/bounded.ts";
import { namesIn, orNothing, parsed, statsOf } from "../files/there.ts";
import { shortHash } from "../../paths.ts";
import { autoMemory } from "./claude_settings.ts";
import type { MemoryFolder } from "./memory.ts";
import { offAt, projectsOn } from "./off.ts";
import {
  isFolder,
  isWithin,
  type KnownProject,
  mainRepositoryRoot,
  type Place,
  placeIn,
  type Project,
  projectAt,
  realPath,
  superprojectOf,
  upwards,
} from "./project.ts";
import { slug } from "./title.ts";
import { teamFolders } from "./teams.ts";
import { digestOf, trusted } from "./trust.ts";

export { type Place, placeIn, realPath } from "./project.ts";

/** Maximum length of a project folder's name that Claude Code makes from the path alone. */
const MAX_NAME = 200;

/** A part of a repository's `.claude` that is not read, whether trusted or not. */
export interface Refused {
  readonly path: string;
  readonly because: string;
}

/** A repository's shared memories: its folders, nearest first, and the parts that are not read. */
export interface SharedFolders {
  readonly folders: readonly MemoryFolder[];
  readonly refused: readonly Refused[];
}

/**
 * The memory folders that apply to a working directory, nearest first: those that the project's repository shares, the
 * project's private one, for a submodule both of the projects around it, the user's, Claude Code's own auto memory of the
 * project if it exists, and the copies of what teams have approved. None where memo is off.
 */
export function memoryFolders(place: Place): MemoryFolder[] {
  if (offAt(place) !== undefined) return [];
  const project = projectAt(place);
  const folders: MemoryFolder[] = [];
  const roots = new Set<string>(); // a crafted work tree could be around its own repository
  for (let each = project; each !== undefined; each = superprojectOf(each, place)) {
    if (roots.size === roots.add(each.root).size) break;
    if (offAt({ ...place, cwd: each.top, projectDir: each.top }) !== undefined) break;
    const linked = {
      ...each.top !== each.root && { top: each.top },
      ...each !== project && { isAround: true },
    };
    const its = [...sharedFolders(each, place).folders, privateFolder(each)];
    folders.push(...its.map((folder) => ({ ...folder, ...linked })));
  }
  folders.push(userFolder(place));
  const auto = autoFolder(place);
  const isKnown = folders.some(({ path }) => realPath(path) === realPath(auto));
  const { isOff, directory } = autoMemory(place);
  if (
    isFolder(auto) && !isKnown && !isOff && !(directory === undefined && isOfOthers(auto, place))
  ) {
    // Where all projects share one, the transcripts that could tell who wrote a file are not beside it.
    const trust = directory === undefined ? place.trust : undefined;
    folders.push({ scope: "auto", path: auto, ...trust !== undefined && { trust } });
  }
  return [...folders, ...teamFolders(place.teams, project?.root)]
    .map((folder) => withKnown(folder, place));
}

/** The same without those of the projects around a submodule, which a session in it only reads. */
export function localFolders(place: Place): MemoryFolder[] {
  return memoryFolders(place).filter(({ isAround }) => !isAround);
}

/** A folder with what is known of its files at a place. */
export function withKnown(folder: MemoryFolder, { known }: Pick<Place, "known">): MemoryFolder {
  return known === undefined ? folder : { ...folder, known };
}

/** Claude Code's auto memory of the project where its settings turn that off: it exists, and does not apply. */
export function leftOutFolder(place: Place): MemoryFolder | undefined {
  const path = autoFolder(place);
  const isKnown = memoryFolders(place).some((folder) => realPath(folder.path) === realPath(path));
  return autoMemory(place).isOff && isFolder(path) && !isKnown
    ? { scope: "auto", path }
    : undefined;
}

/** The folder of the user's memories, which apply everywhere. */
export function userFolder({ claude }: Pick<Place, "claude">): MemoryFolder {
  return { scope: "user", path: join(claude, "memory") };
}

/** The folder of a project's private memories, for the user alone. */
export function privateFolder({ folder, root }: KnownProject): MemoryFolder {
  return { scope: "project", path: folder, project: root };
}

/**
 * Every `.claude/memory` from the working directory up to the work tree's root, nearest first. A linked work tree
 * without one at its root uses that of the main work tree, which has the uncommitted files.
 */
export function sharedFolders(project: Project, place: Place): SharedFolders {
  const folders: MemoryFolder[] = [];
  const refused: Refused[] = [];
  const look = (at: string): boolean => {
    const path = join(at, ".claude", "memory");
    const stats = lstat(path);
    if (!stats?.isDirectory() && !stats?.isSymbolicLink()) return false;
    if (realPath(path) === realPath(userFolder(place).path)) return false;
    const because = whyRefused(path, at);
    if (because === undefined) folders.push(sharedFolder(path, at, { project, place }));
    else refused.push({ path, because });
    return true;
  };
  let hasOwn = false;
  for (const folder of upwards(project.from)) {
    hasOwn = look(folder);
    if (folder === project.top) break;
  }
  if (!hasOwn && project.top !== project.root) look(project.root);
  return { folders, refused };
}

/**
 * The folder that `memo share` writes to: the nearest shared one, else `.claude/memory` at the work tree's root.
 * Throws a `file` MemoError if that leads elsewhere.
 */
export function sharedFolderToWrite(project: Project, place: Place): MemoryFolder {
  const [nearest] = sharedFolders(project, place).folders;
  if (nearest !== undefined && isWithin(nearest.path, project.top)) return nearest;
  const path = join(project.top, ".claude", "memory");
  const because = whyRefused(path, project.top);
  if (because !== undefined) {
    throw new MemoError("file", `Cannot write to \`${path}\`: ${because}`, {
      hint: "Make it a folder you own inside the repository",
    });
  }
  return sharedFolder(path, project.top, { project, place });
}

/** The settings of a repository that apply: its `.claude/memo.yaml`, if the user trusts it. */
export function projectSettings(place: Place): string | undefined {
  const project = offAt(place) === undefined ? projectAt(place) : undefined;
  const path = project && settingsOf(project, place).path;
  if (path === undefined) return undefined;
  const contents = trusted({ file: place.trust, project: project!.root });
  return contents.size > 0 && contents.has(digestOf(readFileSync(path))) ? path : undefined;
}

/** The nearest `.claude/memo.yaml` up to the work tree's root, trusted or not, or the reason why it is not read. */
export function settingsOf(
  project: Project,
  place: Place,
): { readonly path?: string; readonly refused?: Refused } {
  const own = realPath(join(place.claude, "memo.yaml"));
  for (const folder of upwards(project.from)) {
    const path = join(folder, ".claude", "memo.yaml");
    const stats = lstat(path);
    if (stats !== undefined && !stats.isDirectory() && realPath(path) !== own) {
      const because = whyRefused(path, folder);
      return because === undefined ? { path } : { refused: { path, because } };
    }
    if (folder === project.top) break;
  }
  return {};
}

/**
 * The folder of Claude Code's auto memory of the project, by its settings; the work trees of one repository share it.
 * It may not exist.
 */
export function autoFolder(place: Place): string {
  return autoMemory(place).directory ??
    join(place.claude, "projects", autoName(autoRoot(place.projectDir ?? place.cwd)), "memory");
}

function autoRoot(folder: string): string {
  return realPath(mainRepositoryRoot(folder) ?? folder);
}

/**
 * Whether a folder of auto memory is another project's, too: Claude Code gives the same one to all whose paths differ in
 * signs and foreign letters alone. The transcripts beside it name the folders that they began in.
 */
export function isOfOthers(
  auto: string,
  { projectDir, cwd }: Pick<Place, "projectDir" | "cwd">,
): boolean {
  const folder = dirname(auto), root = autoRoot(projectDir ?? cwd);
  const sameName = foldersBegunIn(folder).filter((path) => autoName(path) === basename(folder));
  const others = sameName.filter((path) => autoRoot(path) !== root);
  // One that has gone, beside the project's own, is the project before it was renamed.
  return others.length === sameName.length ? others.length > 0 : others.some(isFolder);
}

/** The folders that the transcripts in a folder began in, as they were read when it last changed. */
const begun = new Map<string, { readonly mtimeMs: number; readonly folders: readonly string[] }>();

function foldersBegunIn(folder: string): readonly string[] {
  const mtimeMs = statsOf(folder)?.mtimeMs ?? 0;
  const known = begun.get(folder);
  if (known?.mtimeMs === mtimeMs) return known.folders;
  const names = namesIn(folder).filter((name) => name.endsWith(".jsonl")).slice(0, MAX_TRANSCRIPTS);
  const found = names.flatMap((name) => folderBegunIn(join(folder, name)) ?? []);
  const folders = [...new Set(found)];
  begun.set(folder, { mtimeMs, folders });
  return folders;
}

/** The working directory stands in one of the first lines of a transcript. */
const HEAD_BYTES = 64 * 1024, MAX_TRANSCRIPTS = 200;
const CWD = /"cwd":("(?:[^"\\]|\\.)*")/;

/** The folder that a transcript of Claude Code's began in. */
export function folderBegunIn(transcript: string): string | undefined {
  const head = orNothing(() => readPart(transcript, HEAD_BYTES).toString()) ?? "";
  return parsed(CWD.exec(head)?.[1] ?? "") as string | undefined;
}

/** The name that Claude Code gives a project's folder, as observed: for a long path its beginning and a hash. */
export function autoName(root: string): string {
  const name = root.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= MAX_NAME) return name;
  let hash = 0;
  for (let i = 0; i < root.length; i++) hash = Math.imul(hash, 31) + root.charCodeAt(i) | 0;
  return `${name.slice(0, MAX_NAME)}-${Math.abs(hash).toString(36)}`;
}

/** A folder of the repository; memories removed from it go to the project's private one, which is never committed. */
function sharedFolder(
  path: string,
  at: string,
  { project, place }: { readonly project: Project; readonly place: Place },
): MemoryFolder {
  const way = relative(isWithin(at, project.top) ? project.top : project.root, path);
  const name = `${slug(way)}-${shortHash(way)}`;
  return {
    scope: "shared",
    path,
    project: project.root,
    archive: join(project.folder, ".archive", ".shared", name),
    trust: place.trust,
  };
}

/** Why a path below a folder's `.claude` is not read: it may be a link to anywhere, or have any owner. */
function whyRefused(path: string, at: string): string | undefined {
  const stats = lstat(path);
  if (stats?.isSymbolicLink()) return "it is a symbolic link";
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
    return "it is a pipe or a device";
  }
  if (!isWithin(realPath(path), realPath(at))) return "its folder is a link that points outside";
  const user = process.getuid?.();
  const isOwn = (at: string) => [undefined, user].includes(statsOf(at)?.uid);
  const isForeign = user !== undefined && ![path, dirname(path)].every(isOwn);
  return isForeign ? "it belongs to another user" : undefined;
}

function lstat(path: string): Stats | undefined {
  return orNothing(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Every memory folder of a person: those that apply at a place, then those of all other known projects, each once. */
export function everyFolder(place: Place): MemoryFolder[] {
  const folders = new Map(memoryFolders(place).map((folder) => [folder.path, folder]));
  for (const project of projectsOn(place)) {
    const isThere = statsOf(project.root)?.isDirectory() ?? false;
    const own = isThere
      ? memoryFolders(placeIn(place, project.root, project.root))
      : [privateFolder(project)]; // moved or deleted, and what memo knows of it is still there
    for (const folder of own) if (!folders.has(folder.path)) folders.set(folder.path, folder);
  }
  return [...folders.values()];
}
