import assert from "node:assert/strict";
import type { ArmRow } from "../../bench/tasks/bench.ts";
import { openGrader } from "../../bench/tasks/grade.ts";
import type { TasksReport } from "../../bench/tasks/report.ts";
import { makeHome, runMemo } from "../support/home.ts";

async function hasPytest(): Promise<boolean> {
  await using grader = openGrader();
  return grader !== undefined;
}

Deno.test("memo bench tasks goes from conversations to graded fixes with what the executable carries", async () => {
  await using home = makeHome();
  const { code, stdout, stderr } = await runMemo(home, ["bench", "tasks", "--json"]);
  const run: TasksReport = JSON.parse(stdout);
  assert.deepEqual(run.open, [], stderr);
  assert.deepEqual(run.unpatched, []);
  assert.equal(code, 0, stderr);
  assert.equal(run.conversations, 10);
  const arms = new Map(run.arms.map((row) => [row.arm, row]));
  const arm = (name: string): ArmRow => arms.get(name)!;

  for (const name of ["none", "native"]) assert.equal(arm(name).parts.n, 0, name);
  for (const name of ["claude-md", "local", "balanced"]) {
    assert.deepEqual(arm(name).parts, { n: 13, of: 13 }, name);
    assert.equal(arm(name).outdated, 0, name);
  }
  assert.ok(arm("local").withRequest.parts.n > 0);

  assert.equal(run.isGraded, await hasPytest());
  if (!run.isGraded) return assert.match(stdout, /"isGraded": false/);
  const solved = (name: string) => arm(name).samples.map(({ n }) => n);
  assert.deepEqual(solved("none"), [0, 0, 0]);
  assert.deepEqual(solved("local"), [3, 3, 3]);
});

Deno.test("memo bench tasks refuses an arm that there is not, and names those that there are", async () => {
  await using home = makeHome();
  const { code, stderr } = await runMemo(home, ["bench", "tasks", "--arm", "others"]);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /Unknown arm `others`/);
  assert.match(stderr, /--arm none,native,claude-md,local,/);
});
