// What a project is called on every machine: its path differs, its repository does not.

import { git } from "../files/git.ts";
import type { Env } from "../../paths.ts";
import { basename } from "node:path";

/** What the clones of one project have in common. */
export interface Identity {
  readonly name: string;
  /** Addresses of its remotes, `host/path`, that of `origin` first. */
  readonly remotes: readonly string[];
  /** Its first commits. */
  readonly commits: readonly string[];
}

const TIMEOUT_MS = 5000;

/** The identity of a project; without git or a repository, its name alone. */
export async function identityOf(root: string, env: Env): Promise<Identity> {
  const ask = async (...args: string[]) => {
    try {
      const { code, stdout } = await git(args, { folder: root, env, timeoutMs: TIMEOUT_MS });
      return code === 0 ? stdout.toString("utf8").split("\n").filter((line) => line !== "") : [];
    } catch {
      return []; // no git, or the project is gone
    }
  };
  const urls = (await ask("config", "--get-regexp", "^remote\\..*\\.url$"))
    .map((line) => line.split(" "))
    .sort(([a = ""], [b = ""]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .flatMap(([, ...url]) => addressOf(url.join(" ")) ?? []);
  const commits = await ask("rev-list", "--max-parents=0", "HEAD");
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
