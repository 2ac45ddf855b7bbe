import assert from "node:assert/strict";
import { calledByName, exactTriggers } from "../../src/core/recall/exact_triggers.ts";
import { queryText } from "../../src/core/recall/query_text.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { indexOf, namesIn } from "./notes.ts";

const FILES = [
  { path: "/memories/ship.md", name: "How to ship", triggers: ["ship it", "部署"] },
  { path: "/memories/jwt.md", name: "JWT setup", body: "Tokens live 15 minutes." },
  { path: "/memories/go.md", name: "Continue on error in CI", body: "fail-fast: false" },
  { path: "/memories/page.md", triggers: ["pay now"], tags: ["read-web"] },
];

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
    await using notes = await indexOf(FILES);
    const { corpus } = notes;
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
  await using notes = await indexOf(FILES);
  for (const prompt of ["ship it", "部署"]) {
    const found = await notes.ask(prompt);
    assert.deepEqual([found.outcome, namesIn(found)[0]], ["hit", "How to ship"]);
  }
  const seen = new Map([["/memories/ship.md", undefined]]);
  const again = await notes.ask("ship it", { shown: { ...NOTHING_SHOWN, seen } });
  assert.equal(again.outcome, "nothing new");
});

Deno.test("what a prompt calls by name comes, and what merely resembles it stays out", async () => {
  await using notes = await indexOf([
    { name: "Message hub", triggers: ["Kranich"], body: "Runs on two nodes." },
    { name: "Birds in May", triggers: ["kraniche im mai"], body: "Cranes over the lake." },
    { name: "Wiki", triggers: ["wiki"], body: "Ask Ada." },
  ]);
  const given = async (prompt: string) => namesIn(await notes.ask(prompt)).sort();
  assert.deepEqual(await given("how long does Kranich keep what nobody reads?"), ["Message hub"]);
  assert.deepEqual(await given("is that in Kranich or in the wiki?"), ["Message hub", "Wiki"]);
});
