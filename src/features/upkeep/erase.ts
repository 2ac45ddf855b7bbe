// Removes a memory from everywhere that memo keeps something of it. What cannot be removed is named: the conversation
// that it came from, a repository's history, other memories that mention it.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { namesIn, statsOf } from "../../core/files/there.ts";
import { readLines, rewriteLines } from "../../core/files/jsonl.ts";
import { dropKept } from "../history/kept.ts";
import {
  joinDay,
  journalDays,
  type JournalEntry,
  journalFile,
  journalOf,
  readDay,
} from "../../core/journal/journal.ts";
import { bytesOf, listArchive, originalPath } from "../../core/ledger/archive.ts";
import {
  blankOut,
  changeLog,
  dropReasons,
  type LogEntry,
  recordErased,
} from "../../core/ledger/change_log.ts";
import { readMemories } from "../../core/memory/list.ts";
import { isChat, type MemoryFolder } from "../../core/memory/memory.ts";
import { readMemoryFile } from "../../core/memory/folder.ts";
import { keyOf } from "../../core/memory/names.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { type Paths, rotated, STATE } from "../../paths.ts";
import { contentTerms } from "../../core/text/language/stopwords.ts";

/** A memory to erase: its place, where a file need not be any more. */
export interface Erasable {
  readonly path: string;
  /** Its path in its folder. */
  readonly file: string;
  readonly folder: MemoryFolder;
  /** SHA-256 of the version that is named: another memory may have had the same path before. */
  readonly content: string;
}

export interface EraseOptions {
  readonly paths: Paths;
  /** The folders that apply here: their journals and memories may mention it. */
  readonly folders: readonly MemoryFolder[];
  /** Where memories are synced to. */
  readonly remote?: string | undefined;
}

/** What was removed, and what was not. */
export interface EraseReport {
  /** Counts by kind of place, without those where nothing was. */
  readonly removed: Readonly<Record<string, number>>;
  /** Where something of it remains. */
  readonly remains: readonly string[];
}

const ERASURES = {
  lines(path: string, traces: Traces) {
    const isOf = (line: string) =>
      line.includes(quoted(traces.path)) || [...traces.keys].some((key) => line.includes(key));
    return sum(filesAt(path), (file) => rewriteLines(file, (line) => isOf(line) ? "" : undefined));
  },
  items(path: string, { path: gone }: Traces) {
    return sum(filesAt(path), (file) => {
      if (/\.jsonl(?:\.1)?$/.test(file)) return rewriteLines(file, (line) => cleaned(line, gone));
      const clean = file.endsWith(".json") ? cleaned(readFileSync(file, "utf8"), gone) : undefined;
      if (clean === undefined) return 0;
      writeFileAtomic(file, clean + "\n");
      return 1;
    });
  },
  turns(history: string, { versions }: Traces) {
    const turns = new Set(versions.flatMap(({ source }) => source?.turn ?? []));
    return [...turns].filter((turn) => dropKept({ history }, turn)).length;
  },
};

/** The files of a row of the state: those of a folder, else the file with the one that it became when it was full. */
function filesAt(path: string): string[] {
  const isFolder = statsOf(path)?.isDirectory() ?? false;
  const all = isFolder ? namesIn(path).map((name) => join(path, name)) : [path, rotated(path)];
  return all.filter((each) => statsOf(each)?.isFile());
}

/** Removes a memory, its versions and its traces, by the rows of `src/paths.ts`; the index and `MEMORY.md` follow by a sync. */
export function erase(memory: Erasable, options: EraseOptions): EraseReport {
  const traces = tracesOf(memory), { path, folder, contents, archived } = traces;
  recordErased(folder, traces.versions.map(({ path }) => readFileSync(path)));
  const ofState = Object.entries(STATE).flatMap(([key, [, erasure]]) => {
    if (typeof erasure === "string") return [];
    const [how, what] = erasure;
    return [[what, ERASURES[how](options.paths[key as keyof typeof STATE], traces)] as const];
  });
  for (const path of archived) rmSync(path, { force: true });
  // The memory itself, unless its path has another one now.
  const there = bytesOf(path, folder.path), isThere = there && contents.has(digestOf(there));
  const counts = [
    ["versions in the archive", archived.length],
    ["lines of the change log", fromLog(traces)],
    ["lines of the journal", fromJournals(traces, options)],
    ...ofState,
    ["memory file", isThere ? 1 : 0],
  ] as const;
  if (isThere) rmSync(path);
  return {
    removed: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    remains: remainsOf(traces, options),
  };
}

/** What an erasure would remove and leave. */
export function previewOf(memory: Erasable, options: EraseOptions) {
  const traces = tracesOf(memory);
  return {
    files: traces.versions.map(({ path }) => path),
    bullets: bulletsOf(traces, options).map(({ line }) => line),
    remains: remainsOf(traces, options),
  };
}

/** Everything by which a trace of the memory is recognized. */
type Traces = ReturnType<typeof tracesOf>;

function tracesOf({ path, file, folder, content }: Erasable) {
  const all = (readLines(changeLog(folder)) as (Partial<LogEntry> | null)[])
    .filter((change) => change?.file === file) as Partial<LogEntry>[];
  const there = bytesOf(path, folder.path);
  const contents = contentsOf(content, all, there !== undefined && digestOf(there) === content);
  const isOwn = (path: string) => contents.has(digestOf(readFileSync(path)));
  const archive = listArchive(folder).map(({ path }) => path)
    .filter((each) => originalPath(each, folder) === path);
  const { own: archived = [], others = [] } = Object.groupBy(
    archive,
    (each) => isOwn(each) ? "own" : "others",
  );
  const isThere = existsSync(path), isInUse = isThere && isOwn(path);
  const versions = [...isInUse ? [path] : [], ...archived]
    .map((each) => readMemoryFile(each, folder.scope));
  const logged = all.filter((change) => isOf(change, contents));
  const names = [...versions, ...logged].flatMap(({ name }) => name ?? []);
  return {
    ...{ path, file, folder },
    versions,
    /** The versions in the archive that are provably its own. */
    archived,
    /** Other files that had its path: another memory's, or versions that the log does not know. */
    others: isThere && !isInUse ? [path, ...others] : others,
    /** SHA-256 of its contents, by the log. */
    contents,
    /** The groups of its changes. */
    groups: new Set(logged.flatMap(({ group }) => group ?? [])),
    names: new Set(names.filter((name) => name.trim() !== "")),
    /** What its suggested triggers are kept by. */
    keys: new Set(versions.map(keyOf)),
  };
}

/**
 * The contents that the log shows to be one memory's: a file that was added, and all that became of it, by memo or by
 * hand, until it was archived; and what was restored from there.
 */
function contentsOf(
  content: string,
  changes: readonly Partial<LogEntry>[],
  isInUse: boolean,
): Set<string> {
  const lives: Set<string>[] = [];
  let isOver = true;
  for (const { before, after } of changes) {
    if (before === undefined && after === undefined) continue; // enriched, or nothing was kept
    if (before === undefined || lives.length === 0) lives.push(new Set());
    for (const digest of [before?.digest, after]) {
      if (digest !== undefined) lives.at(-1)!.add(digest);
    }
    isOver = after === undefined;
  }
  if (isInUse && !isOver) lives.at(-1)!.add(content); // edited by hand since
  let contents = new Set([content]);
  for (let before = 0; before < contents.size;) {
    before = contents.size;
    for (const life of lives) {
      if (!life.isDisjointFrom(contents)) contents = contents.union(life);
    }
  }
  return contents;
}

function isOf({ before, after }: Partial<LogEntry>, contents: ReadonlySet<string>): boolean {
  return [before?.digest, after].some((digest) => digest !== undefined && contents.has(digest));
}

/** Removes its changes, and the reasons that name it of those that were made together with them. */
function fromLog({ folder, file, contents, keys, groups, names }: Traces): number {
  const log = changeLog(folder);
  const isGone = (line: unknown) => {
    const change = (line ?? {}) as Partial<LogEntry>;
    return change.file === file && (isOf(change, contents) || keys.has(change.key!));
  };
  const isReason = ({ group, because }: Partial<LogEntry>) =>
    groups.has(group!) && saysAny(because!, names);
  return blankOut(log, isGone) + dropReasons(log, isReason);
}

function fromJournals(traces: Traces, options: EraseOptions): number {
  const bullets = bulletsOf(traces, options);
  for (const [path, own] of Map.groupBy(bullets, ({ path }) => path)) {
    const gone = new Set(own.map(({ line }) => line));
    const day = readDay(readFileSync(path, "utf8"));
    const entries = day.entries.map((entry) => ({
      ...entry,
      text: isOwnEntry(entry, traces)
        ? entry.text.split("\n").filter((line) => !gone.has(line)).join("\n")
        : entry.text,
    }));
    writeFileAtomic(path, joinDay({ ...day, entries }));
  }
  return bullets.length;
}

/** A bullet with this share of its telling words in a memory of the same turn says the same. */
const SAME = 0.5;

/** The bullets of the memory's own turns that name it, or say what it says. */
function bulletsOf(traces: Traces, { folders }: EraseOptions) {
  const { versions, names } = traces;
  const said = versions.map(({ name, description, body }) =>
    contentTerms(`${name}\n${description}\n${body}`)
  );
  const isTrace = (bullet: string) => {
    const terms = contentTerms(bullet), least = SAME * Math.max(1, terms.size);
    return saysAny(bullet, names) || said.some((own) => terms.intersection(own).size >= least);
  };
  return entriesIn(folders).filter(({ entry }) => isOwnEntry(entry, traces))
    .flatMap(({ path, entry }) =>
      entry.text.split("\n").filter((line) => /^[-*] /.test(line) && isTrace(line))
        .map((line) => ({ path, line }))
    );
}

function isOwnEntry({ anchor }: JournalEntry, { versions }: Traces): boolean {
  return anchor !== undefined && versions.some(({ source }) => source?.turn === anchor.turn);
}

/** The entries of all journals that apply. */
function entriesIn(folders: readonly MemoryFolder[]) {
  const journals = new Set(folders.flatMap((folder) => journalOf([folder])?.path ?? []));
  return [...journals].flatMap((journal) =>
    journalDays(journal).flatMap((day) => {
      const path = journalFile(journal, day);
      return readDay(readFileSync(path, "utf8")).entries.map((entry) => ({ path, entry }));
    })
  );
}

/** Whether a text has one of some names as whole words, in the same case. */
function saysAny(text: string, names: Iterable<string>): boolean {
  return [...names].some((name) =>
    new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(name)}(?![\\p{L}\\p{N}_])`, "u").test(text)
  );
}

/** JSON without the items and keys that are a path; undefined if it has none. */
function cleaned(json: string, path: string): string | undefined {
  if (!json.includes(quoted(path))) return undefined;
  try {
    return JSON.stringify(without(JSON.parse(json), path));
  } catch {
    return ""; // cut short by a crash
  }
}

function without(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) =>
      item !== path && (item as { path?: unknown } | null)?.path !== path
    )
      .map((item) => without(item, path));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, item]) => key !== path && item !== path)
      .map(([key, item]) => [key, without(item, path)]),
  );
}

/** What memo does not remove. */
function remainsOf(traces: Traces, { folders, paths, remote }: EraseOptions): string[] {
  const { versions, names, file, folder: { scope }, others } = traces;
  const telling = [...names].filter((name) => name.length > 1); // a letter is in every text
  const transcripts = new Set(versions.flatMap(({ source }) => source?.transcript ?? []));
  const mentions = folders.flatMap((each) => readMemories(each).memories).filter((memory) =>
    !versions.some(({ path }) => path === memory.path) &&
    (memory.supersedes.includes(file) || saysAny(`${memory.name}\n${memory.body}`, telling))
  );
  const days = entriesIn(folders).flatMap(({ entry, path }) =>
    !isOwnEntry(entry, traces) && saysAny(entry.text, telling) ? [path] : []
  );
  const isSynced = scope !== "shared" && existsSync(join(paths.sync, "repository.git"));
  const where = remote ?? "the remote";
  return [
    ...[...transcripts].filter((path) => existsSync(path) || isChat(path))
      .map((path) => `the conversation it came from: ${path}`),
    ...others.map((path) => `possibly a version of it: ${path}`),
    ...mentions.map(({ name, path }) => `mentioned by \`${name}\`: ${path}`),
    ...[...new Set(days)].map((path) => `mentioned in the journal: ${path}`),
    ...scope === "shared" ? ["the repository's history, if it was committed"] : [],
    ...isSynced ? [`the sync history, here and at ${where}: \`memo sync squash\` removes it`] : [],
  ];
}

/** A path as it is in JSON. */
function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
