import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { standingOf } from "../../../tools/bench/memorycode/bench.ts";
import { readDialogues } from "../../../tools/bench/memorycode/dialogue.ts";
import { patternsOf, statesRule } from "../../../tools/bench/memorycode/rules.ts";
import { temporaryFolder } from "../../support/temp.ts";

const NEXT = fileURLToPath(new URL("../../../tools/next_question.ts", import.meta.url));

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

Deno.test("a dialogue's rules are in force until one of their group replaces them", () => {
  using temp = temporaryFolder();
  writeFileSync(join(temp.path, "dialogue_1.json"), JSON.stringify(DIALOGUE));
  const [{ conversations, inForce, outdated, prompts } = assert.fail()] = readDialogues(temp.path);
  const topics = (rules: typeof inForce) => rules.map(({ topic }) => topic);
  assert.deepEqual(topics(outdated), ["always end method names with '_x'"]);
  assert.deepEqual(topics(inForce), [
    "always include a single digit in function argument names",
    "always end method names with '_b'",
  ]);
  assert.deepEqual(conversations.map(({ at }) => at.slice(0, 10)), [
    ...["2026-01-05", "2026-01-08", "2026-01-11"],
  ]);
  assert.deepEqual(conversations[0]!.turns, [{
    user: "Hello Ben.\n\nMethod names end with '_x', and argument names have one digit.",
    steps: [{ say: "I will do that." }],
  }]);
  assert.equal(conversations[2]!.turns[0]!.user, "Method names end with '_b' from now on.");
  assert.deepEqual(prompts, ["Write a Graph class with a method that finds a path in Python"]);

  const stand = (start: string, given: string[] = []) => {
    const { missing, stale } = standingOf({ inForce, outdated }, [{ start, given }], 4000);
    return [missing.length, stale.length];
  };
  assert.deepEqual(stand("- Arguments have one digit\n- Method names end with `_b`"), [0, 0]);
  assert.deepEqual(stand("- Arguments have one digit\n- Method names end with `_x`"), [1, 1]);
  assert.deepEqual(stand("", ["Method names end with '_b', no longer with '_x'"]), [1, 0]);
});

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

Deno.test("questions are put one by one until the last is answered, and every rule in force stands before the model", () => {
  using temp = temporaryFolder();
  const suite = join(temp.path, "suite");
  mkdirSync(suite);
  writeFileSync(join(suite, "dialogue_1.json"), JSON.stringify(DIALOGUE));
  const recording = join(temp.path, "replies.jsonl");
  const next = () => {
    const args = [
      "run",
      "-A",
      "--cached-only",
      "--no-check",
      NEXT,
      join(temp.path, "questions"),
      recording,
    ];
    const lab = ["memorycode", "--suite", suite, "--start-chars", "4000"];
    const { stdout, stderr } = spawnSync(Deno.execPath(), [...args, "a test", ...lab], {
      encoding: "utf8",
      env: { ...process.env, MEMO_HOME: join(temp.path, "state"), HOME: temp.path },
    });
    const [, reply] = /JSON object, and nothing more, into (\S+\.reply)/.exec(stdout) ?? [];
    return { text: stdout + stderr, reply };
  };
  const answer = (path: string, memories: readonly object[]) =>
    writeFileSync(path, JSON.stringify({ journal: [], memories }));

  const first = next();
  assert.match(first.text, /Method names end with '_x'[^]*Answer with one JSON object/);
  writeFileSync(first.reply!, "I cannot say");
  assert.match(next().text, /was not recorded: .*not a JSON object[^]*Method names end with '_x'/);
  answer(first.reply!, [
    memory("Method names end with '_x'"),
    memory("Argument names have a single digit"),
  ]);
  const second = next();
  assert.match(second.text, /Known memories:\n- \S+[^]*How was the picnic\?/);
  answer(second.reply!, []);
  const third = next();
  const [, old] = /- (\S+) \(feedback\): Method names end with '_x'/.exec(third.text)!;
  answer(third.reply!, [memory("Method names end with '_b'", old)]);
  const look = next();
  assert.match(look.text, /Older: Method names end with '_x'[^]*Newer: Method names end with '_b'/);
  const pairs = [{ pair: 1, older: "gone" }];
  writeFileSync(look.reply!, JSON.stringify({ pairs, further: [] }));
  const last = next();
  assert.match(last.text, /No question is left/);
  assert.match(last.text, /2 of 2 rules in force kept/);
  assert.match(last.text, /dialogue_1 +4000 +2 of 2 +2 of 2 +0 of 1/);
  const lines = readFileSync(recording, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ model }) => model), Array(4).fill("a test"));
});
