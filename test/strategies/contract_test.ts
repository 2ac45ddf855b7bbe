// What every strategy promises, asked of each in the table, with the real index and the real model.

import assert from "node:assert/strict";
import { openEmbedder } from "../../src/embed/mod.ts";
import { embedPending } from "../../src/index/embed_pending.ts";
import { Query } from "../../src/index/query.ts";
import { pathsFor } from "../../src/paths.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import { makeIndex, memoryFile } from "../support/index.ts";
import { temporaryFolder } from "../support/temp.ts";

using state = temporaryFolder();
const embedder = await openEmbedder(
  "builtin",
  pathsFor({ MEMO_HOME: state.path, HOME: state.path }),
);

const NOTES: readonly [name: string, body: string][] = [
  [
    "JWT setup",
    "Access tokens are RS256 and live 15 minutes; the refresh token sits in an httpOnly cookie.",
  ],
  ["Deploys", "A tag on main is rolled out by Argo. Never kubectl apply by hand."],
  ["Package manager", "Use pnpm; npm breaks the lockfile. PGBOUNCER_URL must be set before tests."],
  ["Plants", "The ficus by the window wants water every ten days."],
  ["数据库连接池", "生产环境的连接池大小是二十，不要改。"],
  ["Copias de seguridad", "La base de datos se copia cada noche a las tres."],
];

const QUERIES = [
  "where does the refresh token live",
  "what is PGBOUNCER_URL for",
  "连接池大小",
  "copia de la base de datos",
  "!!! ??? ---",
  "the of and",
  "x".repeat(5000),
  'quotes " and OR NOT (parentheses) * ^ : - in FTS syntax',
];

async function corpusOf(count = NOTES.length) {
  const files = Array.from({ length: count }, (_, i) => {
    const [name, body] = NOTES[i % NOTES.length]!;
    return memoryFile({ path: `/memories/${i}.md`, name, body, mtimeMs: i });
  });
  const made = await makeIndex(files);
  await made.index.useModel(embedder.id, embedder.dimensions);
  await embedPending(made.index, embedder);
  return { ...made, corpus: await made.index.corpus([made.folder]) };
}
const query = (text: string) => new Query(text, (text) => embedder.embed(text, "query"));

for (const strategy of STRATEGIES) {
  Deno.test(`${strategy.name} ranks best first, none twice, within 0 and 1, the same every time`, async () => {
    await using made = await corpusOf();
    for (const text of QUERIES) {
      const hits = await strategy.rank(query(text), made.corpus, { limit: 10 });
      assert.deepEqual(await strategy.rank(query(text), made.corpus, { limit: 10 }), hits);
      assert.equal(new Set(hits.map((hit) => hit.memory)).size, hits.length);
      hits.forEach((hit, i) => {
        assert.ok(hit.score >= 0 && hit.score <= 1, `${hit.score}`);
        if (i > 0) assert.ok(hits[i - 1]!.score >= hit.score);
      });
      const memories = await made.corpus.memories(hits.map((hit) => hit.memory));
      assert.equal(memories.length, hits.length);
    }
  });

  Deno.test(`${strategy.name} keeps to the limit`, async () => {
    await using made = await corpusOf(30);
    const hits = await strategy.rank(query("refresh token of the database"), made.corpus, {
      limit: 3,
    });
    assert.equal(hits.length, 3);
  });

  Deno.test(`${strategy.name} finds nothing in an empty corpus`, async () => {
    await using made = await makeIndex();
    const corpus = await made.index.corpus([made.folder]);
    assert.deepEqual(await strategy.rank(query("anything at all"), corpus, { limit: 5 }), []);
  });

  Deno.test(`${strategy.name} puts first what is asked for, in any script`, async () => {
    await using made = await corpusOf();
    for (
      const [text, name] of [
        ["where does the refresh token sit", "JWT setup"],
        ["what is PGBOUNCER_URL for", "Package manager"],
        ["连接池大小", "数据库连接池"],
        ["cuándo se copia la base de datos", "Copias de seguridad"],
      ] as const
    ) {
      const [hit] = await strategy.rank(query(text), made.corpus, { limit: 1 });
      const [memory] = await made.corpus.memories([hit!.memory]);
      assert.equal(memory!.name, name, text);
      assert.ok(hit!.score >= 0.35, `${text}: ${hit!.score}`);
    }
  });
}

Deno.test("an identifier qualifies a memory whatever its embedding says", async () => {
  await using made = await corpusOf();
  const text =
    "I was wondering, as one does of an evening with nothing else to do, about PGBOUNCER_URL";
  for (const strategy of STRATEGIES) {
    const [hit] = await strategy.rank(query(text), made.corpus, { limit: 1 });
    const [memory] = await made.corpus.memories([hit!.memory]);
    assert.equal(memory!.name, "Package manager");
    assert.ok(hit!.score >= 0.6);
  }
});

Deno.test("hybrid refuses without a model, and names what answers instead", async () => {
  await using made = await corpusOf();
  const [hybrid] = STRATEGIES;
  await assert.rejects(hybrid.rank(new Query("refresh token"), made.corpus, { limit: 1 }), /model/);
  assert.equal(hybrid.fallback, "keyword");
});
