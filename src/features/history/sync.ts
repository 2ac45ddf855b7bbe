import { join } from "node:path";
import { statsOf, textAt } from "../../core/files/there.ts";
import type { History, PastEntry } from "../../core/index/mod.ts";
import type { ListedFile } from "../../core/memory/folder.ts";
import { readAnchor, readDay, readSummary } from "../../core/journal/journal.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { JOURNAL } from "../../core/memory/folder.ts";
import { localTime } from "../../core/text/counted.ts";
import { oneLine } from "../../core/text/neutralise.ts";
import { dayFiles, keptFiles, readKept } from "./kept.ts";
import { git } from "../../core/files/git.ts";
import type { Env } from "../../paths.ts";

/** A file with its day and what it says. */
interface HistoryInput extends ListedFile {
  readonly day: string;
  entries(): PastEntry[] | Promise<PastEntry[]>;
}

/** Bytes of text of a folder that are indexed, newest first: a few years of work. */
const MAX_BYTES = 50_000_000;
const TITLE_CHARS = 160;

/** Brings history in the index in step with a folder's journal, kept turns and commits; returns how many files were read, and dropped. Vectors are made later. */
export async function syncHistory(
  history: History,
  { folder, kept, commits }: {
    readonly folder: MemoryFolder;
    /** The folder of its kept turns. */
    readonly kept: string;
    /** The repository whose commits count, if they do. */
    readonly commits?: string | undefined;
  },
  { pause, maxBytes = MAX_BYTES }: {
    /** Awaited before each file: prompts go first. */
    readonly pause?: (() => Promise<void>) | undefined;
    readonly maxBytes?: number;
  } = {},
) {
  const known = await history.files(folder);
  const ofBranch = commits === undefined ? undefined : commitsFile(commits);
  const all: HistoryInput[] = [
    ...dayFiles(join(folder.path, JOURNAL), ".md").map((file) => ({
      ...file,
      entries: () => journalEntries(file.day, textAt(file.path) ?? ""),
    })),
    ...keptFiles(kept).map((file) => ({ ...file, entries: () => turnEntries(file.path) })),
    ...[ofBranch ?? []].flat().map((file) => ({
      ...{ ...file, day: localTime(new Date(file.mtimeMs)).day },
      entries: () => readCommits(commits!),
    })),
  ];
  let bytes = 0, read = 0;
  const newest = all.sort((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : 0)
    .filter(({ size }) => (bytes += size) <= maxBytes);
  for (const file of newest) {
    const before = known.get(file.path);
    known.delete(file.path);
    if (before?.mtimeMs === file.mtimeMs && before.size === file.size) continue;
    await pause?.();
    await history.put(folder, file, await file.entries());
    read++;
  }
  await history.drop([...known.keys()]);
  return { read, dropped: known.size };
}

function turnEntries(path: string): PastEntry[] {
  return readKept(path).map(({ at, prompt, reply, session, turn, transcript }) => ({
    kind: "turn",
    ...localTime(new Date(at)),
    title: oneLine(prompt).slice(0, TITLE_CHARS).toWellFormed(),
    text: [prompt, reply].filter((text) => text !== "").join("\n\n"),
    ...{ session, turn, transcript },
  }));
}

/** A heading above entries; it says nothing. */
const HEADING = /^## (?:Session|Summary) .*$/gm;

/** What a day's journal says: an entry a turn, and what a person wrote above them. */
export function journalEntries(day: string, text: string): PastEntry[] {
  const { head, entries } = readDay(text.replaceAll("\r\n", "\n"));
  const own = head.replace(HEADING, "").trim();
  return [
    ...own === "" ? [] : [{ kind: "journal" as const, day, time: "", title: "", text: own }],
    ...entries.flatMap(({ text, time, anchor }): PastEntry[] => {
      const isSaid = (line: string) =>
        readAnchor(line) === undefined && readSummary(line) === undefined;
      const said = text.split("\n").slice(1).filter(isSaid).join("\n").trim();
      if (said === "") return [];
      return [{ kind: "journal", day, time, title: "", text: said, ...anchor }];
    }),
  ];
}

// The commits of a project: subject and body, newest first, from the branch that is checked out. They are read again when
// the branch has moved, which the file of its movements tells without starting git.

/** Commits of a project that are found. Their vectors take some 12 ms each, once and in the background. */
const MOST = 1000;
/** Of a longer body the beginning counts. */
const BODY_CHARS = 2000;
const GIT_LIMITS = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 };

/** Lines at a body's end that name people and machines. */
const TRAILER = /^[A-Z][\w-]*-(?:by|Id|id|on|to|Link): .*$|^(?:CC|Cc|Link|Bug|Refs?): \S+$/gm;
/** No setting of the repository runs a program. */
const QUIET = ["-c", "log.showSignature=false"];
/** Fields and commits, apart. */
const FIELD = "\x1f", COMMIT = "\x1e";
const FORMAT = ["%H", "%aI", "%s", "%b"].join("%x1f") + "%x1e";

/** The file that changes with the branch of a repository; undefined where there is none, or git keeps no such file. */
export function commitsFile(root: string): ListedFile | undefined {
  const path = join(root, ".git", "logs", "HEAD");
  const stats = statsOf(path);
  return stats?.isFile() ? { path, mtimeMs: stats.mtimeMs, size: stats.size } : undefined;
}

/** The newest commits of a repository, merges left out; none where git cannot tell. */
export async function readCommits(root: string, env: Env = process.env): Promise<PastEntry[]> {
  const args = ["log", `--max-count=${MOST}`, "--no-merges", `--format=${FORMAT}`, "HEAD"];
  try {
    const options = { folder: root, env, ...GIT_LIMITS, isOffline: true };
    const { code, stdout } = await git([...QUIET, ...args], options);
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
