// What the strategies that read the text promise beyond the contract: they find what is asked for.

import assert from "node:assert/strict";
import { Query } from "../../src/core/index/query.ts";
import { fileName } from "../../src/core/memory/title.ts";
import { policyOf } from "../../src/core/memory/types.ts";
import { hybrid } from "../../strategies/hybrid.ts";
import { keyword } from "../../strategies/keyword.ts";
import { lexical } from "../../strategies/lexical.ts";
import { recency } from "../../strategies/recency.ts";
import { sidequery } from "../../strategies/sidequery.ts";
import type { Ask } from "../../strategies/strategy.ts";
import { verify } from "../../strategies/verify.ts";
import { makeIndex, memoryFile } from "../support/index.ts";
import { corpusOf, NOW, options, query } from "./notes.ts";

for (const strategy of [hybrid, sidequery, keyword, recency]) {
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

Deno.test("recency finds a note of days ago by its own name, and not by half of it", async () => {
  const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
  const filler = Array.from(
    { length: 30 },
    (_, i) =>
      memoryFile({
        path: `/memories/${i}.md`,
        name: `Rollout ${i}`,
        body: `The rollout of ship ${i}`,
      }),
  );
  await using made = await makeIndex([
    memoryFile({
      path: "/memories/yak.md",
      name: "yak rollout",
      type: "progress",
      body: "Half of the customers have it; the rest follows when billing is done.",
      updated: at(2),
    }),
    ...filler,
  ]);
  const corpus = await made.index.corpus([made.folder]);
  const scoreOf = async (text: string) => {
    const hits = await recency.rank(query(text), corpus, options(50));
    const memories = await corpus.memories(hits.map((hit) => hit.memory));
    return hits[memories.findIndex(({ name }) => name === "yak rollout")]?.score ?? 0;
  };
  assert.ok(await scoreOf("how is the yak rollout going?") >= 0.35);
  assert.ok(await scoreOf("how is the rollout going?") < 0.35);
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

Deno.test("sidequery shows a large store's best and its standing rules, within 3,000 tokens", async () => {
  const files = Array.from({ length: 1000 }, (_, i) =>
    memoryFile({
      path: `/memories/note_${i}.md`,
      name: i === 500 ? "Refresh token rotation" : `Note ${i} about something else entirely`,
      description: "A description of some length, as people and models write them. ".repeat(3),
      type: i % 50 === 0 ? "feedback" : "reference",
      mtimeMs: i,
    }));
  await using made = await makeIndex(files);
  const corpus = await made.index.corpus([made.folder]);
  let prompt = "";
  await sidequery.rank(new Query("refresh token rotation"), corpus, {
    ...options(10),
    turns: ["User: we were at the vault", "Assistant: yes"],
    ask: (question) => {
      prompt = question.system + question.prompt;
      return Promise.resolve({ selected_memories: [] });
    },
  });
  assert.match(prompt, /note_500\.md/);
  assert.match(prompt, /note_950\.md \(feedback/);
  assert.match(prompt, /Said before:\nUser: we were at the vault\nAssistant: yes\n/);
  assert.ok(prompt.length / 4 < 3000, `${prompt.length / 4} tokens`);
});

Deno.test("verify shows the first local hits alone, and asks nothing where there are none", async () => {
  await using made = await corpusOf();
  const asked: string[] = [];
  const hits = await verify.rank(query("where does the refresh token live"), made.corpus, {
    ...options(10),
    ask: ({ prompt }) => {
      asked.push(prompt);
      return Promise.resolve({ selected_memories: ["0.md", "3.md"] });
    },
  });
  assert.match(asked[0]!, /- 0\.md/);
  assert.doesNotMatch(asked[0]!, /ficus|- 3\.md/);
  assert.equal(hits.length, 1);
  await verify.rank(query("qqqq"), made.corpus, options(10));
  assert.equal(asked.length, 1);
});

Deno.test("a long list spells a title by its file's name, and adds the end that a name has no room for", async () => {
  const titles = [
    "Tasks with just",
    "Bruno is away from 23 November to 4 December, ask Gonzalo about production access",
  ];
  const named = titles.map((name, i) =>
    memoryFile({
      path: `/memories/${fileName("tool", name)}`,
      name,
      description: i === 0 ? "" : "Who to ask",
      type: "tool",
      mtimeMs: i,
    })
  );
  const others = Array.from(
    { length: 150 },
    (_, i) =>
      memoryFile({ path: `/memories/other_${i}.md`, name: "x ".repeat(60), mtimeMs: 10 - i }),
  );
  await using made = await makeIndex([...named, ...others]);
  const corpus = await made.index.corpus([made.folder]);
  let prompt = "";
  const ask: Ask = (question) => {
    prompt = question.prompt;
    return Promise.resolve({ selected_memories: [] });
  };
  await sidequery.rank(new Query("refresh token"), corpus, { ...options(10), ask });
  assert.match(prompt, /- tool_tasks-with-just\.md \(tool, [^)]*\)\n/);
  assert.match(
    prompt,
    /- tool_bruno-\S+\.md \(tool, [^)]*\): \S*.*production access: Who to ask\n/,
  );
});

for (const answer of [null, "yes", {}, { selected_memories: "0.md" }]) {
  Deno.test(`sidequery refuses the answer ${JSON.stringify(answer)}`, async () => {
    await using made = await corpusOf();
    const asked = sidequery.rank(query("token"), made.corpus, {
      ...options(5),
      ask: () => Promise.resolve(answer),
    });
    await assert.rejects(asked, /selected_memories/);
    assert.equal(sidequery.fallback, "hybrid");
  });
}

/** The notes that a query finds by their words, best first, with their shares. */
async function byWords(notes: readonly (readonly [name: string, body: string])[], text: string) {
  const files = notes.map(([name, body], i) =>
    memoryFile({ path: `/memories/${i}.md`, name, body })
  );
  await using made = await makeIndex(files);
  const corpus = await made.index.corpus([made.folder]);
  const { scores } = await lexical(new Query(text), corpus, 10);
  const memories = await corpus.memories([...scores.keys()]);
  return memories.map(({ id, name }) => ({ name, share: scores.get(id)! }));
}

const CODE_NOTES = [
  ["No TODO in the code", "The linter refuses every TODO; write a ticket."],
  ["Lindero's domain", "Lindero is registered until May."],
  ["Uploads", "The server trusts the mimetype that it is given."],
  ["Attachments", "The MIME type of a mail's part is in its header."],
  ["Todas las copias", "Se hacen cada noche, y todo se prueba."],
] as const;

Deno.test("r12: TODO is a word of a prompt, though todo is a function word in Spanish", async () => {
  for (const text of ["please leave a TODO in the parser", "leave a todo for me in the parser"]) {
    assert.equal((await byWords(CODE_NOTES, text))[0]?.name, "No TODO in the code", text);
  }
  assert.deepEqual(await byWords(CODE_NOTES, "lo hace todo el parser de la tabla"), []);
});

Deno.test("r12: words that no memory has weigh in a prompt", async () => {
  const [full] = await byWords(CODE_NOTES, "when is Lindero registered");
  const [part] = await byWords(CODE_NOTES, "who designed the Lindero logo");
  assert.equal(part!.name, "Lindero's domain");
  assert.ok(full!.share > 2 * part!.share, `${full!.share}, ${part!.share}`);
  assert.ok(part!.share < 0.5, `${part!.share}`);
});

Deno.test("r12: mimetype and MIME type meet", async () => {
  const both = ["Attachments", "Uploads"];
  const named = async (text: string) => (await byWords(CODE_NOTES, text)).map(({ name }) => name);
  assert.deepEqual((await named("which MIME type is sent")).sort(), both);
  const apart = CODE_NOTES.filter(([name]) => name !== "Uploads");
  assert.equal((await byWords(apart, "which mimetype is sent"))[0]?.name, "Attachments");
});

Deno.test("r12: one shared common word is not enough", async () => {
  const notes = Array.from({ length: 30 }, (_, i) => ({
    name: `Note ${i}`,
    body: i % 5 === 0
      ? "Show the difference before you apply it."
      : `About ${"abcdefg"[i % 7]}x${i}.`,
  }));
  await using made = await makeIndex(
    notes.map((note, i) => memoryFile({ path: `/memories/${i}.md`, ...note })),
  );
  const corpus = await made.index.corpus([made.folder]);
  for (const text of ["diferencia entre IPv4 e IPv6", "what is the difference"]) {
    const [hit] = await keyword.rank(new Query(text), corpus, options(5));
    assert.ok(
      hit !== undefined && hit.score < policyOf("project").threshold,
      `${text}: ${hit?.score}`,
    );
  }
});
