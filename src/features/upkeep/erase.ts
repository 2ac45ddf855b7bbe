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
import type { MemoryFile, MemoryFolder } from "../../core/memory/memory.ts";
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
export interface Erased {
  /** Counts by kind of place, without those where nothing was. */
  readonly removed: Readonly<Record<string, number>>;
  /** Where something of it remains. */
  readonly remains: readonly string[];
}

/** Everything by which a trace of the memory is recognized. */
interface Traces extends Erasable {
  readonly versions: readonly MemoryFile[];
  /** The versions in the archive that are provably its own. */
  readonly archived: readonly string[];
  /** Other files that had its path: another memory's, or versions that the log does not know. */
  readonly others: readonly string[];
  /** SHA-256 of its contents, by the log. */
  readonly contents: ReadonlySet<string>;
  /** The groups of its changes. */
  readonly groups: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** What its suggested triggers are kept by. */
  readonly keys: ReadonlySet<string>;
}

/** What memo has in a memory folder of a memory, each with what takes it away. */
const IN_FOLDERS: Readonly<Record<string, (traces: Traces, options: EraseOptions) => number>> = {
  "versions in the archive": ({ archived }) =>
    archived.map((path) => rmSync(path, { force: true })).length,
  "lines of the change log": fromLog,
  "lines of the journal": fromJournals,
};

/** Takes a memory out of memo's state, by the rows of `src/paths.ts`; returns the counts. */
function fromState(traces: Traces, { paths }: EraseOptions): [what: string, count: number][] {
  return (Object.keys(STATE) as (keyof typeof STATE)[]).flatMap((key) => {
    const [, erasure] = STATE[key];
    if (erasure === "never" || erasure === "follows") return [];
    const [how, what] = erasure;
    return [[what, ERASURES[how](paths[key], traces)]];
  });
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

/** Removes a memory, its versions and its traces; the index and `MEMORY.md` follow by a sync. */
export function erase(memory: Erasable, options: EraseOptions): Erased {
  const traces = tracesOf(memory);
  recordErased(traces.folder, traces.versions.map(({ path }) => readFileSync(path)));
  const counts = [
    ...Object.entries(IN_FOLDERS).map(([what, remove]) => [what, remove(traces, options)] as const),
    ...fromState(traces, options),
    ["memory file", removeFile(traces)] as const,
  ];
  return {
    removed: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    remains: remainsOf(traces, options),
  };
}

/** Deletes the memory itself, unless its path has another one now. */
function removeFile({ path, contents, folder }: Traces): number {
  const there = bytesOf(path, folder.path);
  if (there === undefined || !contents.has(digestOf(there))) return 0;
  rmSync(path);
  return 1;
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

function tracesOf({ path, file, folder, content }: Erasable): Traces {
  const all = (readLines(changeLog(folder)) as (Partial<LogEntry> | null)[])
    .filter((change) => change !== null && change.file === file) as Partial<LogEntry>[];
  const there = bytesOf(path, folder.path);
  const contents = contentsOf(content, all, there !== undefined && digestOf(there) === content);
  const isOwn = (path: string) => contents.has(digestOf(readFileSync(path)));
  const [own, others] = [true, false].map((wanted) =>
    listArchive(folder).map(({ path }) => path)
      .filter((each) => originalPath(each, folder) === path && isOwn(each) === wanted)
  ) as [string[], string[]];
  const isInUse = existsSync(path) && isOwn(path);
  const versions = [...isInUse ? [path] : [], ...own].map((each) =>
    readMemoryFile(each, folder.scope)
  );
  const logged = all.filter((change) => isOf(change, contents));
  const names = [...versions.map(({ name }) => name), ...logged.flatMap(({ name }) => name ?? [])];
  return {
    path,
    file,
    folder,
    content,
    archived: own,
    versions,
    contents,
    others: existsSync(path) && !isInUse ? [path, ...others] : others,
    groups: new Set(logged.flatMap(({ group }) => group ?? [])),
    names: new Set(names.filter((name) => name.trim() !== "")),
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
  const lives: { readonly contents: Set<string>; isOver: boolean }[] = [];
  for (const { before, after } of changes) {
    if (before === undefined && after === undefined) continue; // enriched, or nothing was kept
    if (before === undefined || lives.length === 0) {
      lives.push({ contents: new Set(), isOver: false });
    }
    const life = lives.at(-1)!;
    for (const digest of [before?.digest, after]) {
      if (digest !== undefined) life.contents.add(digest);
    }
    life.isOver = after === undefined;
  }
  const last = lives.at(-1);
  if (isInUse && last?.isOver === false) last.contents.add(content); // edited by hand since
  let contents = new Set([content]);
  for (let before = 0; before < contents.size;) {
    before = contents.size;
    for (const life of lives) {
      if (!life.contents.isDisjointFrom(contents)) contents = contents.union(life.contents);
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
  const count = blankOut(log, (line) => {
    const change = (line ?? {}) as Partial<LogEntry>;
    return change.file === file && (isOf(change, contents) || keys.has(change.key!));
  });
  return count +
    dropReasons(
      log,
      ({ group, because }) =>
        groups.has(group!) && [...names].some((name) => saysWhole(because!, name)),
    );
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

/** The bullets of the memory's own turns that name it, or say what it says. */
function bulletsOf(traces: Traces, { folders }: EraseOptions) {
  const { versions, names } = traces;
  const said = versions.map(({ name, description, body }) =>
    contentTerms(`${name}\n${description}\n${body}`)
  );
  const isTrace = (bullet: string) => {
    const terms = contentTerms(bullet);
    const share = (other: ReadonlySet<string>) =>
      [...terms].filter((term) => other.has(term)).length / Math.max(1, terms.size);
    return [...names].some((name) => saysWhole(bullet, name)) ||
      said.some((other) => share(other) >= SAME);
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

/** Whether a text has a name as whole words, in the same case. */
function saysWhole(text: string, name: string): boolean {
  const isLetter = (character: string | undefined) => /[\p{L}\p{N}_]/u.test(character ?? "");
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + name.length])) return true;
  }
  return false;
}

/** A bullet with this share of its telling words in a memory of the same turn says the same. */
const SAME = 0.5;

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
  const { versions, names, file, folder, others } = traces;
  const telling = [...names].filter((name) => name.length > 1); // a letter is in every text
  const says = (text: string) => telling.some((name) => saysWhole(text, name));
  const transcripts = new Set(versions.flatMap(({ source }) => source?.transcript ?? []));
  const mentions = folders.flatMap((each) => readMemories(each).memories)
    .filter((memory) =>
      !versions.some(({ path }) => path === memory.path) &&
      (memory.supersedes.includes(file) || says(`${memory.name}\n${memory.body}`))
    );
  const days = entriesIn(folders).filter(({ entry }) =>
    !isOwnEntry(entry, traces) && says(entry.text)
  )
    .map(({ path }) => path);
  return [
    ...[...transcripts].filter((path) => existsSync(path))
      .map((path) => `the conversation it came from: ${path}`),
    ...others.map((path) => `not provably a version of it: ${path}`),
    ...mentions.map(({ name, path }) => `mentioned by \`${name}\`: ${path}`),
    ...[...new Set(days)].map((path) => `mentioned in the journal: ${path}`),
    ...folder.scope === "shared" ? ["the repository's history, if it was committed"] : [],
    ...existsSync(join(paths.sync, "repository.git")) && folder.scope !== "shared"
      ? [
        `the history of sync, here and at ${
          remote ?? "the remote"
        }: \`memo sync squash\` removes it`,
      ]
      : [],
  ];
}

/** A path as it is in JSON. */
function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
