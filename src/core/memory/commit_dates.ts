// When a file was last committed: after `git clone` every file on disk has today's date.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { askGit } from "./git.ts";

/**
 * The ISO dates of the last commits of files in a folder, by absolute path. Files with uncommitted changes
 * are left out, because their time on disk is right. Never rejects; without git or a repository there are no dates.
 */
export async function commitDates(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) return new Map();
  const ask = (...args: string[]) => askGit(folder, args);
  const committed = blobsIn(await ask("ls-tree", "-r", "-z", "HEAD", "."));
  const wanted = new Map(
    files.map((path) => [relative(folder, path).split(sep).join("/"), path] as const)
      .filter(([name, path]) => isCommitted(path, committed.get(name))),
  );
  if (wanted.size === 0) return new Map();
  const log = await ask("log", "--format=%x01%aI", "--name-only", "--relative", "--", ".");
  return datesIn(log, wanted);
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
