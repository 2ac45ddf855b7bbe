// What git knows of a repository, as far as a note can be checked by it. Every question is bounded in time and size, and
// asked of commits alone: neither the work tree nor a remote is looked at. `undefined` is always "cannot tell".

import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { answerOfGit, askGit, type GitQuestion } from "../../core/files/git.ts";
import type { Witness } from "../../core/relation/standing.ts";

/** What HEAD and the branches are at. */
export interface Refs {
  readonly head: string;
  /** The branch that is checked out. */
  readonly branch: string | undefined;
  /** The branch that others go into: the remote's, else `main` or `master`. */
  readonly main: string | undefined;
  /** The last commit of each branch, here or on the remote. */
  readonly tips: ReadonlyMap<string, string>;
}

/** What the branches of a work tree are at; undefined without a commit. */
export async function refsOf(top: string): Promise<Refs | undefined> {
  const head = (await askGit(top, ["rev-parse", "--verify", "-q", "HEAD"])).trim();
  if (head === "") return undefined;
  const format = "--format=%(HEAD)%00%(refname)%00%(objectname)%00%(symref)";
  const args = ["for-each-ref", format, "refs/remotes/origin", "refs/heads"];
  const tips = new Map<string, string>();
  let branch: string | undefined, main: string | undefined;
  for (const line of (await askGit(top, args, { maxBytes: MOST_BYTES })).split("\n")) {
    const [mark, ref = "", commit = "", points = ""] = line.split("\0");
    const name = ref.replace(/^refs\/(?:heads|remotes\/origin)\//, "");
    if (points !== "") main = points.replace("refs/remotes/origin/", "");
    else if (name !== "" && !tips.has(name)) tips.set(name, commit);
    if (mark === "*") branch = name;
  }
  const isMain = (name: string | undefined) => name !== undefined && tips.has(name);
  return { head, branch, main: [main, "main", "master"].find(isMain), tips };
}

/** A file of a tree. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The files of a commit. */
export interface CommitTree {
  readonly commit: string;
  readonly files: ReadonlyMap<string, Blob>;
  readonly folders: ReadonlySet<string>;
  /** The paths of each base name. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/** What became of a path that HEAD does not have; without a new place it is gone. */
export interface PathStatus {
  readonly to?: string;
  readonly by: Witness;
}

/** Commits of the main line, files of a tree, and bytes of a question that are looked at. */
const MOST_COMMITS = 50_000, MOST_FILES = 150_000, MOST_BYTES = 32 * 1024 * 1024;
/** Bytes and blobs that are read with one question, and the longest that is read: more is made by a program. */
const BYTES_AT_ONCE = 8 * 1024 * 1024, BLOBS_AT_ONCE = 5000, LONGEST = 256 * 1024;
/** Files that are listed, and read, before others go on. */
const LISTED_AT_ONCE = 5000, READ_AT_ONCE = 100;
/** How often files are followed to another name, and how many, with those of folders. */
const MOST_MOVES = 6, MOST_REMOVED = 10_000, PATHS_AT_ONCE = 300;
const QUESTION_MS = 20_000;

/** Questions to the repository of a work tree about a commit's history, until the signal says that it has been enough. */
export class CodeRepository {
  readonly refs: Refs;
  readonly #top: string;
  readonly #signal: AbortSignal;
  /** The main line, HEAD's history by first parents, with each commit's time in milliseconds since 1970. */
  #line: readonly (readonly [commit: string, at: number])[] = [];
  #places: ReadonlyMap<string, number> = new Map();

  private constructor(top: string, refs: Refs, signal: AbortSignal) {
    this.#top = top;
    this.refs = refs;
    this.#signal = signal;
  }

  /** Reads the main line; undefined for a partial clone, where a question may reach a network. */
  static async open(
    top: string,
    { signal, refs }: { readonly signal: AbortSignal; readonly refs: Refs },
  ): Promise<CodeRepository | undefined> {
    const partial = "^(extensions\\.partialclone|remote\\..*\\.promisor)$";
    if (await askGit(top, ["config", "--get-regexp", partial]) !== "") return undefined;
    const repository = new CodeRepository(top, refs, signal);
    const log = ["log", "--first-parent", `--max-count=${MOST_COMMITS}`, "--format=%H %ct"];
    const lines = (await repository.ask([...log, refs.head]) ?? "").split("\n");
    repository.#line = lines.filter((line) => line !== "").map((line) => {
      const [commit, seconds] = line.split(" ");
      return [commit!, Number(seconds) * 1000];
    });
    repository.#places = new Map(repository.#line.map(([commit], place) => [commit, place]));
    return repository;
  }

  /** What git prints. */
  async ask(args: readonly string[], question: GitQuestion = {}): Promise<string | undefined> {
    return (await this.#bytes(args, { maxBytes: MOST_BYTES, ...question }))?.toString("utf8");
  }

  async #bytes(args: readonly string[], question: GitQuestion): Promise<Buffer | undefined> {
    const limits = { timeoutMs: QUESTION_MS, signal: this.#signal };
    return await answerOfGit(this.#top, args, { ...limits, ...question });
  }

  /** How many commits of the main line are newer; undefined: a commit is not on it, or there is none. */
  placeOf(commit: string | undefined): number | undefined {
    return this.#places.get(commit ?? "");
  }

  /** The commit of the main line at a place. */
  at(place: number): string | undefined {
    return this.#line[place]?.[0];
  }

  /** The newest commit of the main line at a time; undefined before the first that is here. */
  commitAt(ms: number): string | undefined {
    return this.#line.find(([, at]) => at <= ms)?.[0];
  }

  /** The files of a commit. */
  async treeOf(commit: string): Promise<CommitTree | undefined> {
    const listed = await this.ask(["ls-tree", "-r", "-l", "-z", commit]);
    const files = new Map<string, Blob>();
    const folders = new Set<string>();
    for (const line of listed?.split("\0") ?? []) {
      const tab = line.indexOf("\t");
      const [, kind, id = "", size] = line.slice(0, tab).split(/ +/);
      if (kind !== "blob") continue; // a submodule, for example
      const path = line.slice(tab + 1);
      files.set(path, { id, size: Number(size) });
      if (files.size % LISTED_AT_ONCE === 0) await setImmediate();
      for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
        const folder = path.slice(0, end);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    if (files.size === 0 || files.size > MOST_FILES) return undefined;
    return { commit, files, folders, named: Map.groupBy(files.keys(), (path) => basename(path)) };
  }

  /** Gives the texts of files, one after the other; returns whether all could be read. */
  async read(
    { files }: CommitTree,
    paths: readonly string[],
    take: (path: string, text: string) => void,
  ): Promise<boolean> {
    const wanted = paths.filter((path) => (files.get(path)?.size ?? Infinity) <= LONGEST);
    for (let from = 0, end = 0; from < wanted.length; from = end) {
      for (let bytes = 0; end < wanted.length && end - from < BLOBS_AT_ONCE; end++) {
        bytes += files.get(wanted[end]!)!.size;
        if (bytes > BYTES_AT_ONCE && end > from) break;
      }
      const some = wanted.slice(from, end);
      const input = some.map((path) => files.get(path)!.id + "\n").join("");
      const answer = await this.#bytes(["cat-file", "--batch"], { input });
      if (answer === undefined) return false;
      let at = 0;
      for (const [i, path] of some.entries()) {
        if (i % READ_AT_ONCE === 0) await setImmediate();
        const end = answer.indexOf(10, at);
        const size = Number(/ blob (\d+)$/.exec(answer.toString("latin1", at, end))?.[1]);
        if (end < 0 || Number.isNaN(size)) return false; // not here: a partial clone, for example
        const bytes = answer.subarray(end + 1, end + 1 + size);
        if (!bytes.subarray(0, 8000).includes(0)) take(path, bytes.toString("utf8"));
        at = end + size + 2;
      }
    }
    return true;
  }

  /** What became of paths that HEAD's tree does not have and a commit had: by git's renames along the main line. */
  async fates(
    paths: readonly string[],
    { since, tree }: { readonly since: string; readonly tree: CommitTree },
  ): Promise<Map<string, PathStatus>> {
    const fates = new Map<string, PathStatus>();
    // The names that files have had, with those that they were asked for by.
    let names = new Map(paths.map((path) => [path, [path]]));
    for (let moves = 0; moves < MOST_MOVES && names.size > 0; moves++) {
      const next = new Map<string, string[]>();
      const removed = await this.#removed([...names.keys()], since);
      for (const [commit, its] of Map.groupBy(removed, ([, { commit }]) => commit)) {
        const renames = await this.#renamesOf(commit);
        for (const [name, by] of its) {
          const to = renames.get(name), isThere = to !== undefined && tree.files.has(to);
          if (to !== undefined && !isThere) {
            next.set(to, [...next.get(to) ?? [], ...names.get(name) ?? [name]]);
          }
          for (const path of names.get(name) ?? [name]) {
            fates.set(path, { by: fates.get(path)?.by ?? by, ...isThere ? { to } : {} });
          }
        }
      }
      names = next;
    }
    for (const path of paths) {
      const fate = fates.get(path) ?? folderStatus(path, fates, tree);
      const to = fate?.to ?? asFolder(path, tree);
      if (fate !== undefined) fates.set(path, { ...fate, ...to === undefined ? {} : { to } });
    }
    return fates;
  }

  /** The files that went after a commit, of some paths and below them, each with the last commit that took it. */
  async #removed(paths: readonly string[], since: string): Promise<Map<string, Witness>> {
    const found = new Map<string, Witness>();
    const log = ["log", "--first-parent", "-m", "--no-renames", "--diff-filter=D", "--name-only"];
    const format = "--format=%x01%H%x02%cs%x02%s";
    for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
      const some = paths.slice(from, from + PATHS_AT_ONCE).map((path) => `:(literal)${path}`);
      const args = [...log, format, `${since}..HEAD`, "--", ...some];
      for (const entry of (await this.ask(args))?.split("\x01").slice(1) ?? []) {
        const [head = "", ...names] = entry.split("\n");
        const [commit = "", day = "", subject = ""] = head.split("\x02");
        for (const name of names) {
          if (name !== "" && !found.has(name) && found.size < MOST_REMOVED) {
            found.set(name, { commit, day, subject });
          }
        }
      }
    }
    return found;
  }

  async #renamesOf(commit: string): Promise<ReadonlyMap<string, string>> {
    const args = ["diff-tree", "-r", "-z", "-M50%", "-l1500", "--diff-filter=R", "--name-status"];
    const parts = (await this.ask([...args, `${commit}^1`, commit]))?.split("\0") ?? [];
    const renames = new Map<string, string>();
    for (let i = 0; i + 2 < parts.length; i += 3) renames.set(parts[i + 1]!, parts[i + 2]!);
    return renames;
  }
}

/** What became of a folder: what became of most of its files. */
function folderStatus(
  path: string,
  fates: ReadonlyMap<string, PathStatus>,
  tree: CommitTree,
): PathStatus | undefined {
  const inside = [...fates].filter(([file]) => file.startsWith(path + "/"));
  if (inside.length === 0) return undefined;
  const by = inside.map(([, fate]) => fate.by).reduce((a, b) => a.day >= b.day ? a : b);
  const places = Map.groupBy(inside, ([file, { to }]) => {
    const end = file.slice(path.length);
    return to?.endsWith(end) ? to.slice(0, -end.length) : "";
  });
  const [to, its] = [...places].reduce((a, b) => b[1].length > a[1].length ? b : a);
  return its.length * 2 > inside.length && tree.folders.has(to) ? { to, by } : { by };
}

/** `x.rs` that is now `x/mod.rs`, and the like. */
function asFolder(file: string, { files }: CommitTree): string | undefined {
  const [, stem = "", ending] = /^(.+)\.(\w+)$/.exec(file) ?? [];
  return ["mod", "__init__", "index"].map((name) => `${stem}/${name}.${ending}`)
    .find((path) => files.has(path));
}
