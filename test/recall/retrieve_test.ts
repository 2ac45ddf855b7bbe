import assert from "node:assert/strict";
import { Query } from "../../src/core/index/query.ts";
import type { Corpus } from "../../src/core/index/corpus.ts";
import type { RecallContext, RecallRequest } from "../../src/core/recall/recall.ts";
import { assign, retrieve } from "../../src/core/recall/retrieve.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { redact } from "../../src/core/redact/redact.ts";
import { loadConfig, typeSettings } from "../../src/core/settings/config.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { Ask } from "../../strategies/strategy.ts";
import { CONFIG, indexOf, NOW } from "./notes.ts";

const BEST = loadConfig("/nowhere", { MEMO_RECALL_PRESET: "best" });
const HERON = "deploy with the heron script";

const made = () =>
  indexOf([
    { path: "/memories/sure.md", name: "Heron deploys", body: "The heron script deploys." },
    ...Array.from({ length: 30 }, (_, i) => ({ name: `Note ${i}`, body: "Something else." })),
  ].map((file, i) => ({ path: `/memories/${i - 1}.md`, ...file })));

const never: Ask = () => new Promise(() => {});

/** A language model that picks these files, and the prompts that it got. */
function asking(...picks: readonly string[]) {
  const prompts: string[] = [];
  const ask: Ask = ({ prompt }) => {
    prompts.push(prompt);
    return Promise.resolve({ selected_memories: picks });
  };
  return { prompts, asked: { ask, config: BEST, patienceMs: 5000 } };
}

Deno.test("a preset sets the strategy of every type, and a type's own setting comes before it", () => {
  const config = loadConfig("/nowhere", {
    MEMO_RECALL_PRESET: "balanced",
    MEMO_STRATEGY_FEEDBACK: "keyword",
  });
  assert.deepEqual(
    ["decision", "progress", "feedback"].map((type) => typeSettings(config, type).strategy),
    ["verify", "verify", "keyword"],
  );
});

Deno.test("while a language model is asked, its local fallback answers provisionally; else it is all there is", async () => {
  await using notes = await made();
  const options = { corpus: notes.corpus, config: BEST, now: NOW, limit: 10 };
  for (const ask of [never, undefined]) {
    const { local, remote } = retrieve(new Query(HERON), { ...options, ask });
    const [ranking] = await local;
    assert.equal(ranking!.isProvisional, ask && true);
    assert.equal(ranking!.strategy, "keyword"); // there is no model, so hybrid's own fallback ranks
    assert.equal(remote.length, ask === undefined ? 0 : 1);
  }
});

Deno.test("what is sure goes at once, what is likely waits for the verdict, and the verdict adds the rest", async () => {
  await using notes = await made();
  const sure = await notes.ask(HERON, {}, { config: BEST, ask: never, patienceMs: 0 });
  assert.match(sure.block ?? "", /heron script deploys/);
  assert.equal(sure.pending.length, 1);

  // A little less likely than what is waited for no language model.
  const { score } = sure.entries[0]!.fused, odds = score / (1 - score) * Math.exp(-0.04);
  const perType = { "threshold.*": odds / (1 + odds) };
  const strict = { ask: never, patienceMs: 0, config: { ...BEST, perType } };
  assert.equal((await notes.ask(HERON, {}, strict)).block, undefined);
  const local = await notes.ask(HERON, {}, { config: { ...CONFIG, perType } });
  assert.deepEqual(local.entries.map(({ form }) => form), ["whole"]);
});

Deno.test("what was said before is read only where a language model is asked", async () => {
  await using notes = await made();
  let read = 0;
  const request = { turns: () => Promise.resolve([`User: turn ${++read}`]) };
  const { prompts, asked } = asking("3.md");
  const prompt = "do the same for the other one";
  await notes.ask(prompt, request, { ...asked, config: CONFIG });
  assert.equal(read, 0);
  const { block } = await notes.ask(prompt, request, asked);
  assert.match(prompts[0]!, /Said before:\nUser: turn 1/);
  assert.match(block ?? "", /Note 3/);
});

Deno.test("a short prompt that finds something sure by itself is ranked once, whatever was said before", async () => {
  await using notes = await made();
  const open = notes.index.corpus.bind(notes.index);
  let ranked = 0;
  const counting = (corpus: Corpus): Corpus => ({
    ...corpus,
    of: (filter) => counting(corpus.of(filter)),
    words: (terms, limit) => (ranked++, corpus.words(terms, limit)),
  });
  notes.index.corpus = async (folders) => counting(await open(folders));
  const before = () => Promise.resolve({ prompt: "What is next?", reply: "The tests pass." });
  const answerTo = async (request: Partial<RecallRequest>, context: Partial<RecallContext>) => {
    ranked = 0;
    const found = await notes.ask("the heron script deploys?", request, {
      patienceMs: 5000,
      ...context,
    });
    return { block: found.block, pending: found.pending.length, ranked };
  };
  const alone = await answerTo({}, {});
  assert.match(alone.block ?? "", /heron script deploys/);
  assert.deepEqual(await answerTo({ before }, {}), alone);
  assert.deepEqual(await answerTo({ before }, { ask: never }), alone);
  const asked = await answerTo({ before }, { ask: never, config: BEST, patienceMs: 1 });
  assert.equal(asked.pending, 1);
});

/** Forty lines that fill a prompt, so that it is cut before it is searched for. */
const lines = (line: string) => Array.from({ length: 40 }, (_, i) => `${line} ${i}.`).join("\n");
const LOG = Array.from({ length: 30 }, (_, i) => `{"a": [1, 2, 3], "b": {"c": ${i}}}`).join("\n");
const SECRET = `<private>\n${
  lines("The tenant Zebedee is fond of quiet evenings, number")
}\n</private>`;

const PRIVATE: Readonly<Record<string, string>> = {
  "between two logs": `${LOG}\n${SECRET}\n${LOG}\nhelp me?`,
  "without an end": `Deploy with the heron script. <private>${"Zebedee ".repeat(800)}`,
};

for (const [where, prompt] of Object.entries(PRIVATE)) {
  Deno.test(`what is private in a long prompt does not reach a language model, ${where}`, async () => {
    await using notes = await made();
    const { prompts, asked } = asking();
    await notes.ask(prompt, {}, asked);
    assert.equal(prompts.length, 1);
    assert.doesNotMatch(prompts[0]!, /Zebedee/);
    assert.match(prompts[0]!, /Request:\n\S/);
  });
}

Deno.test("what is private in a long prompt does not reach an embedding model elsewhere", async () => {
  await using notes = await made();
  const texts: string[] = [];
  const embed = (text: string) => {
    texts.push(text);
    return Promise.resolve(new Float32Array(4));
  };
  const config = { ...CONFIG, model: "https://example.com/v1#m" };
  await notes.ask(PRIVATE["between two logs"]!, {}, { config, embed });
  assert.equal(texts.length, 1);
  assert.doesNotMatch(texts[0]!, /Zebedee/);
});

Deno.test("a memory with the tag of what is private takes neither its neighbours nor the request along", async () => {
  await using notes = await indexOf([
    { name: "Say <private> before a secret", body: "So." },
    { name: "Heron deploys", body: "It deploys." },
  ]);
  const { prompts, asked } = asking();
  await notes.ask(HERON, {}, asked);
  const { text } = await redact(prompts[0]!);
  assert.match(text, /Heron deploys/);
  assert.match(text, /Request:\ndeploy with the heron script$/);
});

/** Which types each strategy ranks, under settings from the environment and `perType`. */
function assigned(env: Record<string, string>, perType: Record<string, string> = {}) {
  const config = loadConfig("/nowhere", env, { strategies: STRATEGIES });
  const settings = { ...config, perType: { ...config.perType, ...perType } };
  return assign(settings).map(({ strategy, filter }) => [strategy.name, filter]);
}

Deno.test("types that share a strategy are ranked by one call, and the rest by that of `*`", () => {
  assert.deepEqual(assigned({}), [
    ["hybrid", { types: ["progress", "context"], except: true }],
    ["recency", { types: ["progress", "context"] }],
  ]);
  assert.deepEqual(assigned({}, { "strategy.feedback": "sidequery" }), [
    ["hybrid", { types: ["feedback", "progress", "context"], except: true }],
    ["sidequery", { types: ["feedback"] }],
    ["recency", { types: ["progress", "context"] }],
  ]);
});

Deno.test("one strategy for all is one call over all", () => {
  assert.deepEqual(assigned({ MEMO_STRATEGY: "keyword" }), [["keyword", undefined]]);
});

Deno.test("a type of the user's own has its own strategy", () => {
  const calls = assigned({}, { "strategy.recipe": "keyword" });
  assert.deepEqual(calls.find(([name]) => name === "keyword"), ["keyword", { types: ["recipe"] }]);
});

Deno.test("where the session's budget has no room for what was found, the outcome says so", async () => {
  await using notes = await indexOf([{ name: "Kiln port", body: "The kiln is on 7070." }]);
  for (
    const [bytesLeft, ...expected] of [
      [10_000, "hit", undefined, []],
      [10, "no room", undefined, ["no room"]],
      [0, "gated", "session budget spent", []],
    ] as const
  ) {
    const shown = { ...NOTHING_SHOWN, bytes: CONFIG["recall.session_bytes"] - bytesLeft };
    const found = await notes.ask("what is the kiln port", { shown }, { only: "keyword" });
    const because = found.dropped.map(({ because }) => because);
    assert.deepEqual([found.outcome, found.why, because], expected);
  }
});
