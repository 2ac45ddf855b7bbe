import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ArmRow } from "../../../tools/bench/tasks/bench.ts";
import { openGrader } from "../../../tools/bench/tasks/grade.ts";
import type { TasksReport } from "../../../tools/bench/tasks/report.ts";

/** Runs the experiment as a person does. */
function lab(...args: string[]) {
  const script = fileURLToPath(new URL("../../../tools/lab.ts", import.meta.url));
  const command = ["run", "-A", "--cached-only", script, "tasks", ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return { code: status, stdout, stderr };
}

async function hasPytest(): Promise<boolean> {
  await using grader = openGrader();
  return grader !== undefined;
}

Deno.test("the tasks go from conversations to graded fixes", async () => {
  const { code, stdout, stderr } = lab("--json");
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

Deno.test("the tasks refuse an arm that there is not, and names those that there are", () => {
  const { code, stderr } = lab("--arm", "others");
  assert.notEqual(code, 0);
  assert.match(stderr, /Unknown arm others/);
  assert.match(stderr, /expected one of none, native, claude-md, local,/);
});
