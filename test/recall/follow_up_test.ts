import assert from "node:assert/strict";
import { inContext, isAnswer, isFollowUp } from "../../src/core/recall/follow_up.ts";
import { indexOf, namesIn } from "./notes.ts";

const DONE = { prompt: "clean up the readings", reply: "I wrote a script." };
const ASKS = { ...DONE, reply: "Shall I run the script?**" };

/** Prompts that refer to what was said, whatever that was; to a question only; and to nothing. */
const PROMPTS: Readonly<Record<"always" | "to a question" | "never", readonly string[]>> = {
  always: [
    "do the same for the other one",
    "make it faster",
    "why?",
    "continue",
    "now drop the old one in the same go",
    "sí, hazlo",
    "ejecútalo",
    "encore un pour la liste vide",
    "它们为什么不上报?",
  ],
  "to a question": [
    "sounds good, go",
    "venga, adelante",
    "oui vas-y",
    "looks good, merge",
    "run option B",
  ],
  never: [
    "fix the typo",
    "add a test",
    "open a PR",
    "write the docs",
    "install the dependencies",
    "why does the app not reach the database?",
    "forget the rule about deploys",
    "instala las dependencias",
    "installe les dépendances",
    "installiere die Abhängigkeiten",
    "prüf mal, ob das Paket passt",
    "数据库连接池的大小在生产环境里应该设成多少",
    "different thing: the argocd login hangs at the call-back",
    "write the PR description for this branch, before I forget",
  ],
};

for (const [when, prompts] of Object.entries(PROMPTS)) {
  for (const prompt of prompts) {
    Deno.test(`r12: ${JSON.stringify(prompt)} refers to what was said before: ${when}`, () => {
      assert.equal(isFollowUp(prompt, DONE), when === "always");
      assert.equal(isFollowUp(prompt, ASKS), when !== "never");
    });
  }
}

Deno.test("r12: a follow-up is looked up with the turn before it, an answer with its question", () => {
  assert.equal(
    inContext("ok, and then", DONE).query,
    "clean up the readings\nI wrote a script.\nok, and then",
  );
  assert.equal(inContext("ok, and then", DONE).adjustment, "follow-up");
  assert.deepEqual(inContext("yes", ASKS), {
    query: "Shall I run the script?**\nyes",
    adjustment: undefined,
  });
  assert.equal(isAnswer("yes", DONE), false);
  assert.equal(isAnswer("rename the exported function everywhere in the module", ASKS), false);
});

const FICUS = { name: "Ficus watering", body: "Every ten days." };

Deno.test("r12: yes brings the memory that bears on what was proposed, and the turn is read only then", async () => {
  const rule = "Scripts that delete rows begin with a dry run";
  await using notes = await indexOf([{ name: rule, body: "Show the rows first." }, FICUS]);
  let read = 0;
  const before = () => {
    read++;
    const reply = "The script deletes the rows directly, without a dry run. Shall I run it?";
    return Promise.resolve({ prompt: "clean up", reply });
  };
  assert.deepEqual(namesIn(await notes.ask("yes", { before })), [rule]);
  assert.equal(read, 1);
  await notes.ask("how often does the ficus by the window need water", { before });
  assert.equal(read, 1);
});

Deno.test("r12: a short prompt that is sure of a memory by itself gets it, whatever was said before", async () => {
  await using notes = await indexOf([FICUS, { name: "Kiln port", body: "The kiln is on 7070." }]);
  const reply = "Hello, dear visitors.";
  const before = () => Promise.resolve({ prompt: "say hello to the visitors", reply });
  const found = await notes.ask("the ficus watering?", { before });
  assert.deepEqual([namesIn(found), found.entries[0]!.form], [["Ficus watering"], "whole"]);
});

Deno.test("r12: a short prompt that says what it is about does not get the memory of the turn before", async () => {
  const reply = "The local database listens on 5433.";
  await using notes = await indexOf([{ name: reply.slice(0, -1), body: "" }, FICUS]);
  const before = () => Promise.resolve({ prompt: "what do you know?", reply });
  for (
    const [prompt, count, searched] of [
      ["but why is that?", 1, "what do you know?"],
      ["install the dependencies", 0, undefined],
    ] as const
  ) {
    const found = await notes.ask(prompt, { before });
    assert.equal(found.entries.length, count, prompt);
    assert.equal(found.before, searched, "what else was searched for");
  }
});
