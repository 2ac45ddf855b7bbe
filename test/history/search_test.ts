import assert from "node:assert/strict";
import { join } from "node:path";
import { type Embedder, openEmbedder } from "../../src/core/embed/mod.ts";
import { syncHistory } from "../../src/features/history/sync.ts";
import { searchHistory } from "../../src/features/history/mod.ts";
import { embedPending } from "../../src/core/index/embed_pending.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeIndex } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";
import { QUESTIONS, turnAt, writeMonth } from "./month.ts";

const NOW = new Date(2026, 10, 21, 12);

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
