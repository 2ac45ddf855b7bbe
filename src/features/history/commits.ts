// The commits of a project as history: subject and body, newest first, from the branch that is checked out. They are read
// again when the branch has moved, which the file of its movements tells without starting git.

import { join } from "node:path";
import { git } from "../../core/files/git.ts";
import { statsOf } from "../../core/files/stats.ts";
import type { HistoryFile, PastEntry } from "../../core/index/mod.ts";
import type { Env } from "../../paths.ts";
import { localTime } from "../../core/text/local_time.ts";

/** Commits of a project that are found. Their vectors take some 12 ms each, once and in the background. */
const MOST = 1000;
/** Of a longer body the beginning counts. */
const BODY_CHARS = 2000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Lines at a body's end that name people and machines. */
const TRAILER = /^[A-Z][\w-]*-(?:by|Id|id|on|to|Link): .*$|^(?:CC|Cc|Link|Bug|Refs?): \S+$/gm;
/** No setting of the repository runs a program, or fetches what a partial clone lacks. */
const QUIET = ["log.showSignature=false", "protocol.allow=never"].flatMap((each) => ["-c", each]);
/** Fields and commits, apart. */
const FIELD = "\x1f", COMMIT = "\x1e";
const FORMAT = ["%H", "%aI", "%s", "%b"].join("%x1f") + "%x1e";

/** The file that changes with the branch of a repository; undefined where there is none, or git keeps no such file. */
export function commitsFile(root: string): HistoryFile | undefined {
  const path = join(root, ".git", "logs", "HEAD");
  const stats = statsOf(path);
  return stats?.isFile() ? { path, mtimeMs: stats.mtimeMs, size: stats.size } : undefined;
}

/** The newest commits of a repository, merges left out; none where git cannot tell. */
export async function readCommits(root: string, env: Env = process.env): Promise<PastEntry[]> {
  const args = ["log", `--max-count=${MOST}`, "--no-merges", `--format=${FORMAT}`, "HEAD"];
  try {
    const { code, stdout } = await git([...QUIET, ...args], {
      folder: root,
      env,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return code === 0 ? entriesOf(stdout.toString("utf8")) : [];
  } catch {
    return []; // no git, or it hangs
  }
}

function entriesOf(log: string): PastEntry[] {
  return log.split(COMMIT).flatMap((commit): PastEntry[] => {
    const [id, at, title, body = ""] = commit.replace(/^\n/, "").split(FIELD);
    if (id === undefined || title === undefined || Number.isNaN(Date.parse(at!))) return [];
    const said = body.replace(TRAILER, "").trim().slice(0, BODY_CHARS).toWellFormed();
    const text = said === "" ? title : `${title}\n\n${said}`;
    const { day, time } = localTime(new Date(at!));
    return [{ kind: "commit", day, time, title, text, turn: id }];
  });
}
