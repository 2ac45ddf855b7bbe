import assert from "node:assert/strict";
import { formatPattern } from "../../src/features/guard/pattern.ts";
import { isOffered, proposeGuard } from "../../src/features/guard/propose.ts";
import { readRows } from "../support/fixtures.ts";
import { join } from "node:path";
import { carryOut } from "../../src/core/change/carry_out.ts";
import { addition } from "../../src/core/change/change.ts";
import { readNotices } from "../../src/core/change/follow.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { surroundings } from "../support/change.ts";
import { makeHome } from "../support/home.ts";
import { memoryOf } from "../support/memory.ts";

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

const NOW = new Date("2026-11-21T12:00:00Z");

Deno.test("a saved rule of the user that forbids a command is offered as a guard, and one with a condition is not", async () => {
  await using home = makeHome();
  const { notices } = pathsFor(home.env);
  const folder: MemoryFolder = { scope: "user", path: join(home.claude, "memory") };
  const memory = (name: string, tags: readonly string[] = []) =>
    memoryOf({ name, type: "feedback", body: `${name}.`, tags });
  const rules = ["Never force-push", "Never force-push without asking", "Answer in German"];
  const saved = [...rules.map((name) => memory(name)), memory("Never run npm", ["read-web"])];
  await carryOut(saved.map((each) => addition(each, folder)), {
    ...surroundings(NOW),
    notices: { path: notices, session: "s1", isOffered },
  });
  assert.deepEqual(
    readNotices(notices).filter(({ what }) => what === "offered").map(({ name }) => name),
    ["Never force-push"],
  );
});
