import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { makeWorld } from "../../../tools/bench/sessions/world.ts";
import { Judge, needlessOf } from "../../../tools/bench/growth/judged.ts";
import { fillProject } from "../../../tools/bench/growth/fill.ts";
import {
  capturedNotes,
  readTypedSuite,
  splitOf,
  textsOf,
} from "../../../tools/bench/growth/notes.ts";
import { temporaryFolder } from "../../support/temp.ts";
import { states } from "../../../tools/bench/retention/suite.ts";

const SUITES = fileURLToPath(new URL("../../../bench/suites", import.meta.url));
const suite = readTypedSuite(join(SUITES, "typed"));

Deno.test("each needed note of the suite typed is the only one that states its fact", () => {
  for (const notes of suite.projects) {
    assert.equal(notes.typed.length, 60, notes.project);
    const texts = [...textsOf(notes)];
    for (const fact of suite.facts.filter(({ scope }) => scope === notes.project)) {
      assert.equal(texts.filter((text) => states(text, fact)).length, 1, fact.id);
    }
  }
});

Deno.test("both halves of the suite typed have prompts of every kind, and no note is in both", () => {
  const kinds = (half: string) =>
    new Set(suite.prompts.filter((each) => splitOf(each) === half).map((each) => each.category));
  assert.deepEqual([...kinds("dev")].sort(), [...kinds("test")].sort());
  const needs = (half: string) =>
    new Set(suite.prompts.filter((each) => splitOf(each) === half).flatMap((each) => each.needs));
  assert.equal(needs("dev").intersection(needs("test")).size, 0);
});

Deno.test("a project is filled with what was typed, then with imports, up to the size asked for", async () => {
  const settings = { MEMO_LLM_PROVIDER: "none" };
  await using world = makeWorld({
    ...{ model: "http://127.0.0.1:9", settings, log: () => {}, withoutVectors: true },
  });
  const captured = capturedNotes(join(SUITES, "coding-agent"));
  const pool = { suite, captured, isAllowed: (text: string) => !/pgbouncer/i.test(text) };
  const filled = await fillProject("kiln", 100, world, pool);
  assert.deepEqual(filled, { notes: 100, typed: 58, imported: 42 });
  assert.ok(!world.memories().some((text) => /pgbouncer/i.test(text)));
  const typed = world.memories().find((text) => text.includes("charge a card"));
  assert.match(typed!, /^type: feedback$/m);
});

Deno.test("a text that needs nothing counts as needless until it is judged to help", () => {
  using temp = temporaryFolder();
  const folder = temp.path;
  const recording = join(folder, "judged.jsonl");
  const given = (text: string, isInFull = true) => ({ text, isInFull });
  const contexts = [{
    prompt: {
      ...{ id: "t1", project: "kiln", lang: "en", category: "near-topic", needs: [] },
      text: "rename the terracotta variant to danger",
    },
    start: "",
    blocks: [],
    given: [
      given("## Danger is terracotta [project, kiln, today] /tmp/a/b.md\n\nSince October.\n"),
      given("- Kilns are hot", false),
    ],
    blockChars: 0,
  }];
  const before = new Judge(recording), needless = needlessOf(contexts, before);
  assert.deepEqual(needless.prompts, { "near-topic": { n: 1, of: 1 } });
  assert.deepEqual(needless.texts, ["t1 Danger is terracotta"]);
  assert.equal(before.writeOpen(folder), 1);
  const [question = assert.fail()] = readdirSync(folder);
  assert.ok(!readFileSync(join(folder, question), "utf8").includes("/tmp/a"));

  const key = question.replace(".txt", "");
  writeFileSync(recording, JSON.stringify({ key, answer: { helps: true } }) + "\n");
  // Age and place differ from run to run.
  const later = contexts.map((each) => ({
    ...each,
    given: each.given.map((one) => ({
      ...one,
      text: one.text.replace("today] /tmp/a", "4 days old] /x"),
    })),
  }));
  assert.deepEqual(needlessOf(later, new Judge(recording)).texts, []);
});
