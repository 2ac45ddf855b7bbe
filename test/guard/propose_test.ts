import assert from "node:assert/strict";
import { formatPattern } from "../../src/features/guard/pattern.ts";
import { proposeGuard } from "../../src/features/guard/propose.ts";
import { readRows } from "../support/fixtures.ts";

const proposed = (name: string, body = "") =>
  proposeGuard({ name, body })?.patterns.map(formatPattern) ?? [];

Deno.test("a rule proposes what it forbids, in the languages that it may be in, and else nothing", () => {
  for (const [rule = "", ...patterns] of readRows("guard/proposals.tsv")) {
    assert.deepEqual(proposed(rule), patterns, rule);
  }
});

Deno.test("a force push in words is also one with a lease, unless the rule asks for the lease", () => {
  const [plain, lease] = ["git push --force", "git push --force-with-lease"];
  const body = "Use `git push --force-with-lease` if you have to.";
  assert.deepEqual(proposed("Never force-push"), [plain, lease]);
  assert.deepEqual(proposed("Never `git push --force`"), [plain]);
  assert.deepEqual(proposed("Never force-push", body), [plain]);
});

Deno.test("a condition that a pattern cannot see is told", () => {
  const names = ["Never run `rm -rf` outside of build/", "Never force-push without asking"];
  for (const name of [...names, "Never force-push"]) {
    assert.equal(proposeGuard({ name, body: "" })?.isConditional, names.includes(name), name);
  }
});
