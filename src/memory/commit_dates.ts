// When a file was last committed: after `git clone` every file on disk has today's date.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { text } from "node:stream/consumers";

/** Absolute paths only: a search path may lead into the repository itself. */
const GITS = [
  "/usr/bin/git",
  "/usr/local/bin/git",
  "/opt/homebrew/bin/git",
  "C:\\Program Files\\Git\\cmd\\git.exe",
];
/** Without these tools `/usr/bin/git` on macOS opens a dialog. */
const MAC_TOOLS = ["/Library/Developer/CommandLineTools", "/Applications/Xcode.app"];

/** The repository's own configuration must not run a program, nor cause network access. */
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "core.quotePath=false"],
  ...["-c", "core.hooksPath=/dev/null", "--no-pager", "--no-optional-locks"],
];
const ENVIRONMENT = { GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/** Maximum time for the history of one folder; files not found until then keep their time on disk. */
const TIMEOUT_MS = 2000;

/**
 * The ISO dates of the last commits of files in a folder, by absolute path. Files with uncommitted changes
 * are left out, because their time on disk is right. Never rejects; without git or a repository there are no dates.
 */
export async function commitDates(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const git = findGit();
  if (git === undefined || files.length === 0) return new Map();
  const ask = (...args: string[]) => run(git, [...SAFE, "-C", folder, ...args]);
  const committed = blobsIn(await ask("ls-tree", "-r", "-z", "HEAD", "."));
  const wanted = new Map(
    files.map((path) => [relative(folder, path).split(sep).join("/"), path] as const)
      .filter(([name, path]) => isCommitted(path, committed.get(name))),
  );
  if (wanted.size === 0) return new Map();
  const log = await ask("log", "--format=%x01%aI", "--name-only", "--relative", "--", ".");
  return datesIn(log, wanted);
}

function findGit(): string | undefined {
  if (process.platform === "darwin" && !MAC_TOOLS.some((path) => existsSync(path))) {
    return undefined;
  }
  return GITS.find((path) => existsSync(path));
}

/** The output of git up to the time limit; empty if it fails. */
async function run(git: string, args: readonly string[]): Promise<string> {
  const { PATH: _, ...env } = process.env;
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  const child = spawn(git, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...Object.fromEntries(own), ...ENVIRONMENT },
    timeout: TIMEOUT_MS,
    windowsHide: true,
  });
  child.on("error", () => {}); // its output ends, which suffices
  return await text(child.stdout).catch(() => "");
}

/** Path → object id, of `ls-tree -z`. */
function blobsIn(listing: string): Map<string, string> {
  return new Map(
    listing.split("\0").flatMap((line) => {
      const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return id === undefined ? [] : [[path!, id] as const];
    }),
  );
}

function isCommitted(path: string, id: string | undefined): boolean {
  if (id === undefined) return false;
  try {
    const bytes = readFileSync(path);
    const hash = createHash(id.length === 40 ? "sha1" : "sha256");
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
  } catch {
    return false;
  }
}

/** The first date under which each wanted name is listed: the log begins with the newest commit. */
function datesIn(log: string, wanted: ReadonlyMap<string, string>): Map<string, string> {
  const dates = new Map<string, string>();
  for (const commit of log.split("\u0001").slice(1)) {
    const [date, ...names] = commit.split("\n");
    for (const name of names) {
      const path = wanted.get(name);
      if (path !== undefined && !dates.has(path)) dates.set(path, date!);
    }
  }
  return dates;
}
