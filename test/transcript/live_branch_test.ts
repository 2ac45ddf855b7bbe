// The transcripts are the real client's (2.1.329), as its hooks found them at the next prompt.

import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LiveBranches } from "../../src/core/transcript/live_branch.ts";
import { temporaryFolder } from "../support/temp.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/transcripts/${name}.jsonl`, import.meta.url));

/** The hook events whose blocks stand in a transcript, and the prompts. */
async function standing(path: string, branches = new LiveBranches()) {
  const live = await branches.of(path);
  return {
    events: live!.blocks.map(({ event }) => event),
    prompts: live!.prompts.map(({ text }) => text),
  };
}

const PROMPT = "how do I authenticate against the API?";

for (
  const [what, name, events, prompts] of [
    ["what came with a prompt that was taken back with Esc does not stand", "escaped", [], []],
    ["a prompt that another hook blocked leaves nothing", "blocked", [], []],
    ["a prompt whose turn was interrupted stays", "interrupted", ["UserPromptSubmit"], [PROMPT]],
  ] as const
) {
  Deno.test(what, async () => {
    const expected = { events: ["SessionStart", ...events], prompts };
    assert.deepEqual(await standing(fixture(name)), expected);
  });
}

Deno.test("asked again, the prompt stands with what came with it then, and nothing else", async () => {
  const path = fixture("escaped_and_asked_again");
  const { events, prompts } = await standing(path);
  assert.deepEqual(prompts, [`${PROMPT} be brief`]);
  assert.deepEqual(events, ["SessionStart", "UserPromptSubmit"]);
  const live = await new LiveBranches().of(path);
  assert.equal(live!.promptIds.size, 2);
  assert.equal(live!.blocks[0]!.prompt, undefined);
  assert.equal(live!.blocks[1]!.prompt, live!.prompts[0]);
});

const line = (uuid: string, parentUuid: string | null, more: object) =>
  JSON.stringify({ uuid, parentUuid, timestamp: "2026-11-21T10:00:00Z", ...more }) + "\n";
const prompt = (uuid: string, parent: string | null, content = uuid) =>
  line(uuid, parent, { type: "user", promptId: uuid, message: { role: "user", content } });
const block = (uuid: string, parent: string, hookEvent = "UserPromptSubmit") =>
  line(uuid, parent, {
    type: "attachment",
    attachment: { type: "hook_additional_context", hookEvent, content: [noteOf(uuid)] },
  });
const noteOf = (uuid: string) =>
  `<auto-loaded-memory>\n## ${uuid} [tool, today] /m/${uuid}.md\n</auto-loaded-memory>`;
const answer = (uuid: string, parent: string) => line(uuid, parent, { type: "assistant" });

Deno.test("a transcript is read on from where it was left, and rewinding takes back what lies between", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  const branches = new LiveBranches();
  assert.equal(await branches.of(path), undefined);
  writeFileSync(path, prompt("p1", null) + block("b1", "p1") + answer("a1", "b1"));
  assert.deepEqual((await standing(path, branches)).prompts, ["p1"]);
  appendFileSync(path, prompt("p2", "a1") + block("b2", "p2") + answer("a2", "b2"));
  assert.deepEqual((await standing(path, branches)).prompts, ["p1", "p2"]);
  const half = prompt("p3", "a1");
  appendFileSync(path, half.slice(0, 40));
  assert.deepEqual((await standing(path, branches)).prompts, ["p1", "p2"]);
  appendFileSync(path, half.slice(40) + answer("a3", "p3"));
  const live = await branches.of(path);
  assert.deepEqual(live!.prompts.map(({ text }) => text), ["p1", "p3"]);
  assert.deepEqual(live!.blocks.map(({ text }) => /## (\w+)/.exec(text)![1]), ["b1"]);
});

Deno.test("what came with a tool stands as long as the answer that called it, whichever branch its line is on", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  const result = (uuid: string, parent: string) =>
    line(uuid, parent, { type: "user", message: { content: [{ type: "tool_result" }] } });
  // as Claude Code 2.1.329 writes two calls at once: one line an answer's block, each result below its own
  const calls = answer("a1", "p1") + answer("a2", "a1");
  const texts = line("h1", "a2", { type: "attachment" }) + block("b1", "h1", "PreToolUse");
  const first = result("r1", "a1") + block("b2", "r1", "PostToolUseFailure");
  writeFileSync(path, prompt("p1", null) + calls + texts + first + result("r2", "a2"));
  appendFileSync(path, answer("a3", "r2"));
  assert.deepEqual((await standing(path)).events.sort(), ["PostToolUseFailure", "PreToolUse"]);
  assert.deepEqual(await new LiveBranches().takenBack(path), new Set());
  appendFileSync(path, prompt("p2", null) + answer("a4", "p2"));
  assert.deepEqual((await standing(path)).events, []);
  assert.equal((await new LiveBranches().takenBack(path)).size, 2);
});

Deno.test("after a compaction nothing of before stands", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  const before = prompt("p1", null) + block("b1", "p1") + answer("a1", "b1");
  const boundary = { type: "system", subtype: "compact_boundary", logicalParentUuid: "a1" };
  const summary = { type: "user", isCompactSummary: true, message: { content: "It was about p1" } };
  writeFileSync(path, before + line("c1", null, boundary) + line("c2", "c1", summary));
  assert.deepEqual(await standing(path), { events: [], prompts: [] });
  appendFileSync(path, prompt("p2", "c2") + block("b2", "p2") + answer("a2", "b2"));
  assert.deepEqual(await standing(path), { events: ["UserPromptSubmit"], prompts: ["p2"] });
});

Deno.test("slash commands are turns too, those before a compaction belong to the conversation, rewound ones do not", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  const command = prompt("p1", null, "<command-name>/memo:remember</command-name>\nuse pnpm");
  const rewound = prompt("p2", "a1") + answer("a2", "p2");
  writeFileSync(path, command + answer("a1", "p1") + rewound + prompt("p3", "a1"));
  const live = async () => (await new LiveBranches().of(path))!;
  assert.deepEqual([...(await live()).turns].sort(), ["p1", "p3"]);
  const boundary = { type: "system", subtype: "compact_boundary", logicalParentUuid: "a3" };
  appendFileSync(path, answer("a3", "p3") + line("c1", null, boundary) + prompt("p4", "c1"));
  const { turns, allTurns } = await live();
  assert.deepEqual([[...turns], [...allTurns].sort()], [["p4"], ["p1", "p3", "p4"]]);
});

Deno.test("a transcript that has been replaced or cut is read anew", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  const branches = new LiveBranches();
  const first = prompt("p1", null) + answer("a1", "p1");
  writeFileSync(path, first + prompt("p2", "a1") + answer("a2", "p2"));
  assert.deepEqual((await standing(path, branches)).prompts, ["p1", "p2"]);
  truncateSync(path, first.length);
  assert.deepEqual((await standing(path, branches)).prompts, ["p1"]);
});

Deno.test("lines of any kind are survived", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  copyFileSync(fixture("escaped_and_asked_again"), path);
  const odd = [
    '{"parentUuid"',
    '{"parentUuid":3,"uuid":4}',
    '{"parentUuid":null,"uuid":"x1","type":"user"}',
    '{"parentUuid":"x1","uuid":"x2","type":"attachment"}',
    '{"parentUuid":"x2","uuid":"x3","type":"attachment","attachment":{"type":"hook_additional_context"}}',
    '{"parentUuid":"x3","uuid":"x4","type":"user","message":{"content":[null,3,{"type":"text"}]}}',
    '["parentUuid"]',
  ];
  appendFileSync(path, odd.join("\n") + "\n");
  const live = await new LiveBranches().of(path);
  assert.ok(live !== undefined);
  assert.equal(readFileSync(path, "utf8").includes("x4"), true);
});

Deno.test("a block that Claude Code notes again with its requests stands once", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  copyFileSync(fixture("escaped_and_asked_again"), path);
  const before = await standing(path);
  const content = ["<auto-loaded-memory>\nNotes.\n</auto-loaded-memory>"];
  const notes = ["api-request", "api-request-shape", "api-request-blob", "prompt_snapshot"].flatMap(
    (type, i) => [
      { type, parentUuid: null, params: { messages: [{ role: "system", content }] } },
      {
        ...{ parentUuid: readUuid(path), uuid: `n${i}`, type: "attachment" },
        attachment: { type, content, hookEvent: "UserPromptSubmit" },
      },
    ],
  );
  appendFileSync(path, notes.map((note) => JSON.stringify(note) + "\n").join(""));
  assert.deepEqual(await standing(path), before);
});

/** The last line of a transcript that others follow. */
function readUuid(path: string): string {
  return readFileSync(path, "utf8").match(/"uuid":"[^"]+"/g)!.at(-1)!.slice(8, -1);
}
