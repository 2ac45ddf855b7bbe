import { join } from "node:path";
import { createClient } from "@libsql/client";
import type { IndexedMemory } from "../../src/index/corpus.ts";
import { Index } from "../../src/index/memory_index.ts";
import type { MemoryFile, MemoryFolder } from "../../src/memory/memory.ts";
import { temporaryFolder } from "./temp.ts";

/** A memory file as `store` would read it, with what a test does not care about filled in. */
export function memoryFile(fields: Partial<MemoryFile> & { readonly path: string }): MemoryFile {
  return {
    scope: "user",
    name: "A name",
    description: "",
    type: "project",
    body: "",
    triggers: [],
    tags: [],
    pinned: false,
    confidence: 1,
    created: undefined,
    updated: undefined,
    supersedes: [],
    source: undefined,
    size: 1,
    mtimeMs: 1,
    problems: [],
    ...fields,
  };
}

/** A memory as the index would hold it. */
export function indexedMemory(id: number, fields: Partial<IndexedMemory> = {}): IndexedMemory {
  const { supersedes: _supersedes, source: _source, problems: _problems, ...file } = memoryFile({
    path: `/m/${id}.md`,
  });
  return { ...file, id, turn: undefined, session: undefined, isImported: false, ...fields };
}

/** A real index in a temporary folder, with these memories in one folder of memories. */
export async function makeIndex(
  files: readonly MemoryFile[] = [],
): Promise<{ index: Index; folder: MemoryFolder } & AsyncDisposable> {
  const temp = temporaryFolder();
  const index = await Index.open(join(temp.path, "index.db"));
  const folder: MemoryFolder = { scope: "user", path: "/memories" };
  await index.put(await index.folderId(folder), files.map((file) => ({ file, hash: file.path })));
  return {
    index,
    folder,
    [Symbol.asyncDispose]() {
      index.close();
      temp[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

/** Turns an index into one that memo's first schema has made. */
export async function makeOld(path: string): Promise<void> {
  const client = createClient({ url: `file:${path}` });
  await client.batch([
    `DROP TABLE vocabulary`,
    `DROP TABLE words`,
    `CREATE VIRTUAL TABLE words USING fts5 (name, description, triggers, tags, body,
      content = '', contentless_delete = 1)`,
    `INSERT INTO words (rowid, name) VALUES (1, 'migrations')`,
    `CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row)`,
    `DROP INDEX memories_kind`,
    `ALTER TABLE memories DROP COLUMN turn`,
    `ALTER TABLE memories DROP COLUMN tries`,
    `DROP INDEX memories_by_type`,
    `ALTER TABLE memories DROP COLUMN pinned`,
    `ALTER TABLE memories DROP COLUMN digest`,
    `DROP INDEX memories_said`,
    `ALTER TABLE memories DROP COLUMN session`,
    `ALTER TABLE memories DROP COLUMN imported`,
    `DROP TABLE waiting`,
    `DROP TABLE history_vocabulary`,
    ...["", "_files", "_words", "_passages"].map((part) => `DROP TABLE history${part}`),
    `PRAGMA user_version = 1`,
  ]);
  client.close();
}
