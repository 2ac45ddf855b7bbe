import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Grader, openGrader } from "../../../tools/bench/tasks/grade.ts";
import { KEYS, strangeParts } from "../../../tools/bench/tasks/keys.ts";
import { promptOf } from "../../../tools/bench/tasks/patches.ts";
import { joined, readTaskSuite } from "../../../tools/bench/tasks/suite.ts";
import { temporaryFolder } from "../../support/temp.ts";

const FOLDER = fileURLToPath(new URL("../../../bench/suites/tasks", import.meta.url));
const SUITE = readTaskSuite(FOLDER);
const TASKS = new Map(SUITE.tasks.map((task) => [task.name, task]));

/** Tests that run Python need one with pytest. */
const HAS_PYTEST = await (async () => {
  await using grader = openGrader();
  return grader !== undefined;
})();

Deno.test("every one of memo's own tasks has a key, whose parts its policy states", () => {
  for (const { name, policy } of SUITE.tasks) {
    assert.ok(KEYS[name] !== undefined, name);
    assert.deepEqual(strangeParts(KEYS[name], policy), [], name);
  }
});

Deno.test("a key names the parts that a policy does not state", () => {
  assert.deepEqual(
    strangeParts(KEYS["discount"]!, "fixed amounts apply at checkout"),
    ["percent before fixed"],
  );
});

Deno.test(
  "a checkout of the benchmark has the tasks whose module is planted and whose rule was said",
  { ignore: !HAS_PYTEST },
  () => {
    using folder = temporaryFolder();
    const checkout = fileURLToPath(new URL("../../fixtures/sde-bench", import.meta.url));
    cpSync(checkout, folder.path, { recursive: true });
    const { tasks, decoys } = readTaskSuite(folder.path);
    assert.deepEqual(tasks.map(({ name }) => name), ["cents", "cents-amended"]);
    assert.deepEqual(tasks.map(({ conversations }) => conversations.length), [1, 2]);
    assert.deepEqual(Object.fromEntries(tasks[0]!.repository), {
      "pay/__init__.py": "from .round import cents",
      "pay/round.py": "def cents(x): return x",
      "tests/test_cents.py": "existing",
      "tests/test_regression.py": "repro",
    });
    assert.equal(tasks[0]!.hiddenTest, "hidden");
    assert.deepEqual(decoys.map(({ name }) => name), ["decoy-1"]);
    assert.equal(joined({ tasks, decoys }, SUITE).tasks.length, 2 + SUITE.tasks.length);
  },
);

Deno.test("an agent's text has the context and the request, and nothing of the judge's", () => {
  const task = TASKS.get("quiethours")!;
  const text = promptOf(task, { start: "Known: quiet hours", given: ["## Local time"] });
  assert.match(text, /Known: quiet hours\n\n## Local time/);
  assert.ok(text.includes(task.request));
  assert.ok(!text.includes(task.policy));
  assert.ok(![...task.repository.keys()].some((path) => path.includes("hidden")));
});

Deno.test(
  "own tasks: as they are shipped they fail, the right fix passes, believable ones break the rule",
  { ignore: !HAS_PYTEST },
  async () => {
    await using grader = openGrader() as Grader;
    const graded = await Promise.all(SUITE.tasks.flatMap((task) => {
      const folder = join(FOLDER, "tasks", task.name, "grading");
      const fixes = readdirSync(folder).filter((name) => name !== "test_hidden.py");
      const modules = new Map(
        fixes.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
      );
      modules.set("as shipped", task.repository.get(task.module)!);
      return [...modules].map(async ([name, module]) => ({
        what: `${task.name} ${name}`,
        ...await grader.grade(task, module),
      }));
    }));
    assert.ok(graded.length >= 4 * SUITE.tasks.length);
    for (const { what, isSolved, breaksRule } of graded) {
      assert.equal(isSolved, what.endsWith("correct.py"), what);
      assert.equal(breaksRule, !isSolved, what);
    }
  },
);
