// Removes a memory from everywhere that memo keeps something of it. What cannot be removed is named: the conversation
// that it came from, a repository's history, other memories that mention it.

import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { logFile } from "../files/log.ts";
import { readLines } from "../files/jsonl.ts";
import { dropKept } from "../history/kept.ts";
import { joinDay, journalDays, journalFile, journalOf, splitDay } from "../journal/journal.ts";
import { listArchive, originalPath } from "../memory/archive.ts";
import { blankOut, changeLog, type LogEntry, recordErased } from "../memory/change_log.ts";
import { readMemories } from "../memory/list.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { keyOf } from "../memory/suggested.ts";
import { type Paths, rotated } from "../paths.ts";
import { analyze } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";

/** A memory to erase: its place, where a file need not be any more. */
export interface Erasable {
  readonly path: string;
  /** Its path in its folder. */
  readonly file: string;
  readonly folder: MemoryFolder;
}

export interface EraseOptions {
  readonly paths: Paths;
  /** The folders that apply here: their journals and memories may mention it. */
  readonly folders: readonly MemoryFolder[];
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
  readonly archived: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** A kind of place, and what removes the traces there and returns how many there were. */
interface Place {
  readonly name: string;
  remove(traces: Traces, options: EraseOptions): number;
}

/** Every place outside the index, which follows the files. */
const PLACES: readonly Place[] = [
  {
    name: "versions in the archive",
    remove: ({ archived }) => archived.map((path) => rmSync(path, { force: true })).length,
  },
  { name: "lines of the change log", remove: fromLog },
  { name: "lines of the journal", remove: fromJournals },
  {
    name: "turns of kept conversations",
    remove: ({ versions }, { paths }) => {
      const turns = new Set(versions.flatMap(({ source }) => source?.turn ?? []));
      return [...turns].filter((turn) => dropKept(paths, turn)).length;
    },
  },
  {
    name: "receipts",
    remove: ({ path }, { paths }) =>
      sum([paths.receipts, rotated(paths.receipts)], (file) => fromLines(file, path)),
  },
  { name: "sessions", remove: ({ path }, { paths }) => fromJsonFiles(paths.sessions, path) },
  {
    name: "suggested triggers",
    remove: ({ versions }, { paths }) => {
      const keys = new Set(versions.map(keyOf));
      return blankOut(paths.triggers, (line) => keys.has((line as { key?: string } | null)?.key!));
    },
  },
  {
    name: "uses",
    remove: ({ path }, { paths }) =>
      blankOut(paths.usage, (line) => (line as { path?: string } | null)?.path === path),
  },
  { name: "reports", remove: ({ path }, { paths }) => fromJsonFiles(paths.dreams, path) },
  {
    name: "lines of memo's own log",
    remove: ({ path }, { paths }) =>
      sum(
        [logFile(paths.logs), rotated(logFile(paths.logs))],
        (file) => blankOut(file, (line) => JSON.stringify(line ?? null).includes(path)),
      ),
  },
  {
    name: "memory file",
    remove({ path }) {
      const isThere = existsSync(path);
      rmSync(path, { force: true });
      return isThere ? 1 : 0;
    },
  },
];

/** Removes a memory, its versions and its traces; the index and `MEMORY.md` follow by a sync. */
export function erase(memory: Erasable, options: EraseOptions): Erased {
  const traces = tracesOf(memory);
  recordErased(traces.folder, traces.versions.map(({ path }) => readFileSync(path)));
  const counts = PLACES.map((place) => [place.name, place.remove(traces, options)] as const);
  return {
    removed: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    remains: remainsOf(traces, options),
  };
}

function tracesOf({ path, file, folder }: Erasable): Traces {
  const archived = listArchive(folder).map(({ path }) => path)
    .filter((each) => originalPath(each, folder) === path);
  const versions = [...existsSync(path) ? [path] : [], ...archived].map((each) =>
    readMemoryFile(each, folder.scope)
  );
  const logged = (readLines(changeLog(folder)) as (Partial<LogEntry> | null)[])
    .flatMap((change) => change?.file === file ? change.name ?? [] : []);
  const names = new Set([...versions.map(({ name }) => name), ...logged]);
  return { path, file, folder, archived, versions, names };
}

function fromLog({ folder, file, names }: Traces): number {
  return blankOut(changeLog(folder), (line) => {
    const change = line as Partial<LogEntry> | null | undefined;
    const isAbout = [...names].some((name) => change?.because?.includes(name));
    return change?.file === file || isAbout;
  });
}

/** Removes the bullets that name the memory, and those of its own turn that say what it says. */
function fromJournals({ versions, names }: Traces, { folders }: EraseOptions): number {
  const journals = folders.flatMap((folder) => journalOf([folder])?.path ?? []);
  const turns = new Set(versions.flatMap(({ source }) => source?.turn ?? []));
  const said = versions.map(({ name, description, body }) =>
    telling(`${name}\n${description}\n${body}`)
  );
  const fold = (text: string) => text.normalize("NFC").toLowerCase();
  const isTrace = (bullet: string, isOwnTurn: boolean) => {
    if ([...names].some((name) => fold(bullet).includes(fold(name)))) return true;
    const terms = telling(bullet);
    const share = (other: ReadonlySet<string>) =>
      [...terms].filter((term) => other.has(term)).length / Math.max(1, terms.size);
    return isOwnTurn && said.some((other) => share(other) >= SAME);
  };
  return sum(journals, (journal) =>
    sum(journalDays(journal), (day) => {
      const path = journalFile(journal, day);
      const before = splitDay(readFileSync(path, "utf8"));
      let count = 0;
      const entries = before.entries.map((entry) => {
        const isOwn = entry.anchor !== undefined && turns.has(entry.anchor.turn);
        const lines = entry.text.split("\n");
        const kept = lines.filter((line) => !(/^[-*] /.test(line) && isTrace(line, isOwn)));
        count += lines.length - kept.length;
        return { ...entry, text: kept.join("\n") };
      });
      if (count > 0) writeFileAtomic(path, joinDay({ ...before, entries }));
      return count;
    }));
}

/** A bullet with this share of its telling words in a memory of the same turn says the same. */
const SAME = 0.5;

function telling(text: string): Set<string> {
  return new Set(analyze(text).filter((term) => !isStopword(term)));
}

/** Takes a path out of the JSON lines of a file; each keeps its length, so that others can append meanwhile. */
function fromLines(file: string, path: string): number {
  if (!existsSync(file)) return 0;
  let at = 0, count = 0;
  const target = openSync(file, "r+");
  try {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const length = Buffer.byteLength(line);
      const clean = cleaned(line, path);
      if (clean !== undefined) {
        const rest = length - Buffer.byteLength(clean);
        writeSync(target, rest < 0 ? " ".repeat(length) : clean + " ".repeat(rest), at);
        count++;
      }
      at += length + 1;
    }
  } finally {
    closeSync(target);
  }
  return count;
}

/** Takes a path out of the JSON files of a folder. */
function fromJsonFiles(folder: string, path: string): number {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return sum(names.filter((name) => name.endsWith(".json")), (name) => {
    const file = join(folder, name);
    const clean = cleaned(readFileSync(file, "utf8"), path);
    if (clean === undefined) return 0;
    writeFileAtomic(file, clean + "\n");
    return 1;
  });
}

/** JSON without the items and keys that are a path; undefined if it has none. */
function cleaned(json: string, path: string): string | undefined {
  if (!json.includes(JSON.stringify(path).slice(1, -1))) return undefined;
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
function remainsOf({ versions, names, file, folder }: Traces, options: EraseOptions): string[] {
  const transcripts = new Set(versions.flatMap(({ source }) => source?.transcript ?? []));
  const mentions = options.folders.flatMap((each) => readMemories(each).memories)
    .filter(({ body, supersedes }) =>
      supersedes.includes(file) || [...names].some((name) => name !== "" && body.includes(name))
    );
  return [
    ...[...transcripts].filter((path) => existsSync(path))
      .map((path) => `the conversation it came from: ${path}`),
    ...mentions.map(({ name, path }) => `mentioned by \`${name}\`: ${path}`),
    ...folder.scope === "shared" ? ["the repository's history, if it was committed"] : [],
    ...existsSync(join(options.paths.sync, "repository.git"))
      ? ["sync's history, here and on the remote: `memo sync squash` removes it"]
      : [],
  ];
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
