// Which project a folder belongs to, and where memo keeps its memories of it. A project is identified by the main work
// tree of its repository, so that linked work trees, subfolders and the model's own `cd` all belong to it; without a
// repository it is the folder that Claude Code or a command runs in, without its subfolders. The home folder, its
// ancestors and Claude Code's own folder are never projects.

import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { MemoError } from "../../errors.ts";
import { readRegular } from "../files/bounded.ts";
import { namesIn, orNothing, statsOf } from "../files/there.ts";
import { realPathOf } from "../files/real_path.ts";
import type { Env, Paths } from "../../paths.ts";
import type { KnownMemories } from "./memory.ts";
import { markOf, type ProjectRecord, readRecord, recordRoot } from "./project_record.ts";
import { slug } from "./title.ts";
import { answerOfGit, git } from "../files/git.ts";

/** A working directory, and the facts that decide which memories apply there. */
export interface Place extends Pick<Paths, "claude" | "home" | "trust" | "teams"> {
  /** The working directory; the model may have changed it. */
  readonly cwd: string;
  /** The folder that Claude Code runs in; undefined on a command line. */
  readonly projectDir?: string | undefined;
  /** Knows what the files of its memory folders say. */
  readonly known?: KnownMemories | undefined;
  /** The person's settings, which say in which folders memo is off (`off.ts`). */
  readonly config?: string | undefined;
}

/** A project, to which memories belong that are not the user's alone. */
export interface Project {
  /** Real path of the main work tree, or of the folder that Claude Code runs in. */
  readonly root: string;
  /** The work tree that the working directory lies in; `root` unless it is a linked one. */
  readonly top: string;
  /** The start of the walk up to `top`: the working directory, as far as it belongs to the project. */
  readonly from: string;
  /** Its display name: the name of the root's folder. */
  readonly name: string;
  /** The folder of its private memories. It may not exist. */
  readonly folder: string;
}

/** The folder below the user's memories that holds the private ones of projects. */
export const PROJECTS = "projects";

/** The place of a working directory, given the paths of a process. */
export function placeIn(
  { claude, home, trust, teams, config, known }: Omit<Place, "cwd" | "projectDir">,
  cwd: string,
  projectDir?: string,
): Place {
  const optional = { ...config !== undefined && { config }, ...known !== undefined && { known } };
  return { claude, home, trust, teams, cwd, projectDir, ...optional };
}

/** The project of a place; undefined in the home folder, above it, and in Claude Code's own. */
export function projectAt(place: Place): Project | undefined {
  const start = realPath(place.projectDir ?? place.cwd);
  const found = rootsOf(start, place);
  if (found === undefined) return undefined;
  const cwd = realPath(place.cwd);
  const there = cwd === start ? found : repositoryOf(cwd, place);
  const isLinked = there?.root === found.root;
  const top = isLinked ? there.top : found.top;
  const from = isLinked || isWithin(cwd, top) ? cwd : start;
  return { ...projectOf(found.root, place.claude), top, from };
}

/** The project of a root, from any working directory. */
export function projectOf(root: string, claude: string): Omit<Project, "top" | "from"> {
  const name = basename(root) || root;
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 10);
  return { root, name, folder: join(claude, "memory", PROJECTS, `${slug(name)}-${hash}`) };
}

/** The readable part of the private folder that a path is in: the project's display name. */
export function projectNameIn(path: string): string | undefined {
  return PRIVATE.exec(path)?.[1];
}

const PRIVATE = new RegExp(`[/\\\\]${PROJECTS}[/\\\\]([^/\\\\]+)-[0-9a-f]{10}[/\\\\]`);

/** A project with a private folder. */
export type KnownProject = Pick<Project, "root" | "folder">;

/** Every project that has a private folder, by root, with what is recorded of it. */
export function knownProjects(claude: string): (KnownProject & ProjectRecord)[] {
  const parent = join(claude, "memory", PROJECTS);
  return namesIn(parent).flatMap((name) => {
    const folder = join(parent, name);
    const record = readRecord(folder);
    return record === undefined ? [] : [{ ...record, folder }];
  }).sort((a, b) => a.root < b.root ? -1 : 1);
}

/** Makes a project's private folder, and records its owner; throws a `file` MemoError if it is another project's. */
export function makeProjectFolder(folder: string, root: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const recorded = readRecord(folder);
  if (recorded !== undefined && recorded.root !== root) {
    throw new MemoError(
      "file",
      `Cannot write to \`${folder}\`: it belongs to \`${recorded.root}\``,
      { hint: `Run \`memo doctor --moved ${recorded.root}\` here if the project has moved` },
    );
  }
  const mark = markOf(root);
  const isKnown = recorded !== undefined && (mark === undefined || mark === recorded.mark);
  if (!isKnown) recordRoot(folder, root);
}

type Roots = Pick<Project, "root" | "top">;

function rootsOf(start: string, place: Place): Roots | undefined {
  const repository = repositoryOf(start, place);
  if (repository !== undefined) return repository;
  const isNone = isTooHigh(start, place) || isWithin(start, realPath(place.claude));
  return isNone ? undefined : { root: start, top: start };
}

function repositoryOf(folder: string, place: Place): Roots | undefined {
  const top = repositoryRoot(folder);
  if (top === undefined || isTooHigh(top, place)) return undefined;
  const root = realPath(mainRepositoryRoot(folder) ?? top);
  return { root: isTooHigh(root, place) ? top : root, top };
}

/** The home folder holds all projects, and so do its ancestors. */
function isTooHigh(folder: string, { home }: Place): boolean {
  return isWithin(realPath(home), folder);
}

/** The root of the repository or work tree that a folder is in. */
export function repositoryRoot(cwd: string): string | undefined {
  for (const folder of upwards(cwd)) if (statsOf(join(folder, ".git"))) return folder;
  return undefined;
}

/**
 * The root of the main work tree, or a bare repository itself: a linked work tree has a file `.git` that points
 * there (gitrepository-layout(5)). Anyone can write such a file, so the repository must list the work tree too.
 */
export function mainRepositoryRoot(cwd: string): string | undefined {
  const root = repositoryRoot(cwd);
  if (root === undefined) return undefined;
  const link = join(root, ".git");
  if (isFolder(link)) return root;
  try {
    const gitdir = gitdirOf(root);
    const common = realPath(readPath(join(gitdir, "commondir")));
    const isKnown = dirname(gitdir) === join(common, "worktrees") &&
      realPath(readPath(join(gitdir, "gitdir"))) === realPath(link);
    if (!isKnown) return root;
    return basename(common) === ".git" ? dirname(common) : submoduleOf(common) ?? common;
  } catch {
    return root; // a submodule, or a work tree whose repository was deleted
  }
}

/** The folder that a work tree's file `.git` leads to. */
function gitdirOf(top: string): string {
  const to = /^gitdir:\s*(.+)$/m.exec(readGitFile(join(top, ".git")))![1]!.trim();
  return realPath(resolve(top, to));
}

/** The work tree of a submodule's repository, which each names the other; undefined: it is a bare one. */
function submoduleOf(common: string): string | undefined {
  const config = orNothing(() => readGitFile(join(common, "config"))) ?? "";
  const [, to] = /^\s*worktree\s*=\s*(.+)$/m.exec(config) ?? [];
  const top = to === undefined ? undefined : realPath(resolve(common, to.trim()));
  return top !== undefined && orNothing(() => gitdirOf(top)) === common ? top : undefined;
}

/**
 * The project around a submodule, in whose `.gitmodules` it is listed; undefined: it is no submodule. A repository that
 * merely lies in another one has nothing to do with it.
 */
export function superprojectOf({ root }: Pick<Project, "root">, place: Place): Project | undefined {
  const above = dirname(root), top = repositoryRoot(above);
  const read = () => readGitFile(join(top!, ".gitmodules"));
  const listed = top === undefined ? undefined : orNothing(read);
  if (listed === undefined) return undefined;
  const paths = [...listed.matchAll(/^\s*path\s*=\s*"?(.+?)"?\s*$/gm)].map(([, path]) => path!);
  if (!paths.some((path) => join(top!, path) === root)) return undefined;
  const around = projectAt({ ...place, cwd: above, projectDir: undefined });
  return around?.top === top ? around : undefined; // a repository of the whole home is no project
}

/** The path in one of git's files, relative to the file's folder. */
function readPath(file: string): string {
  return resolve(dirname(file), readGitFile(file).trim());
}

/** Maximum bytes of one of git's files: some hundred submodules or a thousand branches take 100 KB. */
const MAX_BYTES = 1024 * 1024;

/** One of git's files. Throws for a pipe, as anybody may put in its place: reading it would not end. */
export function readGitFile(path: string): string {
  return readRegular(path, MAX_BYTES).toString();
}

/** A folder and its ancestors, up to the root of the file system. */
export function* upwards(from: string): Generator<string> {
  for (let folder = resolve(from);; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder) return;
  }
}

/** Whether a path is a folder, or in it; both are real paths. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path leads to a folder. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** A path with its links followed, as far as it exists. */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realPathOf(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}

// What a project is called on every machine: its path differs, its repository does not.
/** What the clones of one project have in common. */
export interface Identity {
  readonly name: string;
  /** Addresses of its remotes, `host/path`, that of `origin` first. */
  readonly remotes: readonly string[];
  /** Its first commits. */
  readonly commits: readonly string[];
}

/** What tells the identity of a repository: its remotes, and its first commits. */
const QUESTIONS = [
  ["config", "--get-regexp", "^remote\\..*\\.url$"],
  ["rev-list", "--max-parents=0", "HEAD"],
] as const;
const TIMEOUT_MS = 5000;

/** The identity of a project that a command is about; without git or a repository, its name alone. */
export async function identityOf(root: string, env: Env): Promise<Identity> {
  return identityFrom(
    root,
    await Promise.all(QUESTIONS.map(async (args) => {
      try {
        const options = { folder: root, env, timeoutMs: TIMEOUT_MS, isOffline: true };
        const { code, stdout } = await git(args, options);
        return code === 0 ? stdout : undefined;
      } catch {
        return undefined; // no git, or the project is gone
      }
    })),
  );
}

/** The same of a project that nobody asked about, whose repository is not trusted; undefined: git does not answer. */
export async function safeIdentityOf(
  root: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Identity | undefined> {
  const answers = await Promise.all(
    QUESTIONS.map((args) => answerOfGit(root, args, { timeoutMs, maxBytes: MAX_BYTES })),
  );
  return answers.includes(undefined) ? undefined : identityFrom(root, answers);
}

function identityFrom(root: string, answers: readonly (Buffer | undefined)[]): Identity {
  const [config = [], commits = []] = answers.map((answer) =>
    (answer?.toString("utf8") ?? "").split("\n").filter((line) => line !== "")
  );
  const urls = config
    .map((line) => line.split(" "))
    .sort(([a = ""], [b = ""]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .flatMap(([, ...url]) => addressOf(url.join(" ")) ?? []);
  return { name: basename(root), remotes: [...new Set(urls)], commits: commits.sort() };
}

function rank(key: string): number {
  return key === "remote.origin.url" ? 0 : 1;
}

/**
 * Whether two identities are of one project: a common remote, or, where one of them has no remote, a common first
 * commit. Forks have their first commit in common, and are projects of their own. Without a repository the name counts.
 */
export function isSameProject(a: Identity, b: Identity): boolean {
  const common = (key: "remotes" | "commits") => a[key].some((each) => b[key].includes(each));
  if (a.remotes.length > 0 && b.remotes.length > 0) return common("remotes");
  if (a.commits.length > 0 && b.commits.length > 0) return common("commits");
  const isBare = (each: Identity) => each.remotes.length === 0 && each.commits.length === 0;
  return isBare(a) && isBare(b) && a.name === b.name;
}

/** A remote's address without protocol, login and suffix: `git@github.com:a/b.git` and `https://github.com/a/b`. */
export function addressOf(url: string): string | undefined {
  const plain = url.trim().replace(/\/+$/, "").replace(/\.git$/i, "");
  const [, host, path] = /^\w[\w+.-]*:\/\/(?:[^/@]*@)?([^/:]*)(?::\d+)?\/*(.*)$/.exec(plain) ??
    /^(?:[^@/\\:]+@)?([^/\\:]{2,}):(?!\\)\/*(.*)$/.exec(plain) ?? [];
  if (path === undefined) return plain === "" ? undefined : `file/${plain.replace(/^\/+/, "")}`;
  return `${host === "" ? "file" : host!.toLowerCase()}/${path}`;
}
