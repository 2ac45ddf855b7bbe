import assert from "node:assert/strict";
import { Query } from "../../src/core/index/query.ts";
import type { Corpus } from "../../src/core/index/corpus.ts";
import { recall, type RecallContext, type RecallRequest } from "../../src/core/recall/recall.ts";
import { assign, retrieve } from "../../src/core/recall/retrieve.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { redact } from "../../src/core/redact/redact.ts";
import { loadConfig, typeSettings } from "../../src/core/settings/config.ts";
import type { Ask } from "../../strategies/strategy.ts";
import { makeIndex, memoryFile } from "../support/index.ts";
import { STRATEGIES } from "../../strategies/mod.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const BEST = loadConfig("/nowhere", { MEMO_RECALL_PRESET: "best" });
const LOCAL = loadConfig("/nowhere", {});

const made = () =>
  makeIndex([
    memoryFile({
      path: "/memories/sure.md",
      name: "Heron deploys",
      body: "The heron script deploys.",
    }),
    ...Array.from({ length: 30 }, (_, i) =>
      memoryFile({ path: `/memories/${i}.md`, name: `Note ${i}`, body: "Something else." })),
  ]);
const never: Ask = () => new Promise(() => {});

Deno.test("a preset sets the strategy of every type, and a type's own setting comes before it", () => {
  const config = loadConfig("/nowhere", {
    MEMO_RECALL_PRESET: "balanced",
    MEMO_STRATEGY_FEEDBACK: "keyword",
  });
  assert.equal(typeSettings(config, "decision").strategy, "verify");
  assert.equal(typeSettings(config, "progress").strategy, "verify");
  assert.equal(typeSettings(config, "feedback").strategy, "keyword");
});

Deno.test("while a language model is asked, its local fallback answers provisionally", async () => {
  await using index = await made();
  const corpus = await index.index.corpus([index.folder]);
  const { local, remote } = retrieve(new Query("deploy with the heron script"), {
    ...{ corpus, config: BEST, now: NOW, limit: 10, ask: never },
  });
  const [ranking] = await local;
  assert.equal(ranking!.isProvisional, true);
  assert.equal(ranking!.strategy, "keyword"); // there is no model, so hybrid's own fallback ranks
  assert.equal(remote.length, 1);
});

Deno.test("where no language model may be asked, the local ranking is all there is", async () => {
  await using index = await made();
  const corpus = await index.index.corpus([index.folder]);
  const { local, remote } = retrieve(new Query("deploy with the heron script"), {
    ...{ corpus, config: BEST, now: NOW, limit: 10 },
  });
  assert.equal((await local)[0]!.isProvisional, undefined);
  assert.deepEqual(remote, []);
});

Deno.test("what is sure goes at once, what is likely waits for the verdict, and the verdict adds the rest", async () => {
  await using index = await made();
  const request = { folders: [index.folder], shown: NOTHING_SHOWN };
  const context = { index: index.index, now: NOW, patienceMs: 0 };
  const sure = await recall({ ...request, prompt: "deploy with the heron script" }, {
    ...{ ...context, config: BEST, ask: never },
  });
  assert.match(sure.block ?? "", /heron script deploys/);
  assert.equal(sure.pending.length, 1);

  const threshold = { "threshold.*": sure.entries[0]!.fused.score - 0.02 };
  const strict = { ...BEST, perType: threshold };
  const waits = await recall({ ...request, prompt: "deploy with the heron script" }, {
    ...{ ...context, config: strict, ask: never },
  });
  assert.equal(waits.block, undefined);
  const local = await recall({ ...request, prompt: "deploy with the heron script" }, {
    ...{ ...context, config: { ...LOCAL, perType: threshold } },
  });
  assert.deepEqual(local.entries.map(({ form }) => form), ["whole"]);
});

Deno.test("what was said before is read only where a language model is asked", async () => {
  await using index = await made();
  let read = 0;
  const turns = () => Promise.resolve([`User: turn ${++read}`]);
  const prompts: string[] = [];
  const ask: Ask = ({ prompt }) => {
    prompts.push(prompt);
    return Promise.resolve({ selected_memories: ["3.md"] });
  };
  const request = { folders: [index.folder], shown: NOTHING_SHOWN, turns };
  const context = { index: index.index, now: NOW, patienceMs: 5000 };
  const asked = { ...request, prompt: "do the same for the other one" };
  await recall(asked, { ...context, config: LOCAL, ask });
  assert.equal(read, 0);
  const { block } = await recall(asked, { ...context, config: BEST, ask });
  assert.match(prompts[0]!, /Said before:\nUser: turn 1/);
  assert.match(block ?? "", /Note 3/);
});

Deno.test("a short prompt that finds something sure by itself is ranked once, whatever was said before", async () => {
  await using index = await made();
  const open = index.index.corpus.bind(index.index);
  let ranked = 0;
  const counting = (corpus: Corpus): Corpus => ({
    ...corpus,
    of: (filter) => counting(corpus.of(filter)),
    words: (terms, limit) => (ranked++, corpus.words(terms, limit)),
  });
  index.index.corpus = async (folders) => counting(await open(folders));
  const before = () => Promise.resolve({ prompt: "What is next?", reply: "The tests pass." });
  const answerTo = async (request: Partial<RecallRequest>, context: Partial<RecallContext>) => {
    ranked = 0;
    const { block, pending } = await recall(
      { prompt: "the heron script", folders: [index.folder], shown: NOTHING_SHOWN, ...request },
      { index: index.index, now: NOW, config: LOCAL, patienceMs: 5000, ...context },
    );
    return { block, pending: pending.length, ranked };
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

for (
  const [what, prompt] of [
    ["between two logs", `${LOG}\n${SECRET}\n${LOG}\nhelp me?`],
    ["without an end", `Deploy with the heron script. <private>${"Zebedee ".repeat(800)}`],
  ] as const
) {
  Deno.test(`what is private in a long prompt does not reach a language model, ${what}`, async () => {
    await using index = await made();
    const prompts: string[] = [];
    const ask: Ask = ({ prompt }) => {
      prompts.push(prompt);
      return Promise.resolve({ selected_memories: [] });
    };
    await recall({ prompt, folders: [index.folder], shown: NOTHING_SHOWN }, {
      ...{ index: index.index, now: NOW, patienceMs: 5000, config: BEST, ask },
    });
    assert.equal(prompts.length, 1);
    assert.doesNotMatch(prompts[0]!, /Zebedee/);
    assert.match(prompts[0]!, /Request:\n\S/);
  });
}

Deno.test("what is private in a long prompt does not reach an embedding model elsewhere", async () => {
  await using index = await made();
  const texts: string[] = [];
  const embed = (text: string) => {
    texts.push(text);
    return Promise.resolve(new Float32Array(4));
  };
  const elsewhere = { ...loadConfig("/nowhere", {}), model: "https://example.com/v1#m" };
  await recall({
    prompt: `${LOG}\n${SECRET}\n${LOG}\nhelp me?`,
    folders: [index.folder],
    shown: NOTHING_SHOWN,
  }, {
    ...{ index: index.index, now: NOW, config: elsewhere, embed },
  });
  assert.equal(texts.length, 1);
  assert.doesNotMatch(texts[0]!, /Zebedee/);
});

Deno.test("a memory with the tag of what is private takes neither its neighbours nor the request along", async () => {
  await using index = await makeIndex([
    memoryFile({ path: "/memories/tag.md", name: "Say <private> before a secret", body: "So." }),
    memoryFile({ path: "/memories/heron.md", name: "Heron deploys", body: "It deploys." }),
  ]);
  const prompts: string[] = [];
  const ask: Ask = ({ prompt }) => {
    prompts.push(prompt);
    return Promise.resolve({ selected_memories: [] });
  };
  await recall({
    prompt: "deploy with the heron script",
    folders: [index.folder],
    shown: NOTHING_SHOWN,
  }, {
    ...{ index: index.index, now: NOW, patienceMs: 5000, config: BEST, ask },
  });
  const { text } = await redact(prompts[0]!);
  assert.match(text, /Heron deploys/);
  assert.match(text, /Request:\ndeploy with the heron script$/);
});

/** Which types each strategy ranks, under settings from the environment and `perType`. */
function assigned(env: Record<string, string>, perType: Record<string, string> = {}) {
  const config = loadConfig("/nowhere/config.yaml", env, { strategies: STRATEGIES });
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
  await using made = await makeIndex([
    memoryFile({ path: "/memories/kiln.md", name: "Kiln port", body: "The kiln is on 7070." }),
  ]);
  const settings = loadConfig("/nowhere/config.yaml", {});
  const outcomeWith = async (bytesLeft: number) => {
    const shown = { ...NOTHING_SHOWN, bytes: settings["recall.session_bytes"] - bytesLeft };
    const { outcome, why, dropped } = await recall(
      { prompt: "what is the kiln port", folders: [made.folder], shown },
      { index: made.index, config: settings, now: NOW, only: "keyword" },
    );
    return [outcome, why, dropped.map(({ because }) => because)];
  };
  assert.deepEqual(await outcomeWith(10_000), ["hit", undefined, []]);
  assert.deepEqual(await outcomeWith(10), ["no room", undefined, ["no room"]]);
  assert.deepEqual(await outcomeWith(0), ["gated", "session budget spent", []]);
});
