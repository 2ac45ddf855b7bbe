import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createClient } from "@libsql/client";
import { queryTerms } from "../../src/core/text/analyze.ts";
import { openDatabase } from "../../src/core/index/database.ts";
import { memoryCorpus } from "../../src/core/index/memory_corpus.ts";
import type { IndexedMemory } from "../../src/core/index/corpus.ts";
import { Index } from "../../src/core/index/mod.ts";
import { Words } from "../../src/core/index/words.ts";
import { syncFolder } from "../../src/core/index/sync.ts";
import { readMemories } from "../../src/core/memory/list.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { makeIndex, makeOld, makeOlder, memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";

const FILES = [
  memoryFile({
    path: "/memories/a.md",
    name: "Deploying",
    body: "Argo rolls out every tag",
    type: "tool",
  }),
  memoryFile({
    path: "/memories/b.md",
    name: "Notes",
    body: "We deploy with Argo on Friday",
    mtimeMs: 2,
  }),
  memoryFile({ path: "/memories/c.md", name: "数据库", body: "连接池的大小是二十", mtimeMs: 3 }),
];
/** A unit vector along one axis. */
const axis = (i: number) => Float32Array.from({ length: 384 }, (_, j) => j === i ? 1 : 0);
const passage = (i: number) => ({ start: 0, end: 4, hash: `h${i}`, vector: axis(i) });

/** The memories that wait for vectors of the test's model, in their order. */
async function pendingIn(index: Index): Promise<IndexedMemory[]> {
  await index.useModel("test", 384);
  return (await index.queue.pending(10)).sort((one, other) => one.id - other.id);
}

/** Gives a memory passages along some axes. */
async function embed(index: Index, seen: IndexedMemory | undefined, ...axes: readonly number[]) {
  await index.queue.put([{ seen: seen!, passages: axes.map(passage) }]);
}

/** A folder with files on the disk, by name, and an index that has not read it. */
async function folderOf(files: Readonly<Record<string, string>>) {
  const temp = temporaryFolder();
  const folder: MemoryFolder = { scope: "user", path: join(temp.path, "memory") };
  mkdirSync(folder.path);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder.path, `${name}.md`), text);
  }
  const path = join(temp.path, "index.db"), index = await Index.open(path);
  return {
    ...{ folder, index, path },
    [Symbol.dispose]() {
      index.close();
      temp[Symbol.dispose]();
    },
  };
}

Deno.test("words() ranks a name above a mention, and an OR of terms needs one of them alone", async () => {
  await using made = await makeIndex(FILES);
  const corpus = await made.index.corpus([made.folder]);
  const [first, ...rest] = await corpus.words(["deploy", "argo", "nowher"], 10);
  const [memory] = await corpus.memories([first!.memory]);
  assert.equal(memory!.name, "Deploying");
  assert.equal(rest.length, 1);
});

Deno.test("having() keeps the memories with all terms in their own words, of those that are asked about", async () => {
  const spanish = memoryFile({
    path: "/memories/d.md",
    name: "Despliegue con Argo",
    body: "El despliegue a producción va por etiquetas con Argo",
    mtimeMs: 4,
  });
  await using made = await makeIndex([...FILES, spanish]);
  const corpus = await made.index.corpus([made.folder]);
  const all = await corpus.newest(10), ids = all.map(({ id }) => id);
  const having = async (text: string, among = ids) => {
    const found = await corpus.having(queryTerms(text), among);
    return all.filter(({ id }) => found.has(id)).map(({ name }) => name);
  };
  assert.deepEqual(
    await having("deploy argo"),
    ["Notes", "Deploying"],
    "the glossary's is not its own",
  );
  assert.deepEqual(await having("despliegue argo"), ["Despliegue con Argo"]);
  assert.deepEqual(await having("deploying argo friday"), ["Notes"]);
  assert.deepEqual(await having("接池"), ["数据库"]);
  assert.deepEqual(await having("deploy argo", ids.slice(3)), ["Deploying"]);
  assert.deepEqual(await having("argo kiln"), []);
  assert.deepEqual(await having(""), []);
});

Deno.test("a corpus holds its folders and types and nothing else", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const names = async (filter?: { types: string[]; except?: boolean }) =>
    (await ((await index.corpus([folder])).of(filter)).newest(10)).map(({ name }) => name);
  assert.deepEqual(await names(), ["数据库", "Notes", "Deploying"]);
  assert.deepEqual(await names({ types: ["tool"] }), ["Deploying"]);
  assert.deepEqual(await names({ types: ["tool"], except: true }), ["数据库", "Notes"]);
  assert.equal(await (await index.corpus([{ scope: "user", path: "/elsewhere" }])).size(), 0);
});

Deno.test("newest() puts folders and types together by time, then by path", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const other: MemoryFolder = { scope: "project", path: "/other" };
  const later = [["x", "tool", 2], ["y", "gotcha", 9], ["z", "tool", 1]] as const;
  await index.put(
    await index.files.enter(other),
    later.map(([name, type, mtimeMs]) => ({
      file: memoryFile({ path: `/other/${name}.md`, name, type, mtimeMs }),
      hash: name,
    })),
  );
  const corpus = await index.corpus([folder, other]);
  const names = async (limit: number, types?: string[]) =>
    (await corpus.of(types && { types }).newest(limit)).map(({ name }) => name);
  assert.deepEqual(await names(9), ["y", "数据库", "Notes", "x", "Deploying", "z"]);
  assert.deepEqual(await names(4, ["tool", "gotcha"]), ["y", "x", "Deploying", "z"]);
  assert.deepEqual(await names(1, ["tool", "gotcha"]), ["y"]);
});

Deno.test("known() and size() follow what is written, by another process as well", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const id = await index.files.enter(folder);
  const state = async () => {
    const sizes = [...await index.files.known(id)].map(([path, { size }]) => [path, size]);
    return [await (await index.corpus([folder])).size(), Object.fromEntries(sizes)];
  };
  const [a, b, c] = FILES.map(({ path }) => path) as [string, string, string];
  assert.deepEqual(await state(), [3, { [a]: 1, [b]: 1, [c]: 1 }]);
  const known = (await index.files.known(id)).get(a)!;
  await index.files.touch([{ ...known, size: 77, said: "" }]);
  assert.deepEqual(await state(), [3, { [a]: 77, [b]: 1, [c]: 1 }]);
  const other = await Index.open(index.path);
  await other.remove([known.id]);
  other.close();
  assert.deepEqual(await state(), [2, { [b]: 1, [c]: 1 }]);
});

Deno.test("nearest() finds passages, follows changes, and honours the filter", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const [a, b, c] = await pendingIn(index);
  await embed(index, a, 0, 1);
  await embed(index, b!, 2);
  await embed(index, c!);
  const nearest = async (i: number, types?: string[]) => {
    const corpus = (await index.corpus([folder])).of(types && { types });
    const hits = await corpus.nearest(axis(i), { limit: 1 });
    return hits.map(({ memory, cosine }) => [memory, cosine]);
  };
  assert.deepEqual(await nearest(1), [[a!.id, 1]]);
  assert.deepEqual(await nearest(2), [[b!.id, 1]]);
  assert.deepEqual(await nearest(2, ["tool"]), [[a!.id, 0]]);
  await embed(index, b!, 5);
  assert.deepEqual(await nearest(5), [[b!.id, 1]]);
  await index.remove([b!.id]);
  assert.deepEqual(await nearest(5), [[a!.id, 0]]);
  assert.equal((await index.statistics()).pending, 0);
});

Deno.test("the database finds the same nearest memories as vectors in memory do", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const [a, b, c] = await pendingIn(index);
  await embed(index, a, 0, 1, 2);
  await embed(index, b!, 2, 1);
  await embed(index, c!, 3);
  const { db } = await openDatabase(index.path);
  const folders = [(await index.files.idsOf([folder]))[0]!];
  const slow = memoryCorpus({ db, words: new Words(db, "words"), folders });
  const vector = axis(1).map((value, i) => 0.6 * value + 0.8 * axis(2)[i]!);
  for (const nearness of [{ limit: 3 }, { limit: 1 }, { limit: 1, also: new Set([b!.id]) }]) {
    for (const filter of [undefined, { types: ["tool"] }]) {
      const found = await slow.of(filter).nearest(vector, nearness);
      const own = (hit: { memory: number }) => filter === undefined || hit.memory === a!.id;
      const fast = await (await index.corpus([folder])).of(filter).nearest(vector, nearness);
      assert.deepEqual(found.filter(own), fast);
      assert.ok(fast.length > 0);
    }
  }
  db.close();
});

Deno.test("nearest() sees what another process has written", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const [a] = await pendingIn(index);
  await embed(index, a, 0);
  const corpus = await index.corpus([folder]);
  assert.equal((await corpus.nearest(axis(0), { limit: 1 }))[0]!.cosine, 1);
  const other = await Index.open(index.path);
  await embed(other, a, 7);
  other.close();
  assert.equal((await (await index.corpus([folder])).nearest(axis(7), { limit: 1 }))[0]!.cosine, 1);
});

Deno.test("a passage that is written while the vectors are being read is found afterwards", async () => {
  await using made = await makeIndex(FILES);
  const { folder } = made;
  const [first, second] = await pendingIn(made.index);
  // More than is read at a time, behind the memory that is written.
  await embed(made.index, second, ...Array<number>(1001).fill(1));
  for (let ticks = 0; ticks < 40; ticks++) {
    const index = await Index.open(made.index.path);
    await embed(index, first!, 0);
    const warming = index.warm([folder]);
    for (let i = 0; i < ticks; i++) await Promise.resolve();
    await embed(index, first!, 7);
    await warming;
    const [hit] = await (await index.corpus([folder])).nearest(axis(7), { limit: 1 });
    assert.equal(hit!.cosine, 1, `written ${ticks} ticks after the reading began`);
    index.close();
  }
});

Deno.test("put() keeps nothing for a memory that has changed since it was read", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const [a] = await pendingIn(index);
  const id = await index.files.enter(folder);
  await index.put(id, [{ file: { ...FILES[0]!, body: "new", mtimeMs: 9 }, hash: "new" }]);
  await embed(index, a, 0);
  assert.equal((await index.statistics()).passages, 0);
  assert.equal((await index.statistics()).pending, 3);
});

Deno.test("useModel() drops the vectors of another model and keeps every memory", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const [a] = await pendingIn(index);
  await embed(index, a, 0);
  assert.equal(await index.useModel("test", 384), false);
  assert.equal(await index.useModel("other", 8), true);
  assert.equal(await (await index.corpus([folder])).size(), 3);
  assert.equal((await index.queue.pending(10)).length, 3);
  await index.queue.put([{ seen: a!, passages: [{ ...passage(0), vector: axis(0).slice(0, 8) }] }]);
  assert.equal((await index.statistics()).passages, 1);
  assert.equal(await index.useModel("other", 16), true, "and those of another length");
  assert.equal((await index.statistics()).passages, 0);
});

Deno.test("the vectors of another version of a model answer until there are new ones", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  await index.useModel("builtin/small@1", 384);
  const [a] = await index.queue.pending(1);
  await embed(index, a, 0);
  assert.equal(await index.useModel("builtin/small@2", 384), true);
  const corpus = await index.corpus([folder]);
  assert.deepEqual((await corpus.nearest(axis(0), { limit: 9 })).map((hit) => hit.memory), [a!.id]);
  assert.equal((await index.queue.pending(10)).length, 3);
  assert.equal((await index.queue.vectorsOf(a!.id)).has(passage(0).hash), false, "none is kept");
});

Deno.test("put() replaces a memory under its id, words and all", async () => {
  await using made = await makeIndex(FILES);
  const { index, folder } = made;
  const corpus = await index.corpus([folder]);
  const before = (await corpus.words(["fridai"], 1))[0]!.memory;
  const id = await index.files.enter(folder);
  await index.put(id, [{ file: { ...FILES[1]!, body: "We deploy on Monday" }, hash: "new" }]);
  assert.deepEqual(await corpus.words(["fridai"], 1), []);
  assert.equal((await corpus.words(["mondai"], 1))[0]!.memory, before);
});

/** Two notes of one talk and one of another, which has replaced a note of the first. */
const TALKS = [
  memoryFile({ path: "/memories/hours.md", body: "`may_send` says no", source: { session: "a" } }),
  memoryFile({ path: "/memories/kinds.md", name: "`may_send`", source: { session: "a" } }),
  memoryFile({
    path: "/memories/later.md",
    body: "`may_send` says no until 8",
    source: { session: "b", earlier: ["a"] },
  }),
];

/** The files of a memory's siblings. */
async function siblingsOf(index: Index, folder: MemoryFolder, file: string): Promise<string[]> {
  const corpus = await index.corpus([folder]);
  const files = new Map(
    (await corpus.newest(9)).map(({ id, path }) => [id, basename(path, ".md")]),
  );
  const [of] = [...files].find(([, name]) => name === file)!;
  return (await corpus.siblings([of])).map(({ memory }) => files.get(memory)!).sort();
}

Deno.test("siblings() follows what is written and removed, and has none in another folder", async () => {
  await using made = await makeIndex(TALKS);
  const { index, folder } = made;
  const id = await index.files.enter(folder);
  assert.deepEqual(await siblingsOf(index, folder, "hours"), ["kinds", "later"]);
  assert.deepEqual(await siblingsOf(index, folder, "later"), ["hours", "kinds"]);
  const other: MemoryFolder = { scope: "shared", path: "/shared" };
  const shared = memoryFile({ path: "/shared/x.md", scope: "shared", source: { session: "a" } });
  await index.put(await index.files.enter(other), [{ file: shared, hash: "x" }]);
  const both = await index.corpus([folder, other]);
  const [ours] = (await index.byPath(["/memories/hours.md"])).map((memory) => memory.id);
  assert.equal((await both.siblings([ours!])).length, 2);
  // What no longer names the thing stands apart from what was amended.
  await index.put(id, [{ file: { ...TALKS[2]!, body: "No pushes until 8" }, hash: "new" }]);
  assert.deepEqual(await siblingsOf(index, folder, "hours"), ["kinds"]);
  await index.put(id, [{ file: { ...TALKS[1]!, source: undefined }, hash: "new" }]);
  assert.deepEqual(await siblingsOf(index, folder, "hours"), []);
  await index.put(id, [{ file: TALKS[1]!, hash: "again" }]);
  assert.deepEqual(await siblingsOf(index, folder, "hours"), ["kinds"]);
  const [kinds] = await index.byPath(["/memories/kinds.md"]);
  await index.remove([kinds!.id]);
  assert.deepEqual(await siblingsOf(index, folder, "hours"), []);
});

Deno.test("corpus() counts the memories that each tool was imported from", async () => {
  const imported = memoryFile({ path: "/memories/a.md", source: { import: "mem0", id: "1" } });
  const files = [imported, memoryFile({ path: "/memories/b.md" })];
  await using made = await makeIndex(files);
  const { index, folder } = made;
  assert.deepEqual([...await (await index.corpus([folder])).imports()], [["mem0", 1]]);
  assert.deepEqual(
    (await index.byPath(files.map(({ path }) => path))).map(({ importedFrom }) => importedFrom),
    ["mem0", undefined],
  );
});

Deno.test("open() keeps the database to its owner", async () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "state", "index.db");
  (await Index.open(path)).close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(temp.path, "state")).mode & 0o777, 0o700);
});

Deno.test("open() leaves a database of a newer memo alone, and has its own beside it, once", async () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "index.db");
  const client = createClient({ url: `file:${path}` });
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute("PRAGMA user_version = 99");
  client.close();
  const before = readFileSync(path);
  const own = await Index.open(path);
  const folder: MemoryFolder = { scope: "user", path: "/memories" };
  await own.put(await own.files.enter(folder), [{ file: FILES[0]!, hash: "h" }]);
  own.close();
  const again = await Index.open(path);
  assert.equal((await again.statistics()).memories, 1, "it is not made anew each time");
  again.close();
  assert.deepEqual(readFileSync(path), before);
});

for (
  const [what, spoil] of [
    ["a folder", (path: string) => mkdirSync(join(path, "something"), { recursive: true })],
    ["a file that may not be written", (path: string) => writeFileSync(path, "", { mode: 0o400 })],
    ["a file that may not be read", (path: string) => writeFileSync(path, "", { mode: 0o200 })],
    ["a file that is no database", (path: string) => writeFileSync(path, "no database".repeat(99))],
  ] as const
) {
  Deno.test(`open() sets ${what} aside and begins anew, each time`, async () => {
    using temp = temporaryFolder();
    const path = join(temp.path, "index.db");
    for (let round = 0; round < 2; round++) {
      rmSync(path, { recursive: true, force: true });
      spoil(path);
      const index = await Index.open(path);
      await index.files.noteMissing(new Map([["/somewhere", 7]]));
      assert.deepEqual(await index.files.missing(), new Map([["/somewhere", 7]]));
      index.close();
      assert.ok(existsSync(`${path}.damaged`));
    }
  });
}

Deno.test("forget() leaves nothing of a folder, and all of the others", async () => {
  await using made = await makeIndex([
    memoryFile({ path: "/memories/kiln.md", name: "Kiln", body: "The kiln has port 7070." }),
  ]);
  const { index, folder } = made;
  const gone: MemoryFolder = { scope: "project", path: "/gone" };
  const file = memoryFile({ name: "Old", body: "An old one of the kiln.", path: "/gone/old.md" });
  await index.put(await index.files.enter(gone), [{ file, hash: "h" }]);
  assert.equal(await index.forget([gone]), 1);
  assert.deepEqual((await index.files.folders()).map(({ path }) => path), [folder.path]);
  const found = await (await index.corpus([gone, folder])).words(["kiln"], 5);
  assert.equal(found.length, 1);
});

Deno.test("words() finds a Spanish memory by its English words", async () => {
  await using made = await makeIndex([
    memoryFile({
      path: "/memories/a.md",
      name: "Copias de seguridad",
      body: "La base de datos se restaura desde el servidor de producción",
    }),
  ]);
  const corpus = await made.index.corpus([made.folder]);
  assert.equal((await corpus.words(queryTerms("production server"), 10)).length, 1);
  assert.equal((await corpus.words(queryTerms("invoice"), 10)).length, 0);
});

Deno.test("an index whose words were cut the old way is filled again at the next sync", async () => {
  using made = await folderOf({ a: "---\nname: Migrations\n---\nRun them by hand\n" });
  const { folder, path, index: before } = made;
  await syncFolder(before, folder);
  before.close();
  await makeOld(path);

  const index = await Index.open(path);
  assert.ok(index.isUpgraded);
  assert.equal(await index.countUnread(), 1);
  assert.equal((await syncFolder(index, folder)).changed, 1);
  assert.equal(await index.countUnread(), 0);
  const corpus = await index.corpus([folder]);
  assert.equal((await corpus.words(queryTerms("migration"), 10)).length, 1);
  index.close();
});

/** An index with a memory, its words and its vectors, which statements turn into one of an older memo. */
async function olderIndex(...older: readonly string[]) {
  const made = await folderOf({ a: "---\nname: Migrations\n---\nRun them by hand\n" });
  const { folder, path, index } = made;
  await syncFolder(index, folder);
  const [memory] = await pendingIn(index);
  await embed(index, memory, 1);
  index.close();
  await makeOlder(path, older);
  return { ...made, memory: memory! };
}

const OLDER: readonly string[] = [
  ...["memories_by_label", "memories_by_ident", "memories_unread", "memories_past"]
    .map((name) => `DROP INDEX ${name}`),
  "ALTER TABLE memories RENAME COLUMN label TO tag",
  "ALTER TABLE memories DROP COLUMN ident",
  "DROP TABLE standings",
  "CREATE TABLE former (a)",
];

/** What tables, indexes and columns a database has. */
async function shapeOf(path: string) {
  const client = createClient({ url: `file:${path}` });
  const { rows } = await client.execute(
    `SELECT t.type || ' ' || t.name || ' ' || coalesce(c.name || ' ' || c.type, t.sql, '') AS part
      FROM sqlite_schema t LEFT JOIN pragma_table_info(t.name) c ON t.type = 'table' ORDER BY part`,
  );
  client.close();
  return rows.map(({ part }) => part);
}

Deno.test("an index of an older schema answers as it did, until its files are read again", async () => {
  using made = await olderIndex(...OLDER);
  const { folder, path, memory } = made;
  const both = await Promise.all([Index.open(path), Index.open(path)]);
  for (const index of both) {
    assert.equal(index.isUpgraded, true);
    assert.deepEqual([await index.countUnread(), await index.countUnread([folder])], [1, 1]);
    const corpus = await index.corpus([folder]);
    assert.equal((await corpus.words(queryTerms("migration"), 10)).length, 1);
    assert.equal((await corpus.nearest(axis(1), { limit: 9 })).length, 1);
    assert.equal((await index.byPath([memory.path]))[0]!.mtimeMs, memory.mtimeMs, "it is as old");
  }
  assert.equal((await syncFolder(both[0], folder)).changed, 1);
  assert.equal(await both[0].countUnread([folder]), 0);
  assert.deepEqual([...(await both[0].queue.vectorsOf(memory.id)).keys()], ["h1"]);
  for (const index of both) index.close();
  const index = await Index.open(path);
  assert.equal(index.isUpgraded, false);
  index.close();
  const fresh = join(dirname(path), "fresh.db");
  (await Index.open(fresh)).close();
  assert.deepEqual(await shapeOf(path), await shapeOf(fresh), "and is one of this schema");
});

Deno.test("an index of an older schema with other vectors answers by words", async () => {
  using made = await olderIndex("ALTER TABLE passages RENAME TO vectors");
  const { folder, path } = made;
  const index = await Index.open(path);
  const corpus = await index.corpus([folder]);
  assert.equal((await corpus.words(queryTerms("migration"), 10)).length, 1);
  const { passages, pending } = await index.statistics();
  assert.deepEqual([passages, pending], [0, 1]);
  index.close();
});

for (
  const [what, ...older] of [
    ["words", "DROP TABLE vocabulary", "DROP TABLE words", "CREATE TABLE words (name, body)"],
    ["memories", ...OLDER, "ALTER TABLE memories RENAME COLUMN body TO content"],
  ] as const
) {
  Deno.test(`an index whose ${what} cannot be read is begun anew, once, and knows its folders`, async () => {
    using made = await olderIndex(...older);
    const { folder, path } = made;
    const both = await Promise.all([Index.open(path), Index.open(path)]);
    for (const index of both) {
      assert.deepEqual([index.isUpgraded, (await index.statistics()).memories], [true, 0]);
      assert.deepEqual((await index.files.folders()).map((each) => each.path), [folder.path]);
    }
    assert.equal((await syncFolder(both[0], folder)).added, 1);
    for (const index of both) index.close();
    const index = await Index.open(path);
    assert.deepEqual([index.isUpgraded, (await index.statistics()).memories], [false, 1]);
    index.close();
  });
}

Deno.test("a memory is judged beside one that says it contradicts it, whichever came first", async () => {
  const later = { path: "/memories/b.md", name: "Yarn", body: "Use yarn", mtimeMs: 2 };
  const against = memoryFile({ ...later, tags: ["contradicts:a.md"] });
  const first = memoryFile({ path: "/memories/a.md", name: "Npm", body: "Use npm", mtimeMs: 1 });
  for (const files of [[against, first], [first, against]]) {
    await using made = await makeIndex();
    const { index, folder } = made, id = await index.files.enter(folder);
    for (const file of files) {
      await index.put(id, [{ file, hash: file.path }]);
      await index.judgeNew(undefined, {});
    }
    const found = await index.contradictions([folder]);
    assert.deepEqual(found.map(({ older, later }) => [older, later]), [[first.path, against.path]]);
  }
});

Deno.test("MEMORY.md lists memories by the dates in their files, else by the files' own", async () => {
  const dates = [
    { created: "2026-03-01", updated: "2026-01-01", mtimeMs: Date.UTC(2026, 8) },
    { created: undefined, updated: undefined, mtimeMs: Date.UTC(2026, 1) },
    { created: "2026-03-01", updated: "some day", mtimeMs: 1 },
  ];
  await using made = await makeIndex(
    dates.map((each, i) => memoryFile({ path: `/memories/${i}.md`, ...each })),
  );
  const { memories } = (await made.index.lines(made.folder, []))!;
  assert.deepEqual(memories.map(({ path }) => path), [2, 1, 0].map((i) => `/memories/${i}.md`));
});

Deno.test("a file that is deleted while the folder is read is gone, and no failure", async () => {
  const names = Array.from({ length: 101 }, (_, i) => String(1000 + i));
  const files = Object.fromEntries(names.map((name) => [name, "---\nname: Note\n---\nText\n"]));
  using made = await folderOf(files);
  const { index, folder } = made;
  await syncFolder(index, folder);
  const paths = names.map((name) => join(folder.path, `${name}.md`));
  for (const path of paths) writeFileSync(path, "---\nname: Note\n---\nAnother text\n");
  const { changed, removed, failed } = await syncFolder(index, folder, {
    onProgress: () => rmSync(paths[100]!, { force: true }), // after the first of several steps
  });
  assert.deepEqual([changed, removed, failed], [100, 1, []]);
});

Deno.test("a sync that is told it is enough leaves the rest to the next one", async () => {
  const names = Array.from({ length: 250 }, (_, i) => String(i));
  using made = await folderOf(
    Object.fromEntries(names.map((name) => [name, `---\nname: Note ${name}\n---\nText\n`])),
  );
  const { index, folder } = made;
  const { added } = await syncFolder(index, folder, { isEnough: () => true });
  assert.ok(added > 0 && added < 250, `${added}`);
  const rest = await syncFolder(index, folder);
  assert.deepEqual([rest.added, rest.unchanged, rest.removed], [250 - added, added, 0]);
});

Deno.test("likely() gives the terms that a mistyped one may have been, the most frequent first", async () => {
  await using made = await makeIndex([
    memoryFile({ path: "/memories/a.md", body: "token tokens tokeniser" }),
    memoryFile({ path: "/memories/b.md", body: "token taken" }),
  ]);
  const corpus = await made.index.corpus([made.folder]);
  assert.deepEqual(await corpus.likely("toekn"), [{ term: "token", containing: 2 }]);
  assert.deepEqual((await corpus.likely("tokn")).map(({ term }) => term), ["token"]);
});

Deno.test("sync keeps the memories of a folder that cannot be read, and names it", async () => {
  using made = await folderOf({ a: "Use pnpm.\n" });
  const { folder, index } = made;
  assert.equal((await syncFolder(index, folder)).added, 1);
  renameSync(folder.path, `${folder.path}-away`);
  symlinkSync(folder.path, folder.path); // leads to itself
  const { removed, failed } = await syncFolder(index, folder);
  assert.deepEqual([removed, failed.map(({ path }) => path)], [0, [folder.path]]);
  assert.deepEqual(readMemories(folder).failed.map(({ path }) => path), [folder.path]);
  rmSync(folder.path);
  assert.equal((await syncFolder(index, folder)).removed, 1); // it is gone
});
