// The repository that mirrors the memory folders: a bare one in memo's state, written with git's plumbing. There is no
// work tree, so nothing that another machine commits is checked out, and no folder of the user's becomes a repository.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { MemoError } from "../errors.ts";
import { firstLine, git, gitOutput } from "../files/git.ts";
import type { Env } from "../paths.ts";
import { isPortable } from "./portable.ts";
import { type Content, placeOf, type Tree } from "./merge_trees.ts";

/** The branch that all machines share. */
const BRANCH = "refs/heads/main";
const REMOTE = "refs/remotes/origin/main";
/** The commit whose files are on this machine's disk. */
const HERE = "refs/memo/here";
const NETWORK_MS = 120_000;
/** The file that says which project a folder is. */
export const PROJECT_FILE = ".project.json";

/** Whether the remote took a push. */
export type Pushed = "pushed" | "behind";

/** A mirror of the memory folders. */
export class Repository {
  readonly #folder: string;
  readonly #env: Env;

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
  }

  /** The address of the remote; undefined: none is set. */
  async remote(): Promise<string | undefined> {
    const { code, stdout } = await this.#try(["config", "--get", "remote.origin.url"]);
    return code === 0 ? stdout.toString("utf8").trim() : undefined;
  }

  /** Fetches what the other machines have pushed; undefined: nothing yet. */
  async fetch(): Promise<string | undefined> {
    const { code, stdout, stderr } = await this.#try(
      ["ls-remote", "origin", BRANCH],
      { timeoutMs: NETWORK_MS },
    );
    if (code !== 0) throw unreachable("read", stderr);
    if (stdout.length === 0) return undefined;
    const fetched = await this.#try(["fetch", "--quiet", "--no-tags", "origin"], {
      timeoutMs: NETWORK_MS,
    });
    if (fetched.code !== 0) throw unreachable("read", fetched.stderr);
    return await this.#idOf(REMOTE);
  }

  /** Pushes a commit. */
  async push(commit: string): Promise<Pushed> {
    const args = ["push", "--quiet", "origin", `${commit}:${BRANCH}`];
    const { code, stderr } = await this.#try(args, { timeoutMs: NETWORK_MS });
    if (code === 0) {
      await this.#run(["update-ref", BRANCH, commit]);
      return "pushed";
    }
    if (/\[rejected\]|non-fast-forward|fetch first|cannot lock ref|failed to update/.test(stderr)) {
      return "behind";
    }
    throw unreachable("write to", stderr);
  }

  /** The commit that is on this machine's disk. */
  here(): Promise<string | undefined> {
    return this.#idOf(HERE);
  }

  async setHere(commit: string): Promise<void> {
    await this.#run(["update-ref", HERE, commit]);
  }

  /** Whether a commit is in the history of another. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    return (await this.#try(["merge-base", "--is-ancestor", commit, of])).code === 0;
  }

  /** The last commit that two have in common; undefined: they have none. */
  async commonOf(a: string, b: string): Promise<string | undefined> {
    const { code, stdout } = await this.#try(["merge-base", a, b]);
    return code === 0 ? stdout.toString("utf8").trim() : undefined;
  }

  /** The files of a commit that may be written on a machine; links, programs and odd names are left out. */
  async treeOf(commit: string | undefined): Promise<Tree> {
    if (commit === undefined) return new Map();
    const listing = await this.#run(["ls-tree", "-r", "-z", "--full-tree", commit]);
    return new Map(
      listing.toString("utf8").split("\0").flatMap((line) => {
        const [, mode, id, way] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return mode === "100644" && isAllowed(way!) ? [[way!, id!] as const] : [];
      }),
    );
  }

  /** The ids of files on disk, which become part of the repository. */
  async store(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const odd = paths.find((path) => path.includes("\n"));
    if (odd !== undefined) throw new MemoError("file", `Cannot sync \`${odd}\`: a line end in it`);
    const args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
    const ids = await this.#run(args, { input: paths.join("\n") + "\n" });
    return ids.toString("utf8").trim().split("\n");
  }

  /** The id of a text, which becomes part of the repository. */
  async storeText(text: string): Promise<string> {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    return (await this.#run(args, { input: text })).toString("utf8").trim();
  }

  /** The bytes of a file. */
  read(id: string): Promise<Buffer> {
    return this.#run(["cat-file", "blob", id]);
  }

  /** The bytes of many files, by id. */
  async readAll(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    if (ids.length === 0) return found;
    const output = await this.#run(["cat-file", "--batch"], { input: ids.join("\n") + "\n" });
    for (let at = 0; at < output.length;) {
      const end = output.indexOf("\n", at);
      const [id = "", type, size] = output.subarray(at, end).toString("utf8").split(" ");
      const start = end + 1;
      at = start;
      if (type !== "blob") continue; // it is missing
      at += Number(size) + 1;
      found.set(id, output.subarray(start, at - 1));
    }
    return found;
  }

  async readText(id: string): Promise<string> {
    return (await this.read(id)).toString("utf8");
  }

  /** Commits a tree, and returns the commit. */
  async commit(
    files: ReadonlyMap<string, Content>,
    { parents, message }: { readonly parents: readonly string[]; readonly message: string },
  ): Promise<string> {
    const lines: string[] = [];
    for (const [way, content] of files) {
      const id = "id" in content ? content.id : await this.storeText(content.text);
      lines.push(`100644 ${id}\t${way}\0`);
    }
    await this.#run(["read-tree", "--empty"]);
    await this.#run(["update-index", "-z", "--index-info"], { input: lines.join("") });
    const tree = (await this.#run(["write-tree"])).toString("utf8").trim();
    const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
    return (await this.#run(args, { input: message + "\n" })).toString("utf8").trim();
  }

  async #idOf(ref: string): Promise<string | undefined> {
    const { code, stdout } = await this.#try(["rev-parse", "--verify", "--quiet", ref]);
    return code === 0 ? stdout.toString("utf8").trim() : undefined;
  }

  #run(args: readonly string[], options: Partial<Parameters<typeof git>[1]> = {}) {
    return gitOutput(["--git-dir=.", ...args], {
      folder: this.#folder,
      env: this.#env,
      ...options,
    });
  }

  #try(args: readonly string[], options: Partial<Parameters<typeof git>[1]> = {}) {
    return git(["--git-dir=.", ...args], { folder: this.#folder, env: this.#env, ...options });
  }
}

/** Whether a path of a commit is one that memo makes. */
function isAllowed(way: string): boolean {
  const { place, rest } = placeOf(way);
  if (place === "" || !/^(?:user|projects\/[\p{L}\p{N}\p{M}-]{1,200})$/u.test(place)) return false;
  return isPortable(rest) || (rest === PROJECT_FILE && place !== "user");
}

function unreachable(what: string, stderr: string): MemoError {
  const line = firstLine(stderr);
  const isLogin =
    /could not read (?:Username|Password)|terminal prompts disabled|Permission denied|Authentication failed|Host key verification/i
      .test(stderr);
  return new MemoError("file", `Cannot ${what} the remote: ${line}`, {
    hint: isLogin
      ? "Run `git ls-remote` with its address in a terminal once, so that git has the login or host key"
      : "Check the address and the connection, then run `memo sync` again",
  });
}
