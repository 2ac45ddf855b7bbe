// What git knows of a repository, as far as a note can be checked by it. Every question is bounded in time and size, and
// asked of commits alone: neither the work tree nor a remote is looked at. `undefined` is always "cannot tell".

import { setImmediate } from "node:timers/promises";
import type { Witness } from "../memory/standing.ts";
import { answerOfGit, askGit, type GitQuestion } from "../memory/git.ts";

/** A commit of the main line: HEAD's history by first parents. */
export interface Commit {
  readonly id: string;
  /** Committed at, in milliseconds since 1970. */
  readonly at: number;
}

/** A file of a tree. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The files of a commit. */
export interface Tree {
  readonly commit: string;
  readonly files: ReadonlyMap<string, Blob>;
  readonly folders: ReadonlySet<string>;
  /** The paths of each base name. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/** Commits of the main line, files of a tree, and bytes of a question that are looked at. */
const MOST_COMMITS = 50_000, MOST_FILES = 150_000, MOST_BYTES = 32 * 1024 * 1024;
/** Bytes and blobs that are read with one question, and the longest that is read: more is made by a program. */
const BYTES_AT_ONCE = 512 * 1024, BLOBS_AT_ONCE = 2000, LONGEST = 256 * 1024;
/** Files that are listed before others go on. */
const LISTED_AT_ONCE = 5000;
/** How often a file is followed to another name. */
const MOST_MOVES = 6;
const PATHS_AT_ONCE = 300;

/** Questions to the repository of a work tree, until the signal says that it has been enough. */
export class Repository {
  readonly #top: string;
  readonly #signal: AbortSignal;
  readonly #renames = new Map<string, Promise<ReadonlyMap<string, string> | undefined>>();
  #line: readonly Commit[] = [];
  #places: ReadonlyMap<string, number> = new Map();

  constructor(top: string, signal: AbortSignal) {
    this.#top = top;
    this.#signal = signal;
  }

  async #ask(args: readonly string[], question: GitQuestion = {}): Promise<string | undefined> {
    const asked = { timeoutMs: 20_000, maxBytes: MOST_BYTES, signal: this.#signal, ...question };
    return (await answerOfGit(this.#top, args, asked))?.toString("utf8");
  }

  /** HEAD's commit; undefined without one, and in a partial clone, where a question may reach a network. */
  async head(): Promise<string | undefined> {
    const partial = "^(extensions\\.partialclone|remote\\..*\\.promisor)$";
    if (await askGit(this.#top, ["config", "--get-regexp", partial]) !== "") return undefined;
    const id = (await askGit(this.#top, ["rev-parse", "--verify", "-q", "HEAD"])).trim();
    return id === "" ? undefined : id;
  }

  /** Reads the main line, as far as `commitAt` is asked for it. */
  async readLine(head: string): Promise<void> {
    const args = ["log", "--first-parent", `--max-count=${MOST_COMMITS}`, "--format=%H %ct", head];
    const listed = await this.#ask(args) ?? "";
    this.#line = listed.split("\n").filter((line) => line !== "").map((line) => {
      const [id, seconds] = line.split(" ");
      return { id: id!, at: Number(seconds) * 1000 };
    });
    this.#places = new Map(this.#line.map(({ id }, place) => [id, place]));
  }

  /** The branch that is checked out; undefined if none is. */
  async branch(): Promise<string | undefined> {
    return await this.#word("symbolic-ref", "-q", "--short", "HEAD");
  }

  /** The branch that others go into: the remote's, else `main` or `master`; undefined where neither is here. */
  async mainBranch(): Promise<{ readonly name: string; readonly commit: string } | undefined> {
    const remote = await this.#word("symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD");
    for (const name of [remote?.replace(/^origin\//, ""), "main", "master"]) {
      const commit = name === undefined ? undefined : await this.tipOf(name);
      if (commit !== undefined) return { name: name!, commit };
    }
    return undefined;
  }

  /** The last commit of a branch, here or on the remote; undefined if there is none. */
  async tipOf(branch: string): Promise<string | undefined> {
    const find = (ref: string) => this.#word("rev-parse", "--verify", "-q", `${ref}/${branch}`);
    return await find("refs/heads") ?? await find("refs/remotes/origin");
  }

  /** Whether the history of a commit has another one. */
  async isWithin(commit: string, other: string): Promise<boolean> {
    return await this.#word("merge-base", commit, other) === commit;
  }

  /** Whether what a commit changed since it left HEAD's history has come into that in one piece or several. */
  async isSquashed(commit: string, head: string): Promise<boolean> {
    const base = await this.#word("merge-base", commit, head);
    if (base === undefined) return false;
    const raw = ["--no-renames", "--raw", "--no-abbrev", "-r", "--diff-filter=AM"];
    const own = blobsIn(await this.#ask(["diff-tree", ...raw, base, commit]));
    const log = ["log", "--first-parent", "-m", "--format=", ...raw, `${base}..${head}`];
    const here = blobsIn(await this.#ask(log));
    return own.size > 0 && own.isSubsetOf(here);
  }

  /** The next commit of the main line after one of it; undefined if it is the last. */
  after(commit: string): string | undefined {
    return this.#line[(this.#places.get(commit) ?? 0) - 1]?.id;
  }

  async #word(...args: string[]): Promise<string | undefined> {
    return (await askGit(this.#top, args)).trim() || undefined;
  }

  /** Whether a commit is on the main line. */
  isPast(commit: string): boolean {
    return this.#places.has(commit);
  }

  /** The newest commit of the main line at a time, by its place from HEAD; undefined before the first that is here. */
  commitAt(ms: number): (Commit & { readonly place: number }) | undefined {
    const place = this.#line.findIndex(({ at }) => at <= ms);
    return place < 0 ? undefined : { ...this.#line[place]!, place };
  }

  /** How many commits of the main line are newer. */
  placeOf(commit: string): number {
    return this.#places.get(commit) ?? 0;
  }

  /** The files of a commit. */
  async treeOf(commit: string): Promise<Tree | undefined> {
    const listed = await this.#ask(["ls-tree", "-r", "-l", "-z", commit]);
    const files = new Map<string, Blob>();
    const folders = new Set<string>();
    const named = new Map<string, string[]>();
    for (const line of listed?.split("\0") ?? []) {
      const tab = line.indexOf("\t");
      const [, kind, id = "", size] = line.slice(0, tab).split(/ +/);
      if (kind !== "blob") continue; // a submodule, for example
      const path = line.slice(tab + 1);
      files.set(path, { id, size: Number(size) });
      if (files.size % LISTED_AT_ONCE === 0) await setImmediate();
      const name = path.slice(path.lastIndexOf("/") + 1), same = named.get(name);
      if (same === undefined) named.set(name, [path]);
      else same.push(path);
      for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
        const folder = path.slice(0, end);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return files.size === 0 || files.size > MOST_FILES
      ? undefined
      : { commit, files, folders, named };
  }

  /** Gives the texts of files, one after the other; returns whether all could be read. */
  async read(
    tree: Tree,
    paths: readonly string[],
    take: (path: string, text: string) => void,
  ): Promise<boolean> {
    const wanted = paths.filter((path) => (tree.files.get(path)?.size ?? Infinity) <= LONGEST);
    for (let from = 0, end = 0; from < wanted.length; from = end) {
      for (let bytes = 0; end < wanted.length && end - from < BLOBS_AT_ONCE; end++) {
        bytes += tree.files.get(wanted[end]!)!.size;
        if (bytes > BYTES_AT_ONCE && end > from) break;
      }
      const some = wanted.slice(from, end);
      const input = some.map((path) => tree.files.get(path)!.id + "\n").join("");
      const asked = { input, timeoutMs: 20_000, signal: this.#signal };
      const answer = await answerOfGit(this.#top, ["cat-file", "--batch"], asked);
      if (answer === undefined) return false;
      await setImmediate();
      let at = 0;
      for (const path of some) {
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

  /** The lines with each of some words in the code of a commit. */
  async linesWith(words: readonly string[], commit: string): Promise<string | undefined> {
    const patterns = words.flatMap((word) => ["-e", word]);
    const args = ["grep", "-I", "-w", "-F", "-z", ...patterns, commit];
    return await this.#ask(args, { maxBytes: MOST_BYTES / 4 });
  }

  /** The commits after `since` that files of the main line went with, the newest of each. */
  async removals(paths: readonly string[], since: string): Promise<Map<string, Witness>> {
    const found = new Map<string, Witness>();
    const log = ["log", "--first-parent", "-m", "--no-renames", "--diff-filter=D", "--name-only"];
    for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
      const some = paths.slice(from, from + PATHS_AT_ONCE).map((path) => `:(literal)${path}`);
      const args = [...log, "--format=%x01%H%x02%cs%x02%s", `${since}..HEAD`, "--", ...some];
      for (const entry of (await this.#ask(args))?.split("\x01").slice(1) ?? []) {
        const [head = "", ...names] = entry.split("\n");
        const [commit = "", day = "", subject = ""] = head.split("\x02");
        for (const name of names) {
          if (name !== "" && !found.has(name)) found.set(name, { commit, day, subject });
        }
      }
    }
    return found;
  }

  /** Where a file has gone that `removal` took away, by git's renames along the main line; undefined: nowhere. */
  async followed(
    path: string,
    removal: Witness,
    tree: Tree,
  ): Promise<string | undefined> {
    let at = path, by = removal;
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      const next = (await this.#renamesOf(by.commit))?.get(at);
      if (next === undefined || tree.files.has(next)) return next;
      const later = (await this.removals([next], by.commit)).get(next);
      if (later === undefined) return undefined;
      at = next;
      by = later;
    }
    return undefined;
  }

  async #renamesOf(commit: string): Promise<ReadonlyMap<string, string> | undefined> {
    const known = this.#renames.get(commit) ?? this.#readRenames(commit);
    this.#renames.set(commit, known);
    return await known;
  }

  async #readRenames(commit: string): Promise<ReadonlyMap<string, string> | undefined> {
    const args = ["diff-tree", "-r", "-z", "-M50%", "-l1500", "--diff-filter=R", "--name-status"];
    const listed = await this.#ask([...args, `${commit}^1`, commit]);
    if (listed === undefined) return undefined;
    const parts = listed.split("\0");
    const renames = new Map<string, string>();
    for (let i = 0; i + 2 < parts.length; i += 3) renames.set(parts[i + 1]!, parts[i + 2]!);
    return renames;
  }
}

/** The blobs that a raw diff brings in. */
function blobsIn(raw = ""): Set<string> {
  return new Set([...raw.matchAll(/^:\d+ \d+ \w+ (\w+) /gm)].map(([, blob]) => blob!));
}
