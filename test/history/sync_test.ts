import assert from "node:assert/strict";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { followHistory, searchHistory } from "../../src/features/history/mod.ts";
import { journalEntries, syncHistory } from "../../src/features/history/sync.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import { Index } from "../../src/core/index/mod.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeIndex } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type Embedder, openEmbedder } from "../../src/core/embed/mod.ts";
import { embedPending } from "../../src/core/index/embed_pending.ts";
import { QUESTIONS, turnAt, writeMonth } from "./month.ts";

const NOW = new Date(2026, 10, 21, 12);
const DAY = `A line of my own.

## Session 10:00

### 10:00
<!-- session:s-1 turn:t-1 transcript:/x/s-1.jsonl -->
- Chose pnpm
- Removed npm

### 11:00
Written by hand.
`;

Deno.test("journalEntries() takes entries with their turns, and what a person wrote", () => {
  const entries = journalEntries("2026-03-04", DAY);
  assert.deepEqual(
    entries.map(({ time, text, turn }) => [time, text, turn]),
    [
      ["", "A line of my own.", undefined],
      ["10:00", "- Chose pnpm\n- Removed npm", "t-1"],
      ["11:00", "Written by hand.", undefined],
    ],
  );
  const summary =
    "## Summary 12:00\n\n### 12:00\n<!-- summary from:2026-03-01 to:2026-03-03 of:a1 -->\n- Releases\n";
  assert.equal(journalEntries("2026-03-04", summary)[0]!.text, "- Releases");
  assert.deepEqual(journalEntries("2026-03-04", DAY.replaceAll("\n", "\r\n")), entries);
  assert.deepEqual(journalEntries("2026-03-04", ""), []);
});

Deno.test("syncHistory() follows a journal that is edited and deleted, within its room", async () => {
  using temp = temporaryFolder();
  await using made = await makeIndex();
  const { history } = made.index;
  const folder: MemoryFolder = { scope: "project", path: temp.path };
  const journal = join(temp.path, "journal");
  mkdirSync(journal);
  const [march, april] = ["2026-03-04", "2026-04-04"].map((day) => join(journal, `${day}.md`));
  for (const path of [march!, april!]) writeFileSync(path, DAY);
  const sync = (more = {}) => syncHistory(history, { folder, kept: join(temp.path, "none") }, more);
  assert.deepEqual(await sync(), { read: 2, dropped: 0 });
  assert.equal((await made.index.statistics()).history, 6);

  writeFileSync(march!, DAY.replace("Chose pnpm", "Chose yarn"));
  utimesSync(march!, NOW, NOW);
  assert.deepEqual(await sync(), { read: 1, dropped: 0 });
  const found = await searchHistory({ text: "yarn", limit: 5 }, {
    ...{ index: made.index, folders: [folder], now: NOW },
  });
  assert.deepEqual(found.map(({ entry }) => [entry.day, entry.turn]), [["2026-03-04", "t-1"]]);

  assert.deepEqual(await sync({ maxBytes: DAY.length + 10 }), { read: 0, dropped: 1 });
  assert.equal((await made.index.statistics()).history, 3);
  rmSync(april!);
  assert.deepEqual(await sync(), { read: 1, dropped: 1 });
});

Deno.test("searchHistory() lists the given days and nothing else", async () => {
  using temp = temporaryFolder();
  await using made = await makeIndex();
  const folder: MemoryFolder = { scope: "project", path: temp.path };
  mkdirSync(join(temp.path, "journal"));
  for (const day of ["2026-03-04", "2026-03-05", "2026-04-04"]) {
    writeFileSync(join(temp.path, "journal", `${day}.md`), `### 10:00\n- Worked on ${day}\n`);
  }
  await syncHistory(made.index.history, { folder, kept: join(temp.path, "none") });
  const days = async (text: string, days?: { from: string; to: string }) => {
    const hits = await searchHistory({ text, days, limit: 5 }, {
      ...{ index: made.index, folders: [folder], now: NOW },
    });
    return hits.map(({ entry }) => entry.day);
  };
  const MARCH = { from: "2026-03-01", to: "2026-03-31" };
  assert.deepEqual(await days("What did we do?", MARCH), ["2026-03-04", "2026-03-05"]);
  assert.deepEqual(await days("worked", { from: "2026-04-01", to: "2026-04-30" }), ["2026-04-04"]);
  assert.deepEqual(await days("what happened", { from: "2026-05-01", to: "2026-05-31" }), []);
  assert.deepEqual(await days("worked", { from: "2020-01-01", to: "2020-01-02" }), []);
});

Deno.test("two processes that read the same file enter it once", async () => {
  using temp = temporaryFolder();
  const folder: MemoryFolder = { scope: "project", path: temp.path };
  mkdirSync(join(temp.path, "journal"));
  for (let n = 1; n <= 9; n++) {
    writeFileSync(join(temp.path, "journal", `2026-03-0${n}.md`), DAY);
  }
  const path = join(temp.path, "index.db");
  const [one, other] = [await Index.open(path), await Index.open(path)];
  const source = { folder, kept: join(temp.path, "none") };
  await Promise.all([one, other].map((index) => syncHistory(index.history, source)));
  assert.equal((await one.statistics()).history, 27);
  const corpus = await other.history.corpus([folder]);
  assert.equal((await corpus.words(["pnpm"], 50)).length, 9);
  one.close();
  other.close();
});

Deno.test("an engine indexes and embeds history in the background", async () => {
  using temp = temporaryFolder();
  const env = { HOME: temp.path, MEMO_HOME: join(temp.path, "state") };
  const paths = pathsFor(env);
  const engine = new Engine({ paths, env, log: () => {}, background: true });
  const place = placeIn(paths, temp.path);
  mkdirSync(join(paths.userMemory, "journal"), { recursive: true });
  writeFileSync(join(paths.userMemory, "journal", "2026-03-04.md"), DAY);
  await followHistory({ engine, place });
  await engine.embedded();
  const { memories, history, pendingHistory } = await (await engine.index()).statistics();
  assert.deepEqual([memories, history, pendingHistory], [0, 3, 0]);
  await engine.close();
});

Deno.test("r14: 20 questions about a month of journals find their turn", async () => {
  using temp = temporaryFolder();
  await using made = await makeIndex();
  const { index } = made;
  const folder: MemoryFolder = { scope: "project", path: join(temp.path, "shop") };
  await writeMonth(folder);
  await syncHistory(index.history, { folder, kept: join(temp.path, "none") });
  const embedder: Embedder = await openEmbedder("builtin", pathsFor({ HOME: temp.path }));
  await index.useModel(embedder.id, embedder.dimensions);
  await embedPending(index, embedder);
  const ranks: [string, number][] = [];
  for (const [text, at, days] of QUESTIONS) {
    const [day, time] = at.split(" ") as [string, string];
    const hits = await searchHistory({ text, days, limit: 10 }, {
      ...{ index, folders: [folder], now: NOW },
      embed: (text) => embedder.embed(text, "query"),
    });
    const rank = hits.findIndex(({ entry }) => entry.turn === turnAt(day, time)) + 1;
    ranks.push([text, rank]);
  }
  await embedder.close();
  assert.equal(QUESTIONS.length, 20);
  assert.deepEqual(ranks.filter(([, rank]) => rank === 0 || rank > 3), []);
  assert.ok(ranks.filter(([, rank]) => rank === 1).length >= 19);
});
