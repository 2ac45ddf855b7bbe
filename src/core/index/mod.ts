import {
  allTriggers,
  ENOUGH_TRIGGERS,
  keyOf,
  type Mention,
  type MentionKind,
  readSuggestions,
} from "../memory/names.ts";
import type { MemoryFolder, Problem } from "../memory/memory.ts";
import { type IndexLines, MOST_LISTED } from "../memory/list.ts";
import { dirname, join, sep } from "node:path";
import { TRIGGERS_FILE } from "../../paths.ts";
import type { Connection, InStatement } from "./connection.ts";
import type { Corpus, IndexedMemory, MemoryHead } from "./corpus.ts";
import {
  CHANGED_AT,
  HISTORY_SCOPE,
  IS_LISTED,
  IS_UNREAD,
  openDatabase,
  type Opened,
  passagesTable,
} from "./database.ts";
import { EmbeddingQueue } from "./embed_pending.ts";
import { FileRecords } from "./file_records.ts";
import { FolderVectors } from "./folder_vectors.ts";
import { History } from "./history.ts";
import { memoryCorpus, type MemoryCorpusOptions, selectMemories } from "./memory_corpus.ts";
import {
  HEAD_COLUMNS,
  type HeadRow,
  type Put,
  putStatements,
  toHead,
  triggersStatements,
} from "./rows.ts";
import type { Judge } from "../relation/judge.ts";
import { type Conflict, type Relation, rivalryIn } from "../relation/relate.ts";
import { judgeNew, type JudgeOptions } from "./relations.ts";
import { topsOf } from "../relation/standing.ts";
import { Standings } from "./standings.ts";
import { Words } from "./words.ts";

export { isDamage, setAside } from "./database.ts";
export { embedAll, embedPending, passageTexts } from "./embed_pending.ts";
export type { Passage } from "./embed_pending.ts";
export type { Days, History, IndexedEntry, PastEntry, PastKind } from "./history.ts";
export type { StandingRow } from "./standings.ts";
export { syncFiles, syncFolder, type SyncResult } from "./sync.ts";

export interface IndexStatistics {
  readonly memories: number;
  readonly passages: number;
  /** Memories that wait for their vectors. */
  readonly pending: number;
  /** Entries of history, and those of them that wait. */
  readonly history: number;
  readonly pendingHistory: number;
  readonly model: string | undefined;
  readonly bytes: number;
}

/** A memory that a later one contradicts, by their paths. */
export interface ContradictionRow {
  readonly older: string;
  readonly later: string;
  readonly kind: Conflict;
}

/** Something that a memory names, with the memory's id. */
export interface MentionRow extends Mention {
  readonly memory: number;
}

/** More than any project's memories name; those of the first ones count. */
const MOST_MENTIONS = 100_000;

/** The derived database: memories, their words, their passages with vectors; and, apart from them, history. */
export class Index {
  readonly path: string;
  /** Whether it was an older memo's until it was opened: its memories have to be read again. */
  readonly isUpgraded: boolean;
  /** What happened: never part of a corpus of memories. */
  readonly history: History;
  /** How memories stand to the code. */
  readonly standings: Standings;
  /** What waits for its vectors. */
  readonly queue: EmbeddingQueue;
  /** The files that it knows. */
  readonly files: FileRecords;
  readonly #suggestions: string;
  readonly #db: Connection;
  readonly #words: Words;
  readonly #vectors: FolderVectors;

  private constructor({ db, isUpgraded }: Opened) {
    this.path = db.path;
    this.#suggestions = join(dirname(db.path), TRIGGERS_FILE);
    this.isUpgraded = isUpgraded;
    this.#db = db;
    this.#words = new Words(db, "words");
    this.#vectors = new FolderVectors(db);
    this.files = new FileRecords(db);
    this.queue = new EmbeddingQueue(db, this.#vectors);
    this.history = new History(db, this.files);
    this.standings = new Standings(db);
  }

  /** Opens or creates the index; a damaged one is begun anew. Throws an `index` MemoError. */
  static async open(path: string): Promise<Index> {
    return new Index(await openDatabase(path));
  }

  /** The memory that vectors take. */
  get vectorBytes(): number {
    return this.#vectors.bytes;
  }

  close(): void {
    this.#db.close();
  }

  /**
   * Sets the model whose vectors the index holds; returns whether it is another than before. Its own vectors follow; those
   * of another version of the same model answer until then, and those of any other model are dropped.
   */
  async useModel(id: string, dimensions: number): Promise<boolean> {
    const before = await this.#db.meta("model");
    const width = await this.#db.meta("dimensions") ?? dimensions;
    const isSameWidth = Number(width) === dimensions;
    if (before === id && isSameWidth) return false;
    const isAlike = isSameWidth && before?.split("@")[0] === id.split("@")[0];
    await this.#db.write([
      ...isAlike ? [`UPDATE passages SET hash = ''`] : passagesTable(dimensions),
      `UPDATE memories SET embedded = 0, tries = 0`,
      `UPDATE memories SET related = 0 WHERE past = 0`,
      {
        sql: `REPLACE INTO meta VALUES ('model', ?), ('dimensions', ?)`,
        args: [id, String(dimensions)],
      },
    ]);
    this.#vectors.forget();
    return before !== undefined;
  }

  /** How many memories of some folders are still as an older memo read them, until the next sync; default: of all folders. */
  async countUnread(folders?: readonly MemoryFolder[]): Promise<number> {
    const among = folders === undefined
      ? `NOT IN (SELECT id FROM folders WHERE scope = '${HISTORY_SCOPE}')`
      : `IN (${(await this.files.idsOf(folders)).join(", ") || "NULL"})`;
    return await this.#db.count(
      `SELECT count(*) FROM memories WHERE ${IS_UNREAD} AND folder ${among}`,
    );
  }

  /** Forgets folders with all that was in them; returns the number of memories. */
  async forget(folders: readonly MemoryFolder[]): Promise<number> {
    let forgotten = 0;
    for (const folder of folders) {
      const id = await this.files.enter(folder);
      const memories = [...(await this.files.known(id)).values()].map((file) => file.id);
      await this.remove(memories);
      await this.files.setWaiting(id, []);
      await this.history.forget(folder);
      await this.files.drop(folder);
      forgotten += memories.length;
    }
    return forgotten;
  }

  /** Enters memories or replaces them; their vectors follow (`putPassages`). */
  async put(folder: number, files: readonly Put[]): Promise<void> {
    const suggested = readSuggestions(this.#suggestions);
    await this.#db.write(files.flatMap(({ file, ...put }) => {
      const triggers = allTriggers(file, suggested.get(keyOf(file)));
      return putStatements(folder, { ...put, file: { ...file, triggers } });
    }));
  }

  /** Judges how memories stand to the others that have their vectors (`Corpus.relations`); returns how many. */
  async judgeNew(judge: Judge | undefined, options: JudgeOptions): Promise<number> {
    return await judgeNew(this.#db, (folder) => this.#corpusOf([folder]), judge, options);
  }

  /** The pairs of some folders' memories of which the later one contradicts the earlier, by their paths. */
  async contradictions(folders: readonly MemoryFolder[]): Promise<readonly ContradictionRow[]> {
    const ids = await this.files.idsOf(folders);
    const found = await this.#db.read<[string, string, Relation["answer"], number, Relation["by"]]>(
      `SELECT a.path, b.path, r.answer, r.probability, r.by FROM relations r
        JOIN memories a ON a.id = r.earlier JOIN memories b ON b.id = r.later
        WHERE a.folder IN (${ids.join(", ") || "NULL"}) AND b.folder = a.folder
          AND r.answer IN ('replaces', 'partly') ORDER BY a.path, b.path`,
    );
    return found.flatMap(([older, later, answer, probability, by]) => {
      const kind = rivalryIn({ answer, probability, by });
      return kind === undefined ? [] : [{ older, later, kind }];
    });
  }

  /** Gives memories the triggers that were suggested for them since; returns how many got some. */
  async applySuggestions(): Promise<number> {
    const suggested = readSuggestions(this.#suggestions);
    if (suggested.size === 0) return 0;
    const few = await selectMemories(
      this.#db,
      `WHERE m.past = 0 AND json_array_length(m.triggers) < ? ORDER BY m.id`,
      [ENOUGH_TRIGGERS],
    );
    const found = few.flatMap((memory) => {
      const triggers = allTriggers(memory, suggested.get(keyOf(memory)));
      return triggers.length === memory.triggers.length ? [] : [{ memory, triggers }];
    });
    await this.#db.write(
      found.flatMap(({ memory, triggers }) => triggersStatements(memory, triggers)),
    );
    return found.length;
  }

  async remove(ids: readonly number[]): Promise<void> {
    // What refers to a memory goes with it, but for its words.
    await this.#db.write(ids.flatMap((id): InStatement[] => [
      { sql: `DELETE FROM words WHERE rowid = ?`, args: [id] },
      { sql: `DELETE FROM memories WHERE id = ?`, args: [id] },
    ]));
    this.#vectors.remove(ids);
  }

  /** Overwrites what removed memories have left in free pages, in the full text and in the write-ahead log. */
  async purge(): Promise<void> {
    for (const words of ["words", "history_words"]) {
      await this.#db.read(`INSERT INTO ${words} (${words}) VALUES ('optimize')`);
    }
    await this.#db.read(`VACUUM`);
    await this.#db.read(`PRAGMA wal_checkpoint(TRUNCATE)`);
  }

  /** The memories of these folders. */
  async corpus(folders: readonly MemoryFolder[]): Promise<Corpus> {
    await this.#db.follow();
    const standings = () => this.standings.in(topsOf(folders));
    return this.#corpusOf(await this.files.idsOf(folders), standings);
  }

  #corpusOf(folders: readonly number[], standings?: MemoryCorpusOptions["standings"]): Corpus {
    const of = { db: this.#db, words: this.#words, vectors: this.#vectors, folders };
    return memoryCorpus({ ...of, ...standings && { standings } });
  }

  /** Takes the vectors of these folders into memory, so that the next prompt does not wait for that. */
  async warm(folders: readonly MemoryFolder[]): Promise<void> {
    await this.#db.follow();
    for (const id of await this.files.idsOf(folders)) await this.#vectors.of(id);
  }

  /** What memories of some types name of the code. */
  async mentions(
    folders: readonly MemoryFolder[],
    types: readonly string[],
  ): Promise<MentionRow[]> {
    const ids = await this.files.idsOf(folders);
    const found = await this.#db.read<[number, MentionKind, string, number]>(
      `SELECT n.memory, n.kind, n.text, n.title FROM mentions n JOIN memories m ON m.id = n.memory
        WHERE m.folder IN (${ids.join(", ") || "NULL"})
          AND m.type IN (SELECT value FROM json_each(?))
        LIMIT ${MOST_MENTIONS}`,
      [JSON.stringify(types)],
    );
    const rows = found.map(([memory, kind, text, title]): MentionRow => ({
      ...{ memory, kind, text, isTitle: title === 1 },
    }));
    // What has moved is named at its new place.
    const standings = await this.standings.in(topsOf(folders));
    return rows.concat(rows.flatMap(({ memory, text, isTitle }): MentionRow[] => {
      const moved = standings.get(memory)?.drift.find(({ verdict, thing }) =>
        verdict === "moved" && (thing === text || thing.endsWith("/" + text))
      );
      return moved?.to === undefined ? [] : [{ memory, kind: "file", text: moved.to, isTitle }];
    }));
  }

  /** The memories of some folders with their texts, in no order. */
  async all(folders: readonly MemoryFolder[]): Promise<IndexedMemory[]> {
    const ids = await this.files.idsOf(folders);
    return await selectMemories(this.#db, `WHERE m.folder IN (${ids.join(", ") || "NULL"})`, []);
  }

  /** Tells one state of the index from the next. */
  async generation(): Promise<string> {
    return await this.#db.meta("generation") ?? "";
  }

  /** The memories of some folders without their texts, in no order. */
  async heads(folders: readonly MemoryFolder[]): Promise<MemoryHead[]> {
    const ids = await this.files.idsOf(folders);
    return await this.#heads(`m.folder IN (${ids.join(", ") || "NULL"})`);
  }

  /** The lines of a folder's `MEMORY.md`, but for files and folders that cannot be read; undefined: it has never been synced. */
  async lines(
    folder: MemoryFolder,
    unreadable: readonly string[],
  ): Promise<IndexLines | undefined> {
    const id = (await this.files.idsOf([folder]))[0];
    if (id === undefined) return undefined;
    const where = `FROM memories INDEXED BY memories_listed WHERE folder = ? AND ${IS_LISTED}` +
      (unreadable.length === 0 ? "" : ` AND NOT EXISTS (SELECT 1 FROM json_each(?) hidden
        WHERE memories.path = hidden.value OR instr(memories.path, hidden.value || ?) = 1)`);
    const args = unreadable.length === 0 ? [id] : [id, JSON.stringify(unreadable), sep];
    const found = await this.#db.read<[string, string, string, string]>(
      `SELECT path, name, description, tags ${where} ORDER BY ${CHANGED_AT} DESC, path LIMIT ${MOST_LISTED}`,
      args,
    );
    const memories = found.map(([path, name, description, tags]) => ({
      ...{ path, name, description, tags: JSON.parse(tags) as string[] },
    }));
    return { memories, total: await this.#db.count(`SELECT count(*) ${where}`, args) };
  }

  /** The memories with these paths that the index has, without their texts, in no order. */
  async headsAt(paths: readonly string[]): Promise<MemoryHead[]> {
    return await this.#heads(`m.path IN (SELECT value FROM json_each(?))`, [JSON.stringify(paths)]);
  }

  async #heads(where: string, args: readonly string[] = []): Promise<MemoryHead[]> {
    const found = await this.#db.read<HeadRow>(
      `SELECT ${HEAD_COLUMNS} FROM memories m JOIN folders f ON f.id = m.folder WHERE ${where}`,
      args,
    );
    return found.map(toHead);
  }

  /** The memories with these paths that the index has. */
  async byPath(paths: readonly string[]): Promise<IndexedMemory[]> {
    const where = `WHERE m.id IN
      (SELECT id FROM memories WHERE path IN (SELECT value FROM json_each(?)))`;
    return await selectMemories(this.#db, where, [JSON.stringify(paths)]);
  }

  /** The memories of these folders with a tag, last changed first. */
  async tagged(folders: readonly MemoryFolder[], tag: string): Promise<IndexedMemory[]> {
    const ids = await this.files.idsOf(folders);
    return await selectMemories(
      this.#db,
      `WHERE m.folder IN (${ids.join(", ") || "NULL"})
        AND EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ?)
        ORDER BY m.mtime_ms DESC, m.path`,
      [tag],
    );
  }

  /** Files with something wrong in them. */
  async problems(): Promise<{ path: string; problems: readonly Problem[] }[]> {
    const found = await this.#db.read<[string, string]>(
      `SELECT path, problems FROM memories WHERE problems <> '[]' ORDER BY path`,
    );
    return found.map(([path, problems]) => ({ path, problems: JSON.parse(problems) }));
  }

  async statistics(): Promise<IndexStatistics> {
    const db = this.#db;
    const [[memories, history, passages] = [0, 0, 0]] = await db.read<[number, number, number]>(
      `SELECT (SELECT count(*) FROM memories) - past.entries, past.entries,
          (SELECT count(*) FROM passages) - past.passages
        FROM (SELECT count(DISTINCT m.id) AS entries, count(p.id) AS passages
          FROM memories m LEFT JOIN passages p ON p.memory = m.id WHERE m.past = 1) past`,
    );
    return {
      memories,
      passages,
      pending: await this.queue.size(),
      history,
      pendingHistory: await this.queue.size({ isPast: true }),
      model: await db.meta("model"),
      bytes: await db.count(`PRAGMA page_count`) * await db.count(`PRAGMA page_size`),
    };
  }
}
