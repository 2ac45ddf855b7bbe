import assert from "node:assert/strict";
import { formatPattern } from "../../src/features/guard/pattern.ts";
import { proposeGuard } from "../../src/features/guard/propose.ts";

const proposed = (name: string, body = "") =>
  proposeGuard({ name, body })?.patterns.map(formatPattern) ?? [];

Deno.test("a rule proposes what it forbids, in the languages that it may be in", () => {
  const npm = [
    "Use pnpm, never npm",
    "Use pnpm instead of npm",
    "Nie npm benutzen, immer pnpm",
    "npm nie benutzen",
    "Benutze pnpm und nie npm",
    "Nunca uses npm, usa pnpm",
    "N'utilise jamais npm, utilise pnpm",
    "Não use npm, use pnpm",
    "Gebruik nooit npm",
    "Nigdy nie używaj npm",
    "Не используй npm",
    "不要用 npm，用 pnpm",
    "npm は使わない。pnpm を使う",
    "npm ではなく pnpm を使う",
    "npm을 쓰지 마세요",
  ];
  for (const rule of npm) assert.deepEqual(proposed(rule), ["npm"], rule);
  assert.deepEqual(proposed("Do not touch gen/"), ["changes of gen/"]);
  assert.deepEqual(proposed("不要直接改 vendor 目录"), ["changes of vendor/"]);
  assert.deepEqual(proposed("Never edit the fixtures folder"), ["changes of fixtures/"]);
  assert.deepEqual(proposed("Never run `terraform apply` yourself"), ["terraform apply"]);
  assert.deepEqual(proposed("Never push to main"), ["git push main"]);
});

Deno.test("a force push in words is also one with a lease, unless the rule asks for the lease", () => {
  assert.deepEqual(proposed("Never force-push"), [
    "git push --force",
    "git push --force-with-lease",
  ]);
  assert.deepEqual(proposed("Never `git push --force`"), ["git push --force"]);
  assert.deepEqual(
    proposed("Never force-push", "Use `git push --force-with-lease` if you have to."),
    ["git push --force"],
  );
});

Deno.test("a rule that forbids no command and no file proposes nothing", () => {
  const rules = [
    "Answer in German, not in English",
    "Never use `any` in TypeScript",
    "No sleep in tests",
    "Run the tests before pushing",
    "Use `git push --force-with-lease`",
    "Amounts are integer cents, never floats",
    "Never commit on main",
    "Read gen/ before you answer",
    "Do not use git",
    "Don't make a fuss, just go on",
  ];
  for (const rule of rules) assert.deepEqual(proposed(rule), [], rule);
});

Deno.test("a condition that a pattern cannot see is told", () => {
  assert.equal(
    proposeGuard({ name: "Never run `rm -rf` outside of build/", body: "" })?.isConditional,
    true,
  );
  assert.equal(
    proposeGuard({ name: "Never force-push without asking", body: "" })?.isConditional,
    true,
  );
  assert.equal(proposeGuard({ name: "Never force-push", body: "" })?.isConditional, false);
});
