// What the strategies that read the text promise beyond the contract: they find what is asked for.

import assert from "node:assert/strict";
import type { Corpus } from "../../src/core/index/corpus.ts";
import { Query } from "../../src/core/index/query.ts";
import { fileName } from "../../src/core/memory/title.ts";
import { policyOf } from "../../src/core/memory/types.ts";
import { hybrid } from "../../strategies/hybrid.ts";
import { keyword } from "../../strategies/keyword.ts";
import { lexical } from "../../strategies/lexical.ts";
import { recency } from "../../strategies/recency.ts";
import { sidequery } from "../../strategies/sidequery.ts";
import type { Question, Strategy } from "../../strategies/strategy.ts";
import { verify } from "../../strategies/verify.ts";
import { indexOf } from "../recall/notes.ts";
import { corpusOf, NOW, options, query } from "./notes.ts";

/** Whatever has words, and what has other ones than the note: another language's, or mistyped ones. */
const FOUND:
  readonly (readonly [strategies: Strategy[], least: number, found: [string, string][]])[] = [
    [[hybrid, sidequery, keyword, recency], 0.35, [
      ["where does the refresh token of the JWT sit", "JWT setup"],
      ["which package manager, given PGBOUNCER_URL", "Package manager"],
      ["数据库连接池大小", "数据库连接池"],
      ["cuándo se hacen copias de la base de datos", "Copias de seguridad"],
    ]],
    [[hybrid, keyword], 0, [
      ["qué gestor de paquetes se usa", "Package manager"],
      ["包管理", "Package manager"],
      ["where does the refersh thing live", "JWT setup"],
    ]],
    [[hybrid, keyword], policyOf("project").threshold, [
      [
        "I was wondering, as one does of an evening with nothing else to do, about PGBOUNCER_URL",
        "Package manager",
      ],
    ]],
  ];

for (const [strategies, least, found] of FOUND) {
  for (const strategy of strategies) {
    for (const [text, name] of found) {
      Deno.test(`${strategy.name} puts first what is asked for: ${text}`, async () => {
        await using made = await corpusOf();
        const [hit] = await strategy.rank(query(text), made.corpus, options(1));
        const [memory] = await made.corpus.memories([hit!.memory]);
        assert.equal(memory!.name, name);
        assert.ok(hit!.score >= least, `${hit!.score}`);
      });
    }
  }
}

Deno.test("hybrid refuses without a model, and names what answers instead", async () => {
  await using made = await corpusOf();
  await assert.rejects(hybrid.rank(new Query("refresh token"), made.corpus, options(1)), /model/);
  assert.equal(hybrid.fallback, "keyword");
});

const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

Deno.test("recency without words in the query is newest first, and what has faded comes last", async () => {
  await using made = await indexOf(
    [6, 1, 30].map((days) => ({
      ...{ name: `${days}`, type: "progress", updated: at(days), mtimeMs: Date.parse(at(days)) },
    })),
  );
  const hits = await recency.rank(new Query(""), made.corpus, options(10));
  const memories = await made.corpus.memories(hits.map((hit) => hit.memory));
  assert.deepEqual(memories.map(({ name }) => name), ["1", "6", "30"]);
  assert.equal(hits[2]!.score, 0);
});

Deno.test("recency finds a note of days ago by its own name, and not by half of it", async () => {
  const body = "Half of the customers have it; the rest follows when billing is done.";
  await using made = await indexOf([
    { name: "yak rollout", type: "progress", body, updated: at(2) },
    ...Array.from({ length: 30 }, (_, i) => ({
      ...{ name: `Rollout ${i}`, body: `The rollout of ship ${i}` },
    })),
  ]);
  const scoreOf = async (text: string) => {
    const hits = await recency.rank(query(text), made.corpus, options(50));
    const memories = await made.corpus.memories(hits.map((hit) => hit.memory));
    return hits[memories.findIndex(({ name }) => name === "yak rollout")]?.score ?? 0;
  };
  assert.ok(await scoreOf("how is the yak rollout going?") >= 0.35);
  assert.ok(await scoreOf("how is the rollout going?") < 0.35);
});

/** Ranks with a language model that gives this answer; returns what it was asked, and the paths that were picked. */
async function asked(
  strategy: Strategy,
  { corpus, text, answer = { selected_memories: [] }, ...more }: {
    readonly corpus: Corpus;
    readonly text: string;
    readonly answer?: unknown;
    readonly exclude?: ReadonlySet<string>;
    readonly turns?: readonly string[];
  },
) {
  const questions: Question[] = [];
  const hits = await strategy.rank(query(text), corpus, {
    ...{ ...options(10), ...more },
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(answer);
    },
  });
  const picked = (await corpus.memories(hits.map((hit) => hit.memory))).map(({ path }) => path);
  const [{ system, prompt } = { system: "", prompt: "" }] = questions;
  return { picked, prompt, isAsked: questions.length > 0, chars: system.length + prompt.length };
}

Deno.test("sidequery offers what the session has not seen, and takes only what it offered", async () => {
  await using made = await corpusOf();
  const { prompt, picked } = await asked(sidequery, {
    ...{ corpus: made.corpus, text: "refresh token", exclude: new Set(["/memories/0.md"]) },
    answer: { selected_memories: ["0.md", "1.md", "1.md", "../2.md", 7] },
  });
  assert.doesNotMatch(prompt, /- 0\.md/);
  assert.match(prompt, /- 1\.md \(project, \d+ days old\): Deploys/);
  assert.deepEqual(picked, ["/memories/1.md"]);
});

Deno.test("sidequery shows a large store's best and its standing rules, within 3,000 tokens", async () => {
  await using made = await indexOf(Array.from({ length: 1000 }, (_, i) => ({
    path: `/memories/note_${i}.md`,
    name: i === 500 ? "Refresh token rotation" : `Note ${i} about something else entirely`,
    description: "A description of some length, as people and models write them. ".repeat(3),
    type: i % 50 === 0 ? "feedback" : "reference",
    mtimeMs: i,
  })));
  const { prompt, chars } = await asked(sidequery, {
    ...{ corpus: made.corpus, text: "refresh token rotation" },
    turns: ["User: we were at the vault", "Assistant: yes"],
  });
  assert.match(prompt, /note_500\.md/);
  assert.match(prompt, /note_950\.md \(feedback/);
  assert.match(prompt, /Said before:\nUser: we were at the vault\nAssistant: yes\n/);
  assert.ok(chars / 4 < 3000, `${chars / 4} tokens`);
});

Deno.test("verify shows the first local hits alone, and asks nothing where there are none", async () => {
  await using made = await corpusOf();
  const { corpus } = made, text = "where does the refresh token live";
  const answer = { selected_memories: ["0.md", "3.md"] };
  const { prompt, picked } = await asked(verify, { corpus, text, answer });
  assert.match(prompt, /- 0\.md/);
  assert.doesNotMatch(prompt, /ficus|- 3\.md/);
  assert.deepEqual(picked, ["/memories/0.md"]);
  assert.equal((await asked(verify, { corpus, text: "qqqq" })).isAsked, false);
});

Deno.test("a long list spells a title by its file's name, and adds the end that a name has no room for", async () => {
  const [just, bruno] = [
    "Tasks with just",
    "Bruno is away from 23 November to 4 December, ask Gonzalo about production access",
  ] as const;
  const named = [[just, ""], [bruno, "Who to ask"]].map(([name, description], mtimeMs) => ({
    ...{ path: `/memories/${fileName("tool", name!)}`, name: name!, description: description! },
    ...{ type: "tool", mtimeMs },
  }));
  const others = Array.from({ length: 150 }, (_, i) => ({
    ...{ path: `/memories/other_${i}.md`, name: "x ".repeat(60), mtimeMs: 10 - i },
  }));
  await using made = await indexOf([...named, ...others]);
  const { prompt } = await asked(sidequery, { corpus: made.corpus, text: "refresh token" });
  assert.match(prompt, /- tool_tasks-with-just\.md \(tool, [^)]*\)\n/);
  assert.match(
    prompt,
    /- tool_bruno-\S+\.md \(tool, [^)]*\): \S*.*production access: Who to ask\n/,
  );
});

for (const answer of [null, "yes", {}, { selected_memories: "0.md" }]) {
  Deno.test(`sidequery refuses the answer ${JSON.stringify(answer)}`, async () => {
    await using made = await corpusOf();
    const refused = asked(sidequery, { corpus: made.corpus, text: "token", answer });
    await assert.rejects(refused, /selected_memories/);
    assert.equal(sidequery.fallback, "hybrid");
  });
}

/** The notes that a query finds by their words, best first, with their shares. */
async function byWords(notes: readonly (readonly [name: string, body: string])[], text: string) {
  await using made = await indexOf(notes.map(([name, body]) => ({ name, body })));
  const { corpus } = made;
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
  await using made = await indexOf(notes);
  for (const text of ["diferencia entre IPv4 e IPv6", "what is the difference"]) {
    const [hit] = await keyword.rank(new Query(text), made.corpus, options(5));
    assert.ok(
      hit !== undefined && hit.score < policyOf("project").threshold,
      `${text}: ${hit?.score}`,
    );
  }
});
