import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { MemoryFolder } from "./memory.ts";
import { statsOf } from "../files/stats.ts";

/** Longest name of a project's folder that Claude Code makes of the path alone. */
const MAX_NAME = 200;

export interface Place {
  /** The working directory. */
  readonly cwd: string;
  /** Claude Code's configuration folder. */
  readonly claude: string;
}

/**
 * The memory folders that count for a working directory, nearest first: the project's when there is one, the
 * user's, and Claude Code's own auto memory of the project when there is one.
 */
export function memoryFolders({ cwd, claude }: Place): MemoryFolder[] {
  const folders: MemoryFolder[] = [];
  const project = projectFolder({ cwd, claude });
  if (project !== undefined) folders.push({ scope: "project", path: project });
  folders.push({ scope: "user", path: join(claude, "memory") });
  const auto = autoFolder({ cwd, claude });
  if (isFolder(auto)) folders.push({ scope: "auto", path: auto });
  return folders;
}

/** The nearest `.claude/memory` from the working directory up; never the one in Claude Code's own folder. */
export function projectFolder({ cwd, claude }: Place): string | undefined {
  const own = realPath(join(claude, "memory"));
  for (const folder of upwards(cwd)) {
    const memory = join(folder, ".claude", "memory");
    if (isFolder(memory) && realPath(memory) !== own) return memory;
  }
  return undefined;
}

/** The project's settings: the nearest `.claude/memo.yaml` upwards; never one in Claude Code's own folder. */
export function projectSettings({ cwd, claude }: Place): string | undefined {
  const own = realPath(join(claude, "memo.yaml"));
  for (const folder of upwards(cwd)) {
    const file = join(folder, ".claude", "memo.yaml");
    if (statsOf(file)?.isFile() && realPath(file) !== own) return file;
  }
  return undefined;
}

/** Where a project's memories would be written: its folder, else `.claude/memory` at the repository's root. */
export function projectFolderToWrite(place: Place): string {
  return projectFolder(place) ?? join(repositoryRoot(place.cwd) ?? place.cwd, ".claude", "memory");
}

/** Claude Code's auto memory of the project; the worktrees of one repository share it. It may not exist. */
export function autoFolder({ cwd, claude }: Place): string {
  const root = realPath(mainRepositoryRoot(cwd) ?? cwd);
  return join(claude, "projects", projectName(root), "memory");
}

/** The name that Claude Code gives a project's folder, as observed: of a long path the beginning and a hash. */
function projectName(root: string): string {
  const name = root.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= MAX_NAME) return name;
  let hash = 0;
  for (let i = 0; i < root.length; i++) hash = Math.imul(hash, 31) + root.charCodeAt(i) | 0;
  return `${name.slice(0, MAX_NAME)}-${Math.abs(hash).toString(36)}`;
}

/** The root of the repository or worktree that a folder lies in. */
function repositoryRoot(cwd: string): string | undefined {
  for (const folder of upwards(cwd)) if (statsOf(join(folder, ".git"))) return folder;
  return undefined;
}

/**
 * The root of the main worktree, of a bare repository the repository itself: a linked worktree has a file `.git`
 * that leads there (gitrepository-layout(5)). Anybody can write such a file, so the repository must know it too.
 */
function mainRepositoryRoot(cwd: string): string | undefined {
  const root = repositoryRoot(cwd);
  if (root === undefined) return undefined;
  const link = join(root, ".git");
  if (isFolder(link)) return root;
  try {
    const to = /^gitdir:\s*(.+)$/m.exec(readFileSync(link, "utf8"))![1]!.trim();
    const gitdir = realPath(resolve(root, to));
    const common = realPath(readPath(join(gitdir, "commondir")));
    const isKnown = dirname(gitdir) === join(common, "worktrees") &&
      realPath(readPath(join(gitdir, "gitdir"))) === realPath(link);
    if (!isKnown) return root;
    return basename(common) === ".git" ? dirname(common) : common;
  } catch {
    return root; // a submodule, or a worktree whose repository has gone
  }
}

/** The path that a file of git's holds, relative to the file's folder. */
function readPath(file: string): string {
  return resolve(dirname(file), readFileSync(file, "utf8").trim());
}

function* upwards(from: string): Generator<string> {
  for (let folder = resolve(from);; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder) return;
  }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** A path with its links followed, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
