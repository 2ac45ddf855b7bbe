import { join } from "node:path";
import { createClient } from "@libsql/client";
import type { IndexedMemory } from "../../src/core/index/corpus.ts";
import { Index } from "../../src/core/index/mod.ts";
import type { Answer } from "../../src/core/relation/relate.ts";
import type { MemoryFile, MemoryFolder } from "../../src/core/memory/memory.ts";
import { memoryOf } from "./memory.ts";
import { temporaryFolder } from "./temp.ts";

/** A memory file as `store` would read it, with what a test does not care about filled in. */
export function memoryFile(fields: Partial<MemoryFile> & { readonly path: string }): MemoryFile {
  return { ...memoryOf(), scope: "user", size: 1, mtimeMs: 1, problems: [], ...fields };
}

/** A memory as the index would hold it. */
export function indexedMemory(id: number, fields: Partial<IndexedMemory> = {}): IndexedMemory {
  const { supersedes: _supersedes, source: _source, problems: _problems, ...file } = memoryFile({
    path: `/m/${id}.md`,
  });
  return { ...file, id, turn: undefined, importedFrom: undefined, ...fields };
}

/** A real index in a temporary folder, with these memories in one folder of memories. */
export async function makeIndex(
  files: readonly MemoryFile[] = [],
  path = "/memories",
): Promise<{ index: Index; folder: MemoryFolder } & AsyncDisposable> {
  const temp = temporaryFolder();
  const index = await Index.open(join(temp.path, "index.db"));
  const folder: MemoryFolder = { scope: "user", path };
  const id = await index.files.enter(folder);
  await index.put(id, files.map((file) => ({ file, hash: file.path })));
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

/** How memories of an index stand to each other, by their names: as the judge would leave it. */
export async function setRelations(
  index: Index,
  rows:
    readonly (readonly [earlier: string, later: string, answer: Answer, probability?: number])[],
): Promise<void> {
  const client = createClient({ url: `file:${index.path}` });
  await client.batch(rows.map(([earlier, later, answer, probability = 0.95]) => ({
    sql: `REPLACE INTO relations SELECT a.id, b.id, ?, ?, 'judge' FROM memories a, memories b
      WHERE a.name = ? AND b.name = ?`,
    args: [answer, probability, earlier, later],
  })));
  client.close();
}

/** Turns an index into one of an older schema; default: one that lacks a table. */
export async function makeOlder(
  path: string,
  statements: readonly string[] = ["DROP TABLE standings"],
): Promise<void> {
  const client = createClient({ url: `file:${path}` });
  for (const statement of [...statements, "PRAGMA user_version = 4"]) {
    await client.execute(statement);
  }
  client.close();
}

/** Turns an index into one whose words an older memo has cut. */
export async function makeOld(path: string): Promise<void> {
  const client = createClient({ url: `file:${path}` });
  await client.batch([
    `DELETE FROM words`,
    `INSERT INTO words (rowid, name) VALUES (1, 'migrations')`,
    `UPDATE meta SET value = 'another' WHERE key = 'analysis'`,
  ]);
  client.close();
}
