// What every strategy promises, asked of each in the table, with the real index and the real model.

import assert from "node:assert/strict";
import { openEmbedder } from "../../src/embed/mod.ts";
import { embedPending } from "../../src/index/embed_pending.ts";
import { Query } from "../../src/index/query.ts";
import { pathsFor } from "../../src/paths.ts";
import { analyze } from "../../src/text/analyze.ts";
import { isStopword } from "../../src/text/language/stopwords.ts";
import { policyOf } from "../../src/memory/types.ts";
import { hybrid } from "../../strategies/hybrid.ts";
import { keyword } from "../../strategies/keyword.ts";
import { recency } from "../../strategies/recency.ts";
import { sidequery } from "../../strategies/sidequery.ts";
import type { Ask } from "../../strategies/strategy.ts";
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
const NOW = new Date("2026-11-21T12:00:00Z");

/** Stands in for the language model: it picks the notes whose line has a word of the request, as names it was offered. */
const ask: Ask = ({ prompt }) => {
  const [notes, request] = prompt.split("\n\nRequest:\n");
  const words = new Set(analyze(request!).filter((word) => !isStopword(word)));
  const picks = notes!.split("\n").slice(1).flatMap((line) =>
    analyze(line).some((word) => words.has(word)) ? [/^- (\S+)/.exec(line)![1]!] : []
  );
  return Promise.resolve({
    selected_memories: [...picks, "../made/up.md", "nowhere.md"].slice(0, 7),
  });
};
const options = (limit: number) => ({ limit, now: NOW, ask });
const query = (text: string) => new Query(text, (text) => embedder.embed(text, "query"));

for (const strategy of STRATEGIES) {
  Deno.test(`${strategy.name} ranks best first, none twice, within 0 and 1, the same every time`, async () => {
    await using made = await corpusOf();
    for (const text of QUERIES) {
      const hits = await strategy.rank(query(text), made.corpus, options(10));
      assert.deepEqual(await strategy.rank(query(text), made.corpus, options(10)), hits);
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
    const hits = await strategy.rank(
      query("jwt setup, plants and the database"),
      made.corpus,
      options(3),
    );
    assert.equal(hits.length, 3);
  });

  Deno.test(`${strategy.name} finds nothing in an empty corpus`, async () => {
    await using made = await makeIndex();
    const corpus = await made.index.corpus([made.folder]);
    assert.deepEqual(await strategy.rank(query("anything at all"), corpus, options(5)), []);
  });

  Deno.test(`${strategy.name} puts first what is asked for, in any script`, async () => {
    await using made = await corpusOf();
    for (
      const [text, name] of [
        ["where does the refresh token of the JWT sit", "JWT setup"],
        ["which package manager, given PGBOUNCER_URL", "Package manager"],
        ["数据库连接池大小", "数据库连接池"],
        ["cuándo se hacen copias de la base de datos", "Copias de seguridad"],
      ] as const
    ) {
      const [hit] = await strategy.rank(query(text), made.corpus, options(1));
      const [memory] = await made.corpus.memories([hit!.memory]);
      assert.equal(memory!.name, name, text);
      assert.ok(hit!.score >= 0.35, `${text}: ${hit!.score}`);
    }
  });
}

for (const strategy of [hybrid, keyword]) {
  Deno.test(`${strategy.name} finds an English memory for a prompt in another language, and for a mistyped one`, async () => {
    await using made = await corpusOf();
    for (
      const [text, name] of [
        ["qué gestor de paquetes se usa", "Package manager"],
        ["包管理", "Package manager"],
        ["where does the refersh thing live", "JWT setup"],
      ] as const
    ) {
      const [hit] = await strategy.rank(query(text), made.corpus, options(1));
      const [memory] = await made.corpus.memories([hit!.memory]);
      assert.equal(memory!.name, name, text);
    }
  });
}

Deno.test("an identifier qualifies a memory whatever its embedding says", async () => {
  await using made = await corpusOf();
  const text =
    "I was wondering, as one does of an evening with nothing else to do, about PGBOUNCER_URL";
  for (const strategy of [hybrid, keyword]) {
    const [hit] = await strategy.rank(query(text), made.corpus, options(1));
    const [memory] = await made.corpus.memories([hit!.memory]);
    assert.equal(memory!.name, "Package manager");
    assert.ok(hit!.score > policyOf(memory!.type).threshold);
  }
});

Deno.test("hybrid refuses without a model, and names what answers instead", async () => {
  await using made = await corpusOf();
  await assert.rejects(hybrid.rank(new Query("refresh token"), made.corpus, options(1)), /model/);
  assert.equal(hybrid.fallback, "keyword");
});

Deno.test("recency without words in the query is newest first, and what has faded comes last", async () => {
  const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
  const note = (path: string, type: string, days: number) =>
    memoryFile({ path, type, updated: at(days), mtimeMs: NOW.getTime() - days * 86_400_000 });
  await using made = await makeIndex([
    note("/memories/old.md", "progress", 6),
    note("/memories/new.md", "progress", 1),
    note("/memories/older.md", "progress", 30),
  ]);
  const corpus = await made.index.corpus([made.folder]);
  const hits = await recency.rank(new Query(""), corpus, options(10));
  const memories = await corpus.memories(hits.map((hit) => hit.memory));
  assert.deepEqual(
    memories.map(({ path }) => path),
    ["new", "old", "older"].map((n) => `/memories/${n}.md`),
  );
  assert.equal(hits[2]!.score, 0);
});

Deno.test("sidequery offers what the session has not seen, and takes only what it offered", async () => {
  await using made = await corpusOf();
  const prompts: string[] = [];
  const hits = await sidequery.rank(query("refresh token"), made.corpus, {
    ...options(10),
    exclude: new Set(["/memories/0.md"]),
    ask: ({ prompt }) => {
      prompts.push(prompt);
      return Promise.resolve({ selected_memories: ["0.md", "1.md", "1.md", "../2.md", 7] });
    },
  });
  assert.doesNotMatch(prompts[0]!, /- 0\.md/);
  assert.match(prompts[0]!, /- 1\.md \(project, \d+ days old\): Deploys/);
  const memories = await made.corpus.memories(hits.map((hit) => hit.memory));
  assert.deepEqual(memories.map(({ path }) => path), ["/memories/1.md"]);
});

for (const answer of [null, "yes", {}, { selected_memories: "0.md" }]) {
  Deno.test(`sidequery refuses the answer ${JSON.stringify(answer)}`, async () => {
    await using made = await corpusOf();
    const asked = sidequery.rank(query("token"), made.corpus, {
      ...options(5),
      ask: () => Promise.resolve(answer),
    });
    await assert.rejects(asked, /selected_memories/);
    assert.equal(sidequery.fallback, "keyword");
  });
}
