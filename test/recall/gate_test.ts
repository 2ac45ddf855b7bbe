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

/** Prompts by what becomes of them. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  pass: [
    "how do I deploy this?",
    "LIN-795",
    "PGBOUNCER_URL?",
    "/home/me/app/main.ts throws on start",
    "<div> does not close in this template",
    "open a PR",
    "jwt auth",
    "部署",
    "如何登录",
    "どうやってデプロイしますか",
  ],
  empty: ["  "],
  "too short": [
    "continue",
    "go on",
    "yes!",
    "ok...",
    "ok go on",
    "go ahead",
    "sí, hazlo",
    "继续",
    "登",
  ],
  "slash command": ["/clear", "/memo:recall deploy keys"],
  "machine prompt": [
    "<task-notification>\n<task-id>a1</task-id>",
    "<command-name>/compact</command-name>",
    "<local-command-stdout>ok</local-command-stdout> text",
  ],
};
for (const [expected, prompts] of Object.entries(CASES)) {
  Deno.test(`gate() answers ${JSON.stringify(expected)}`, () => {
    for (const prompt of prompts) assert.equal(why(prompt), expected, prompt);
  });
}

Deno.test("gate() has a higher minimum where the setting asks for it", () => {
  const strict = { ...config, "recall.min_chars": 30 };
  const stops = (prompt: string) => gate(input(prompt), strict).kind === "stop";
  assert.ok(stops("jwt auth"));
  assert.ok(!stops("jwt auth middleware"));
});

/** What else decides: a memory of that name, a question that it answers, who sends it, and what is left. */
const OTHERWISE:
  readonly (readonly [prompt: string, more: Partial<GateInput>, expected: string])[] = [
    ["ship it", {}, "too short"],
    ["ship it", { isKnown: true }, "pass"],
    ["yes", {}, "too short"],
    ["yes", { isAnswer: true }, "pass"],
    ["look at the build again please", { source: "loop_wakeup" }, "machine prompt"],
    ["look at the build again please", { source: "user" }, "pass"],
    ["how do I deploy this?", { memories: 0 }, "no memories"],
    ["how do I deploy this?", { bytesLeft: 0 }, "session budget spent"],
  ];
for (const [prompt, more, expected] of OTHERWISE) {
  Deno.test(`gate() answers ${expected} to ${prompt} with ${JSON.stringify(more)}`, () => {
    assert.equal(why(prompt, more), expected);
  });
}

Deno.test("gate() cuts a long prompt to its head and tail", () => {
  const result = gate(input("HEAD " + "x".repeat(30_000) + " TAIL"), config);
  assert.ok(result.kind === "pass" && result.query.length <= 4001);
  assert.match(result.query, /^HEAD[^]*TAIL$/);
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
