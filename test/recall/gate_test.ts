import assert from "node:assert/strict";
import { loadConfig } from "../../src/core/settings/config.ts";
import { gate, type GateInput } from "../../src/core/recall/gate.ts";
import { probableQuery } from "../../src/core/recall/recall.ts";

const config = loadConfig("/nowhere/config.yaml", {});
const input = (prompt: string, more: Partial<GateInput> = {}): GateInput => ({
  prompt,
  memories: 3,
  bytesLeft: 1000,
  ...more,
});
const why = (prompt: string, more: Partial<GateInput> = {}) => {
  const result = gate(input(prompt, more), config);
  return result.kind === "stop" ? result.why : result.kind;
};

const CASES: readonly [prompt: string, expected: string][] = [
  ["how do I deploy this?", "pass"],
  ["  ", "empty"],
  ["continue", "too short"],
  ["go on", "too short"],
  ["yes!", "too short"],
  ["ok...", "too short"],
  ["LIN-795", "pass"],
  ["PGBOUNCER_URL?", "pass"],
  ["/clear", "slash command"],
  ["/memo:recall deploy keys", "slash command"],
  ["/home/me/app/main.ts throws on start", "pass"],
  ["<task-notification>\n<task-id>a1</task-id>", "machine prompt"],
  ["<command-name>/compact</command-name>", "machine prompt"],
  ["<local-command-stdout>ok</local-command-stdout> text", "machine prompt"],
  ["<div> does not close in this template", "pass"],
  ["open a PR", "pass"],
  ["jwt auth", "pass"],
  ["ok go on", "too short"],
  ["go ahead", "too short"],
  ["sí, hazlo", "too short"],
  ["部署", "pass"],
  ["继续", "too short"],
  ["如何登录", "pass"],
  ["登", "too short"],
  ["どうやってデプロイしますか", "pass"],
];
for (const [prompt, expected] of CASES) {
  Deno.test(`gate() answers ${JSON.stringify(expected)} to ${JSON.stringify(prompt)}`, () => {
    assert.equal(why(prompt), expected);
  });
}

Deno.test("gate() has a higher minimum where the setting asks for it", () => {
  const strict = { ...config, "recall.min_chars": 30 };
  const stops = (prompt: string) => gate(input(prompt), strict).kind === "stop";
  assert.ok(stops("jwt auth"));
  assert.ok(!stops("jwt auth middleware"));
});

Deno.test("gate() never calls a prompt too short that a memory is named after", () => {
  assert.equal(why("ship it", { isKnown: true }), "pass");
  assert.equal(why("ship it"), "too short");
});

Deno.test("gate() stops prompts that the client says no person made", () => {
  assert.equal(why("look at the build again please", { source: "loop_wakeup" }), "machine prompt");
  assert.equal(why("look at the build again please", { source: "user" }), "pass");
});

Deno.test("gate() stops when there is nothing to recall, or no budget", () => {
  assert.equal(why("how do I deploy this?", { memories: 0 }), "no memories");
  assert.equal(why("how do I deploy this?", { bytesLeft: 0 }), "session budget spent");
});

Deno.test("gate() cuts a long prompt to its head and tail", () => {
  const result = gate(input("HEAD " + "x".repeat(30_000) + " TAIL"), config);
  assert.ok(result.kind === "pass" && result.query.length <= 4001);
  assert.match(result.query, /^HEAD[^]*TAIL$/);
});

Deno.test("r12: a short prompt that answers a question is searched for", () => {
  assert.equal(why("yes"), "too short");
  assert.equal(why("yes", { isAnswer: true }), "pass");
});

const probable = (prompt: string, source?: string) => probableQuery({ prompt, source }, config);

Deno.test("what a prompt is probably ranked by is what the gate lets pass", () => {
  const log = Array.from({ length: 200 }, (_, i) => `at step ${i} (/app/run.js:${i}:7)`).join("\n");
  for (
    const prompt of [
      "how do I deploy this to staging?",
      "  which port has the kiln  ",
      `why does the deployment of the kiln service fail here?\n${log}`,
    ]
  ) {
    const passed = gate({ prompt, memories: 3, bytesLeft: 1000 }, config);
    assert.equal(probable(prompt), passed.kind === "pass" ? passed.query : undefined);
    assert.notEqual(probable(prompt), undefined);
  }
});

Deno.test("nothing is begun for a prompt that is not searched for", () => {
  assert.equal(probable("/clear"), undefined);
  assert.equal(probable("ok"), undefined);
  assert.equal(probable("how do I deploy this to staging?", "loop_wakeup"), undefined);
});
