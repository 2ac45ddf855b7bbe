// History in the index: what happened and when, from journals, commits and kept turns. An entry is a row among memories,
// in a folder that is in no list of memory folders, so that it never comes up as a memory; its words are in a table apart,
// because it must not change how rare a word is among memories.

import { createHash } from "node:crypto";
import type { ListedFile } from "../memory/folder.ts";
import type { MemoryFile, MemoryFolder, Scope } from "../memory/memory.ts";
import type { Connection, InStatement } from "./connection.ts";
import type { Corpus } from "./corpus.ts";
import type { FileRecords } from "./file_records.ts";
import { memoryCorpus } from "./memory_corpus.ts";
import { rowStatement, wordsStatements } from "./rows.ts";
import { HISTORY_SCOPE } from "./database.ts";
import { Words } from "./words.ts";

/** What tells of it: the journal, a kept turn of a conversation, or a commit. */
export type PastKind = "journal" | "turn" | "commit";

/** One thing that happened. */
export interface PastEntry {
  readonly kind: PastKind;
  /** By the local clock, `2026-03-04` and `10:12`. */
  readonly day: string;
  readonly time: string;
  /** What it is about, in a line; may be empty. */
  readonly title: string;
  readonly text: string;
  /** The turn that it is about, or the commit; undefined for what a person wrote into a journal. */
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  readonly transcript?: string | undefined;
}

/** An entry as the index holds it. */
export interface IndexedEntry extends PastEntry {
  readonly id: number;
  /** The memory folder that it belongs to. */
  readonly folder: string;
  /** The file that it was read from. */
  readonly path: string;
}

/** A stretch of days, both included, as `2026-03-04`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

type EntryRow = [
  ...[id: number, kind: PastKind, path: string, day: string, said: string, title: string],
  ...[text: string, session: string, turn: string, folder: string],
];

/** The entries of all folders that have history. */
export class History {
  readonly #db: Connection;
  readonly #files: FileRecords;

  constructor(db: Connection, files: FileRecords) {
    this.#db = db;
    this.#files = files;
  }

  /** The files of a folder as they were when they were read, by path. */
  async files(folder: MemoryFolder): Promise<Map<string, ListedFile>> {
    const found = await this.#db.read<[string, number, number]>(
      `SELECT path, mtime_ms, size FROM history_files WHERE folder = ?`,
      [await this.#files.enter(historyOf(folder))],
    );
    return new Map(found.map(([path, mtimeMs, size]) => [path, { path, mtimeMs, size }]));
  }

  /** Replaces the entries of a file. One that was there before keeps its vectors. */
  async put(
    folder: MemoryFolder,
    { path, mtimeMs, size }: ListedFile,
    entries: readonly PastEntry[],
  ): Promise<void> {
    const id = await this.#files.enter(historyOf(folder));
    const known = await this.#rowsOf(path);
    const now = new Map(entries.map((entry) => [hashOf(entry), entry]));
    const isKnown = new Set(known.map(({ hash }) => hash));
    await this.#write([
      ...known.filter(({ hash }) => !now.has(hash)).flatMap(removal),
      ...[...now].filter(([hash]) => !isKnown.has(hash)).flatMap(([hash, entry]) => {
        const { time, transcript } = entry, said = JSON.stringify({ time, transcript });
        const file = fileOf(entry, `${path}#${hash}`);
        return [
          rowStatement(id, { file, hash, said, label: path }, { isPast: true }),
          ...wordsStatements(file, "history_words"),
        ];
      }),
      {
        sql: `REPLACE INTO history_files (path, folder, mtime_ms, size) VALUES (?, ?, ?, ?)`,
        args: [path, id, mtimeMs, size],
      },
    ]);
  }

  /** Drops files with their entries. */
  async drop(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await this.#write([...(await this.#rowsOf(path)).flatMap(removal), {
        sql: `DELETE FROM history_files WHERE path = ?`,
        args: [path],
      }]);
    }
  }

  /** Drops all that belongs to a folder. */
  async forget(folder: MemoryFolder): Promise<void> {
    await this.drop([...(await this.files(folder)).keys()]);
    await this.#files.drop(historyOf(folder));
  }

  /** The entries of these folders, within some days if they are given. */
  async corpus(folders: readonly MemoryFolder[], days?: Days): Promise<Corpus> {
    const ids = await this.#files.idsOf(folders.map(historyOf)), db = this.#db;
    return memoryCorpus({ db, words: new Words(db, "history_words"), folders: ids, days });
  }

  /** The entries with these ids, in their order. */
  async entries(ids: readonly number[]): Promise<IndexedEntry[]> {
    const found = await this.#select(`m.id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(ids),
    ]);
    const byId = new Map(found.map((entry) => [entry.id, entry]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** The entries of some folders about the turns whose id begins so, oldest first. */
  async ofTurn(prefix: string, folders: readonly MemoryFolder[]): Promise<IndexedEntry[]> {
    const args = [prefix, `${prefix}\u{10ffff}`];
    return await this.#in(folders, `m.turn >= ? AND m.turn < ?`, args);
  }

  /** The entries of a session, oldest first. */
  async ofSession(session: string, folders: readonly MemoryFolder[]): Promise<IndexedEntry[]> {
    return await this.#in(folders, `m.session = ?`, [session]);
  }

  async #in(folders: readonly MemoryFolder[], where: string, args: readonly string[]) {
    const ids = JSON.stringify(await this.#files.idsOf(folders.map(historyOf)));
    return await this.#select(`${where} AND m.folder IN (SELECT value FROM json_each(?))`, [
      ...args,
      ids,
    ]);
  }

  async #select(where: string, args: readonly (string | number)[]): Promise<IndexedEntry[]> {
    const found = await this.#db.read<EntryRow>(
      `SELECT m.id, m.type, m.label, m.created, m.said, m.name, m.body, m.session, m.turn, f.path
        FROM memories m JOIN folders f ON f.id = m.folder
        WHERE m.past = 1 AND ${where} ORDER BY m.mtime_ms, m.id`,
      args,
    );
    return found.map(([id, kind, path, day, said, title, text, session, turn, folder]) => ({
      ...{ id, kind, path, day, title, text },
      ...JSON.parse(said) as Pick<PastEntry, "time" | "transcript">,
      session: session || undefined,
      turn: turn || undefined,
      folder: folder.slice(0, -SUFFIX.length),
    }));
  }

  async #rowsOf(path: string): Promise<{ readonly id: number; readonly hash: string }[]> {
    const found = await this.#db.read<[number, string]>(
      `SELECT id, hash FROM memories WHERE past = 1 AND label = ?`,
      [path],
    );
    return found.map(([id, hash]) => ({ id, hash }));
  }

  /** History is no reason for other processes to read the vectors of memories again, so it makes no generation. */
  async #write(statements: readonly InStatement[]): Promise<void> {
    await this.#db.transact(statements);
  }
}

const SUFFIX = "#history";

/** The folder of another one's history, in the index alone. */
function historyOf({ path }: MemoryFolder): MemoryFolder {
  return { path: path + SUFFIX, scope: HISTORY_SCOPE as Scope };
}

function fileOf({ kind, day, time, title, text, session, turn }: PastEntry, path: string) {
  return {
    path,
    name: title,
    body: text,
    type: kind,
    source: { session, turn },
    scope: HISTORY_SCOPE as Scope,
    description: "",
    triggers: [],
    tags: [],
    problems: [],
    supersedes: [],
    pinned: false,
    confidence: 1,
    created: day,
    updated: undefined,
    mtimeMs: Date.parse(`${day}T${time || "00:00"}Z`) || 0, // for the order alone
    size: text.length,
  } satisfies Omit<MemoryFile, "source"> & { source: object };
}

function hashOf(entry: PastEntry): string {
  const { kind, day, time, title, text, session, turn, transcript } = entry;
  return createHash("sha256")
    .update(JSON.stringify([kind, day, time, title, text, session, turn, transcript]))
    .digest("hex").slice(0, 32);
}

/** Takes an entry out with its words; its passages go with it. */
function removal({ id }: { readonly id: number }): InStatement[] {
  return [
    { sql: `DELETE FROM history_words WHERE rowid = ?`, args: [id] },
    { sql: `DELETE FROM memories WHERE id = ?`, args: [id] },
  ];
}
