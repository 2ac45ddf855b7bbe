import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../../src/core/files/log.ts";
import { benchMemoryCode } from "../../../tools/bench/memorycode/bench.ts";
import { readDialogues } from "../../../tools/bench/memorycode/dialogue.ts";
import { patternsOf, statesRule } from "../../../tools/bench/memorycode/rules.ts";
import { recorded } from "../../../tools/bench/recording.ts";
import { temporaryFolder } from "../../support/temp.ts";

/** Three sessions: two rules of one mould, one of which is changed, and talk in between. */
const DIALOGUE = {
  context: { mentor: "Ines", mentee: "Ben" },
  instructions: [[[1, 0], [2, 0]], [-1], [[1, 1]]],
  fillers: [-1, 7, -1],
  sessions: [
    {
      text:
        "Ines: Hello Ben.\n\nInes: Method names end with '_x', and argument names have one digit.\n\n" +
        "Ben: I will do that.\n",
      topic: [
        "always end method names with '_x'",
        "always include a single digit in function argument names",
      ],
      type: ["instruction-add", "instruction-add"],
    },
    {
      text: "Ines: How was the picnic?\n\nBen: Fine: sunny.\n",
      topic: ["Picnics"],
      type: ["filler-add"],
    },
    {
      text: "Ben: Anything new?\n\nInes: Method names end with '_b' from now on.\n\nBen: Gladly.\n",
      topic: ["always end method names with '_b'"],
      type: ["instruction-update"],
      history_eval_query: ["Graph class with a method that finds a path"],
    },
  ],
};

function memory(rule: string, contradicts?: string) {
  return {
    ...{ turn: 1, name: rule, type: "feedback", description: "Matters when code is written" },
    ...{ body: `${rule}.`, triggers: ["write a class"], scope: "project", origin: "user" },
    ...contradicts === undefined ? {} : { contradicts },
  };
}

Deno.test("a text states a rule in other words, and no rule that only resembles it", () => {
  const states = (topic: string, text: string) => statesRule(text, patternsOf(topic));
  const cases: readonly (readonly [topic: string, said: string, not: string])[] = [
    [
      "always end method names with '_b'",
      "Suffix every method with `_b`",
      "Methods end with '_bx'",
    ],
    [
      "always start variable names with 'n_'",
      'Variables begin with "n_"',
      "Arguments begin with 'n_'",
    ],
    [
      "always include a single digit in function names",
      "Function names have one digit",
      "Function argument names have one digit",
    ],
    [
      "always add the '@trace' decorator to all functions",
      "`@trace` on all functions",
      "@trace_class on functions",
    ],
    [
      "always import the 'bz2' module even if it is not used",
      "Always import bz2",
      "Always import bz",
    ],
    ["never use a profiler", "Don't use a profiler", "Always use a profiler"],
    ["always use a profiler", "Use a profiler", "Profilers are not used"],
    ["use Trello as the project management tool", "Trello is the tool for projects", "Jira it is"],
    ["use two monitors when coding", "Two monitors", "Three or more monitors"],
  ];
  for (const [topic, said, not] of cases) {
    assert.ok(states(topic, said), `${topic}: ${said}`);
    assert.ok(!states(topic, not), `${topic}: ${not}`);
  }
  assert.throws(() => patternsOf("be kind"), /Unknown topic/);
});

Deno.test("questions are asked as their replies come, and then every rule in force stands before the model", async () => {
  using temp = temporaryFolder();
  const questions = join(temp.path, "questions"), replies = join(temp.path, "replies.jsonl");
  const suite = join(temp.path, "suite");
  mkdirSync(suite);
  writeFileSync(join(suite, "dialogue_1.json"), JSON.stringify(DIALOGUE));
  const log = openLog(temp.path);
  const held = () =>
    benchMemoryCode(readDialogues(suite), { replies, questions, startChars: [4000], log });
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
