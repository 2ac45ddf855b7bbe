import assert from "node:assert/strict";
import { inContext, isAnswer, isFollowUp } from "../../src/recall/follow_up.ts";
import { recall } from "../../src/recall/recall.ts";
import { NOTHING_SHOWN } from "../../src/recall/shown.ts";
import { loadConfig } from "../../src/settings/config.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const config = loadConfig("/nowhere/config.yaml", {});

const PROMPTS: readonly [prompt: string, isFollowUp: boolean][] = [
  ["do the same for the other one", true],
  ["sí, hazlo", true],
  ["¿y en producción?", true],
  ["oui vas-y", true],
  ["它们为什么不上报?", true],
  ["数据库连接池的大小在生产环境里应该设成多少", false],
  ["different thing: the argocd login hangs at the call-back", false],
  ["write the PR description for this branch, before I forget", false],
];

for (const [prompt, expected] of PROMPTS) {
  Deno.test(`r12: ${prompt} ${expected ? "refers to what was said" : "stands by itself"}`, () => {
    assert.equal(isFollowUp(prompt), expected);
  });
}

Deno.test("r12: a follow-up is looked up with the turn before it, an answer with its question", () => {
  const done = { prompt: "clean up the readings", reply: "I wrote a script." };
  const asks = { ...done, reply: "Shall I run the script?**" };
  assert.equal(
    inContext("ok, and then", done).query,
    "clean up the readings\nI wrote a script.\nok, and then",
  );
  assert.ok(inContext("ok, and then", done).handicap > 0);
  assert.deepEqual(inContext("yes", asks), {
    query: "Shall I run the script?**\nyes",
    handicap: 0,
  });
  assert.equal(isAnswer("yes", done), false);
  assert.equal(isAnswer("rename the exported function everywhere in the module", asks), false);
});

Deno.test("r12: yes brings the memory that bears on what was proposed, and the turn is read only then", async () => {
  const rule = "Scripts that delete rows begin with a dry run";
  await using made = await makeIndex([
    memoryFile({ path: "/memories/rule.md", name: rule, body: "Show the rows first." }),
    memoryFile({ path: "/memories/other.md", name: "Ficus", body: "Water it every ten days." }),
  ]);
  let read = 0;
  const before = () => {
    read++;
    const reply = "The script deletes the rows directly, without a dry run. Shall I run it?";
    return Promise.resolve({ prompt: "clean up", reply });
  };
  const request = { folders: [made.folder], shown: NOTHING_SHOWN, before };
  const context = { index: made.index, config, now: NOW };
  const { entries } = await recall({ ...request, prompt: "yes" }, context);
  assert.deepEqual(entries.map(({ fused }) => fused.memory.name), [rule]);
  assert.equal(read, 1);
  await recall(
    { ...request, prompt: "how often does the ficus by the window need water" },
    context,
  );
  assert.equal(read, 1);
});

Deno.test("r12: a short prompt that is sure of a memory by itself gets it, whatever was said before", async () => {
  await using made = await makeIndex([
    memoryFile({ path: "/memories/ficus.md", name: "Ficus watering", body: "Every ten days." }),
    memoryFile({ path: "/memories/kiln.md", name: "Kiln port", body: "The kiln is on 7070." }),
  ]);
  const before = () =>
    Promise.resolve({ prompt: "say hello to the visitors", reply: "Hello, dear visitors." });
  const request = { folders: [made.folder], shown: NOTHING_SHOWN, before };
  const context = { index: made.index, config, now: NOW };
  const { entries } = await recall({ ...request, prompt: "the ficus watering?" }, context);
  assert.deepEqual(entries.map(({ form, fused }) => [form, fused.memory.name]), [
    ["whole", "Ficus watering"],
  ]);
});
