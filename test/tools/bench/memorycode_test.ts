import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLog } from "../../../src/core/files/log.ts";
import { benchMemoryCode } from "../../../tools/bench/memorycode/bench.ts";
import { readDialogues } from "../../../tools/bench/memorycode/dialogue.ts";
import { patternsOf, statesRule } from "../../../tools/bench/memorycode/rules.ts";
import { recorded } from "../../../tools/bench/recording.ts";
import { temporaryFolder } from "../../support/temp.ts";

/** A suite of three sessions: two rules of one mould, one of which is changed, and talk in between. */
const SUITE = fileURLToPath(new URL("../../fixtures/memorycode", import.meta.url));

function memory(rule: string, contradicts?: string) {
  return {
    ...{ turn: 1, name: rule, type: "feedback", description: "Matters when code is written" },
    ...{ body: `${rule}.`, triggers: ["write a class"], scope: "project", origin: "user" },
    ...contradicts === undefined ? {} : { contradicts },
  };
}

Deno.test("a text states a rule in other words, and no rule that only resembles it", () => {
  const states = (topic: string, text: string) => statesRule(text, patternsOf(topic));
  const cases = readFileSync(join(SUITE, "rules.tsv"), "utf8").trim().split("\n").slice(1)
    .map((row) => row.split("\t") as [topic: string, said: string, not: string]);
  for (const [topic, said, not] of cases) {
    assert.ok(states(topic, said), `${topic}: ${said}`);
    assert.ok(!states(topic, not), `${topic}: ${not}`);
  }
  assert.throws(() => patternsOf("be kind"), /Unknown topic/);
});

Deno.test("questions are asked as their replies come, and then every rule in force stands before the model", async () => {
  using temp = temporaryFolder();
  const questions = join(temp.path, "questions"), replies = join(temp.path, "replies.jsonl");
  const log = openLog(temp.path);
  const held = () =>
    benchMemoryCode(readDialogues(SUITE), { replies, questions, startChars: [4000], log });
  const by = { model: "a test", at: "2026-11-21" };
  /** Holds the sessions as far as there are replies, and answers the question that is left. */
  const answer = async (pattern: RegExp, reply: (found: RegExpExecArray) => object) => {
    const [{ open: [key = assert.fail()] } = assert.fail()] = await held();
    const found = pattern.exec(readFileSync(join(questions, `${key}.txt`), "utf8"));
    const text = JSON.stringify(reply(found ?? assert.fail(`${pattern} does not match`)));
    appendFileSync(replies, JSON.stringify(recorded({ key, text, ...by })) + "\n");
  };
  const found = (memories: readonly object[]) => ({ journal: [], memories });

  await answer(
    /Method names end with '_x'[^]*Answer with one JSON object/,
    () =>
      found([memory("Method names end with '_x'"), memory("Argument names have a single digit")]),
  );
  await answer(/Known memories:\n- \S+[^]*How was the picnic\?/, () => found([]));
  await answer(
    /- (\S+) \(feedback\): Method names end with '_x'/,
    ([, old]) => found([memory("Method names end with '_b'", old)]),
  );
  await answer(
    /Older: Method names end with '_x'[^]*Newer: Method names end with '_b'/,
    () => ({ pairs: [{ pair: 1, older: "gone" }], further: [] }),
  );
  const [row = assert.fail()] = await held();
  assert.deepEqual([row.open, row.kept], [[], { n: 2, of: 2 }]);
  const [{ atStart, outdated } = assert.fail()] = row.standing;
  assert.deepEqual([atStart, outdated], [{ n: 2, of: 2 }, { n: 0, of: 1 }]);
});
