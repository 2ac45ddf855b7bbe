// The repository that mirrors the memory folders: a bare one in memo's state, written with git's plumbing. There is no
// work tree, so nothing that another machine commits is checked out, and no folder of the user's becomes a repository.

import { existsSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { MemoError } from "../../errors.ts";
import { blobId, firstLine, git, gitOutput } from "../../core/files/git.ts";
import type { Env } from "../../paths.ts";
import { isPortable, limitOf, PLACE, PROJECT_FILE } from "./portable.ts";
import { type FileTree, type MergedContent, placeOf } from "./merge_trees.ts";

const BRANCH = "refs/heads/main";
const REMOTE = "refs/remotes/origin/main";
/** The last commit that this machine has synced. */
const HERE = "refs/memo/here";
/** The tree of what was on this machine's disk then, by folder. */
const DISK = "refs/memo/disk";
const NETWORK_MS = 120_000;
/** Bytes of files that are held at a time. */
export const PIECE = 64 * 1024 * 1024;
/** The line of a first commit that names one of a history that was there before. */
export const REPLACES = "Replaces: ";
const BEHIND =
  /\[rejected\]|non-fast-forward|fetch first|cannot lock ref|failed to update|stale info/;

/** A commit and its files; neither, before anything was synced. */
export interface Snapshot {
  readonly commit: string | undefined;
  readonly tree: FileTree;
}

/** A mirror of the memory folders. */
export class SyncRepository {
  readonly #folder: string;
  readonly #env: Env;
  /** The bytes of each file of the trees that were read, by id. */
  readonly #sizes = new Map<string, number>();
  /** Contents that are about to be asked for, by id. */
  readonly #ahead = new Map<string, Buffer>();

  constructor(folder: string, env: Env) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Whether it has been made. */
  exists(): boolean {
    return existsSync(join(this.#folder, "HEAD"));
  }

  /** Makes it, and sets its remote. */
  async make(remote: string): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (!this.exists()) await this.#run(["init", "--quiet", "--bare", "--object-format=sha1"]);
    await this.#run(["symbolic-ref", "HEAD", BRANCH]);
    await this.#run(["config", "remote.origin.url", remote]);
    await this.#run(["config", "remote.origin.fetch", `+${BRANCH}:${REMOTE}`]);
    // A server packs as it likes. In a folder git packs after 50 packs or 6,700 files, and each list of all files is one.
    const receive = isAbsolute(remote)
      ? "git -c receive.unpackLimit=1 receive-pack"
      : "git-receive-pack";
    await this.#run(["config", "remote.origin.receivepack", receive]);
  }

  /** The address of the remote; undefined: none is set. */
  remote(): Promise<string | undefined> {
    return this.#ask(["config", "--get", "remote.origin.url"]);
  }

  /** Fetches what the other machines have pushed. */
  async fetch(): Promise<Snapshot> {
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await this.#try(args, { timeoutMs: NETWORK_MS });
      if (code !== 0) throw unreachable("read", stderr);
      return stdout;
    };
    const isEmpty = (await ask("ls-remote", "origin", BRANCH)).length === 0;
    if (isEmpty) return { commit: undefined, tree: new Map() };
    await ask("fetch", "--quiet", "--no-tags", "origin");
    return await this.#at(REMOTE);
  }

  /** Pushes a commit, without a history in the place of `former`; false: the remote has a newer one. */
  async push(commit: string, former?: string): Promise<boolean> {
    const lease = former === undefined ? [] : [`--force-with-lease=${BRANCH}:${former}`];
    const args = ["push", "--quiet", ...lease, "origin", `${commit}:${BRANCH}`];
    const { code, stderr } = await this.#try(args, { timeoutMs: NETWORK_MS });
    if (code === 0) {
      await this.#run(["update-ref", BRANCH, commit]);
      return true;
    }
    if (BEHIND.test(stderr)) return false;
    throw unreachable("write to", stderr);
  }

  /** Every commit in the history of one, itself included. */
  async history(commit: string): Promise<string[]> {
    return (await this.#text(["rev-list", commit])).split("\n");
  }

  /** Whether the history of a commit began anew in the place of one with this commit. */
  async replaces(commit: string, former: string): Promise<boolean> {
    const args = ["log", "--max-parents=0", "--format=%B", commit];
    return (await this.#text(args)).split("\n").includes(REPLACES + former);
  }

  /** Deletes what no commit has any more. */
  async prune(commit: string): Promise<void> {
    for (const ref of [BRANCH, REMOTE]) await this.#run(["update-ref", ref, commit]);
    await this.#run(["reflog", "expire", "--expire=now", "--all"]);
    await this.#run(["gc", "--quiet", "--prune=now"], { timeoutMs: NETWORK_MS });
  }

  /** The last commit that this machine has synced. */
  here(): Promise<Snapshot> {
    return this.#at(HERE);
  }

  /** The files that were on this machine's disk then, by folder. */
  async disk(): Promise<FileTree> {
    return (await this.#at(DISK)).tree;
  }

  /** Records a sync: its commit, and what is on disk. */
  async setHere(commit: string, disk: FileTree): Promise<void> {
    const lines = [`update ${HERE} ${commit}`, `update ${DISK} ${await this.#write(disk)}`];
    await this.#run(["update-ref", "--stdin"], { input: lines.join("\n") + "\n" });
  }

  /** The last commit that two have in common; undefined: they have none. */
  commonOf(a: string, b: string): Promise<string | undefined> {
    return this.#ask(["merge-base", a, b]);
  }

  /** The files of a commit that may be written on a machine; links, programs and odd names are left out. */
  async treeOf(commit: string | undefined): Promise<FileTree> {
    const tree = new Map<string, string>();
    if (commit === undefined) return tree;
    const listing = await this.#run(["ls-tree", "-r", "-l", "-z", "--full-tree", commit]);
    for (const line of listing.toString("utf8").split("\0")) {
      const [, mode, id, size, relativePath] =
        /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
      if (mode !== "100644" || !isAllowed(relativePath!)) continue;
      tree.set(relativePath!, id!);
      this.#sizes.set(id!, Number(size));
    }
    return tree;
  }

  /** The bytes of a file, without reading it. */
  sizeOf(id: string): number {
    return this.#sizes.get(id) ?? 0;
  }

  /** Whether a file of a tree is larger than any that memo sends. */
  isTooLarge(relativePath: string, id: string): boolean {
    return this.sizeOf(id) > limitOf(placeOf(relativePath).rest);
  }

  /** Makes contents part of the repository, by their ids. */
  async store(contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    if (contents.size === 0) return;
    const input = [...contents].flatMap(([id, bytes]) => {
      this.#sizes.set(id, bytes.length);
      return [Buffer.from(`blob\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")];
    });
    await this.#run(["fast-import", "--quiet", "--done"], {
      input: Buffer.concat([...input, Buffer.from("done\n")]),
    });
  }

  /** A merged tree, whose new texts become part of the repository. */
  async stored(files: ReadonlyMap<string, MergedContent>): Promise<Map<string, string>> {
    const tree = new Map<string, string>();
    const texts = new Map<string, Uint8Array>();
    for (const [relativePath, content] of files) {
      if ("id" in content) tree.set(relativePath, content.id);
      else {
        const bytes = Buffer.from(content.text);
        const id = blobId(bytes);
        texts.set(id, bytes);
        tree.set(relativePath, id);
      }
    }
    await this.store(texts);
    return tree;
  }

  /** The bytes of a file, which must not be too large. */
  async read(id: string): Promise<Buffer> {
    return this.#ahead.get(id) ?? await this.#run(["cat-file", "blob", id]);
  }

  /** Reads files that will be asked for with one process, as many as fit; returns how many. `""` is none. */
  async readAhead(ids: readonly string[]): Promise<number> {
    let bytes = 0;
    const end = ids.findIndex((id) => (bytes += this.sizeOf(id)) > PIECE);
    const some = ids.slice(0, end === -1 ? undefined : Math.max(1, end));
    const input = some.map((id) => id && `${id}\n`).join("");
    this.#ahead.clear();
    if (input === "") return some.length;
    const output = await this.#run(["cat-file", "--batch"], { input });
    for (let at = 0; at < output.length;) {
      const start = output.indexOf("\n", at) + 1;
      const [id, type, size] = output.toString("utf8", at, start - 1).split(" ");
      at = start;
      if (type !== "blob") continue; // it is missing
      at += Number(size) + 1;
      this.#ahead.set(id!, output.subarray(start, at - 1));
    }
    return some.length;
  }

  async readText(id: string): Promise<string> {
    return (await this.read(id)).toString("utf8");
  }

  /** Commits a tree, and returns the commit. */
  async commit(
    files: FileTree,
    { parents, message }: { readonly parents: readonly string[]; readonly message: string },
  ): Promise<string> {
    const tree = await this.#write(files);
    const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
    return await this.#text(args, { input: message + "\n" });
  }

  async #write(files: FileTree): Promise<string> {
    const lines = [...files].map(([relativePath, id]) => `100644 ${id}\t${relativePath}\0`);
    await this.#run(["read-tree", "--empty"]);
    await this.#run(["update-index", "-z", "--index-info"], { input: lines.join("") });
    return await this.#text(["write-tree"]);
  }

  async #at(ref: string): Promise<Snapshot> {
    const commit = await this.#ask(["rev-parse", "--verify", "--quiet", ref]);
    return { commit, tree: await this.treeOf(commit) };
  }

  /** What git prints; undefined if it fails. */
  async #ask(args: readonly string[]): Promise<string | undefined> {
    const { code, stdout } = await this.#try(args);
    return code === 0 ? stdout.toString("utf8").trim() : undefined;
  }

  async #text(args: readonly string[], options?: Options): Promise<string> {
    return (await this.#run(args, options)).toString("utf8").trim();
  }

  #run(args: readonly string[], options?: Options) {
    return gitOutput(["--git-dir=.", ...args], this.#options(options));
  }

  #try(args: readonly string[], options?: Options) {
    return git(["--git-dir=.", ...args], this.#options(options));
  }

  #options(options?: Options) {
    return { folder: this.#folder, env: this.#env, ...options };
  }
}

type Options = Partial<Parameters<typeof git>[1]>;

function isAllowed(relativePath: string): boolean {
  const { place, rest } = placeOf(relativePath);
  if (!PLACE.test(place)) return false;
  return isPortable(rest) || (rest === PROJECT_FILE && place !== "user");
}

function unreachable(what: string, stderr: string): MemoError {
  const line = firstLine(stderr);
  const isLogin =
    /could not read (?:Username|Password)|terminal prompts disabled|Permission denied|Authentication failed|Host key verification/i
      .test(stderr);
  return new MemoError("file", `Cannot ${what} the remote: ${line}`, {
    hint: isLogin
      ? "Run `git ls-remote ADDRESS` once in a terminal, so that git stores the login or host key"
      : "Check the address and the connection, then run `memo sync` again",
  });
}
