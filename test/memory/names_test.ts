import assert from "node:assert/strict";
import { mentionsOf, namesOf, runsIn } from "../../src/core/memory/names.ts";
import { readRows } from "../support/fixtures.ts";

Deno.test("a memory is called by its short title, triggers and tags, and by no sentence", () => {
  const names = namesOf({
    name: "Ledger",
    triggers: ["night batch", "how do I start the batch again?", "the", "42", "Node.js"],
    tags: ["confirmed", "read-web", "payments"],
  });
  assert.deepEqual(names, ["ledger", "night batch", "nodej", "payment"]);
  assert.deepEqual(namesOf({ name: "Never push to main by hand", triggers: [], tags: [] }), []);
});

Deno.test("a prompt has a name as whole words in order", () => {
  const has = (text: string, name: string) => runsIn(text).has(name);
  assert.ok(has("does the night batch run on Sunday?", "night batch"));
  assert.ok(has("Node.js is too old", "nodej"));
  assert.ok(!has("the batch of last night", "night batch"));
  assert.ok(!has("the TSLint rules", "ts"));
  assert.ok(!has("a mango smoothie", "mongo"));
});

Deno.test("in a long prompt one plain word may be there by chance, what is written as a name is not", () => {
  const long =
    "We talked it over for most of the morning and nobody in the room had a ledger at hand, so I ask you: is Ledger " +
    "right, or is kafka, or MQ2, or the night batch?";
  const runs = runsIn(long);
  assert.equal(runs.get("ledger"), true);
  assert.equal(runs.get("kafka"), false);
  assert.equal(runs.get("mq2"), true);
  assert.equal(runs.get("night batch"), true);
  assert.equal(runsIn("is kafka right?").get("kafka"), true);
});

const named = (kind: string, body: string, name = "", description = "") =>
  mentionsOf({ name, description, body }).filter((each) => each.kind === kind)
    .map(({ text }) => text);

Deno.test("mentionsOf() finds files, folders, symbols and commands, wherever a sentence has them", () => {
  for (const [kind = "", name = "", body = "", ...expected] of readRows("memory/mentions.tsv")) {
    assert.deepEqual(named(kind, body, name).sort(), expected.sort(), name + body);
  }
});

Deno.test("mentionsOf() says what the title names, and names each thing once", () => {
  const found = mentionsOf({
    name: "Amounts in ledger.ts are cents",
    description: "",
    body: "`ledger.ts` divides nothing; tax.ts does.",
  });
  assert.deepEqual(found, [
    { kind: "file", text: "ledger.ts", isTitle: true },
    { kind: "file", text: "tax.ts", isTitle: false },
  ]);
});

Deno.test("mentionsOf() of a long list stops", () => {
  const body = Array.from({ length: 500 }, (_, i) => `file${i}.ts`).join(" ");
  assert.ok(named("file", body).length < 50);
});
