import assert from "node:assert/strict";
import { calledByName, exactTriggers } from "../../src/core/recall/exact_triggers.ts";
import { queryText } from "../../src/core/recall/query_text.ts";
import { recall } from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

const FILES = [
  memoryFile({ path: "/memories/ship.md", name: "How to ship", triggers: ["ship it", "部署"] }),
  memoryFile({ path: "/memories/jwt.md", name: "JWT setup", body: "Tokens live 15 minutes." }),
  memoryFile({
    path: "/memories/go.md",
    name: "Continue on error in CI",
    body: "fail-fast: false",
  }),
  memoryFile({ path: "/memories/page.md", triggers: ["pay now"], tags: ["read-web"] }),
];
const config = loadConfig("/nowhere/config.yaml", {});

const CASES: readonly [prompt: string, isKnown: boolean, exact: string[]][] = [
  ["ship it", true, ["/memories/ship.md"]],
  ["Ship it!", true, ["/memories/ship.md"]],
  ["部署", true, ["/memories/ship.md"]],
  ["jwt setup", true, ["/memories/jwt.md"]],
  ["JWT", true, []],
  ["ship", true, []],
  ["continue", false, []],
  ["it", false, []],
  ["!!!", false, []],
  ["pay now", false, []],
  ["minutes", false, []],
  [`ship it ${"x".repeat(200)}`, false, ["/memories/ship.md"]],
  ["why did they ship it on Friday?", false, ["/memories/ship.md"]],
  ["we use the JWT setup of the shop", false, ["/memories/jwt.md"]],
  ["the setup of JWT", true, []],
  ["the ship itself", false, []],
  ["can I pay now?", false, []],
];
for (const [prompt, isKnown, exact] of CASES) {
  Deno.test(`exactTriggers() knows ${JSON.stringify(prompt.slice(0, 20))}: ${isKnown}, ${exact}`, async () => {
    await using made = await makeIndex(FILES);
    const corpus = await made.index.corpus([made.folder]);
    const found = await exactTriggers(prompt, corpus);
    const named = await calledByName(queryText(prompt), { prompt, corpus, exact: found.rankings });
    const ids = [...found.rankings, ...named].flatMap(({ hits }) =>
      hits.map(({ memory }) => memory)
    );
    const paths = (await corpus.memories(ids)).map(({ path }) => path);
    assert.deepEqual([found.isKnown, paths], [isKnown, exact]);
  });
}

Deno.test("a prompt that is a trigger recalls its memory, however short and whatever the scores", async () => {
  await using made = await makeIndex(FILES);
  const context = { index: made.index, config, now: new Date() };
  const of = (prompt: string, shown = NOTHING_SHOWN) =>
    recall({ prompt, folders: [made.folder], shown }, context);
  for (const prompt of ["ship it", "部署"]) {
    const { outcome, entries } = await of(prompt);
    assert.equal(outcome, "hit");
    assert.equal(entries[0]!.fused.memory.path, "/memories/ship.md");
  }
  const again = await of("ship it", {
    ...NOTHING_SHOWN,
    seen: new Map([["/memories/ship.md", undefined]]),
  });
  assert.equal(again.outcome, "nothing new");
});

Deno.test("what a prompt calls by name comes, and what merely resembles it stays out", async () => {
  const files = [
    memoryFile({
      path: "/memories/hub.md",
      name: "Message hub",
      triggers: ["Kranich"],
      body: "Runs on two nodes.",
    }),
    memoryFile({
      path: "/memories/bird.md",
      name: "Birds seen in May",
      body: "Cranes over the lake.",
      triggers: ["kraniche im mai"],
    }),
    memoryFile({ path: "/memories/far.md", name: "Wiki", body: "Ask Ada.", triggers: ["wiki"] }),
  ];
  await using made = await makeIndex(files);
  const context = { index: made.index, config, now: new Date() };
  const given = async (prompt: string) => {
    const { entries } = await recall(
      { prompt, folders: [made.folder], shown: NOTHING_SHOWN },
      context,
    );
    return entries.map(({ fused }) => fused.memory.path).sort();
  };
  assert.deepEqual(await given("how long does Kranich keep what nobody reads?"), [
    "/memories/hub.md",
  ]);
  assert.deepEqual(await given("is that in Kranich or in the wiki?"), [
    "/memories/far.md",
    "/memories/hub.md",
  ]);
});
