import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { MemoryFolder } from "./memory.ts";

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
  return join(claude, "projects", root.replace(/[^A-Za-z0-9]/g, "-"), "memory");
}

/** The root of the repository or worktree that a folder lies in. */
function repositoryRoot(cwd: string): string | undefined {
  for (const folder of upwards(cwd)) if (statsOf(join(folder, ".git"))) return folder;
  return undefined;
}

/** The root of the main worktree: a linked one has a file `.git` that leads there (gitrepository-layout(5)). */
function mainRepositoryRoot(cwd: string): string | undefined {
  const root = repositoryRoot(cwd);
  if (root === undefined) return undefined;
  const link = join(root, ".git");
  if (isFolder(link)) return root;
  try {
    const gitdir = resolve(root, /^gitdir:\s*(.+)$/m.exec(readFileSync(link, "utf8"))![1]!.trim());
    const common = resolve(gitdir, readFileSync(join(gitdir, "commondir"), "utf8").trim());
    return dirname(common);
  } catch {
    return root; // a submodule, or a worktree whose repository has gone
  }
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

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // not there, or not ours to look at
  }
}

/** A path with its links followed, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
