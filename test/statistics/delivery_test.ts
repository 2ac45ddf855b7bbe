import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Delivery, verifyDelivery } from "../../src/features/statistics/delivery.ts";
import type { Receipt } from "../../src/core/recall/receipts.ts";
import { blockName } from "../../src/core/text/block.ts";
import { hookTexts } from "../../src/core/transcript/lines.ts";
import { temporaryFolder } from "../support/temp.ts";

/** As the real client (2.1.329) writes it: a short block, one of 10,150 characters, and a prompt without. */
const CAPTURED = readFileSync(
  new URL("../fixtures/transcripts/hook_blocks.jsonl", import.meta.url),
  "utf8",
);
const fenced = (text: string) => `<auto-loaded-memory>\nNotes.\n\n${text}\n\n</auto-loaded-memory>`;
const SHORT = fenced("## A note [tool, today] /m/a.md");
const LONG = fenced("x".repeat(10_100));
/** When the three prompts were made. */
const [FIRST, SECOND, THIRD, AFTERWARDS] = ["21:20.990", "21:21.250", "21:21.368", "30:00.000"]
  .map((time) => `2026-11-21T07:${time}Z`);

/** The captured session in a folder, with what was cut to a preview saved beside it. */
function capturedSession(folder: string): string {
  const saved = /saved to: (\/home\/dev\/[^\\]+)/.exec(CAPTURED)![1]!;
  const path = join(folder, "session", "tool-results", "long.txt");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, LONG);
  const transcript = join(folder, "session.jsonl");
  writeFileSync(transcript, CAPTURED.replaceAll(saved, path));
  return transcript;
}

/** The receipt of a prompt that got a block. */
function receipt(at: string, block: string | undefined, transcript: string | undefined): Receipt {
  const name = block === undefined ? {} : { block: blockName(block) };
  return { at, transcript, outcome: "hit", memories: [], chars: 1, ms: {}, ...name };
}

async function verify(...receipts: Receipt[]): Promise<Delivery[]> {
  return (await verifyDelivery(receipts)).map(({ delivery }) => delivery);
}

Deno.test("a block is told by what the transcript of its session has of it", async () => {
  using folder = temporaryFolder();
  const path = capturedSession(folder.path);
  const cases = [
    [FIRST, SHORT, "delivered"],
    [SECOND, LONG, "cut to a preview"],
    [THIRD, "another", "dropped"], // the model has answered since
    [AFTERWARDS, "another", "not written yet"],
  ] as const;
  for (const [at, block, delivery] of cases) {
    assert.deepEqual(await verify(receipt(at!, block, path)), [delivery]);
  }
});

Deno.test("a block that went with a prompt taken back with Esc is said to be taken back", async () => {
  const fixture = (name: string) =>
    fileURLToPath(new URL(`../fixtures/transcripts/${name}.jsonl`, import.meta.url));
  const path = fixture("escaped_and_asked_again");
  const blocks = readFileSync(path, "utf8").split("\n").flatMap(hookTexts);
  const verified = await verify(...blocks.map(({ text }) => receipt(FIRST!, text, path)));
  const events = blocks.map(({ event }) => event).join();
  assert.equal(events, "SessionStart,UserPromptSubmit,UserPromptSubmit");
  // The same block went with the prompt that was sent again.
  assert.deepEqual(verified, ["delivered", "delivered", "delivered"]);
  const escaped = fixture("escaped");
  const [, withPrompt] = readFileSync(escaped, "utf8").split("\n").flatMap(hookTexts);
  assert.deepEqual(await verify(receipt(FIRST!, withPrompt!.text, escaped)), ["taken back"]);
});

Deno.test("without a transcript nothing can be told, and receipts without a block are left out", async () => {
  using folder = temporaryFolder();
  const gone = join(folder.path, "gone.jsonl");
  const receipts = [
    receipt(FIRST!, SHORT, gone),
    receipt(FIRST!, SHORT, undefined),
    receipt(FIRST!, undefined, gone),
  ];
  assert.deepEqual(await verify(...receipts), ["no transcript", "no transcript"]);
});

Deno.test("each of the two blocks that a subagent gets is found in its own transcript", async () => {
  using folder = temporaryFolder();
  const path = capturedSession(folder.path);
  const [rules, task] = [fenced("Rules."), fenced("## For the task [tool, today] /m/b.md")];
  const agent = join(folder.path, "session", "subagents", "agent-1.jsonl");
  mkdirSync(dirname(agent));
  const attachment = { type: "hook_additional_context", content: [`${rules}\n${task}`] };
  writeFileSync(agent, JSON.stringify({ type: "attachment", attachment }) + "\n");
  const receipts = [rules, task].map((block) => receipt(FIRST!, block, path));
  assert.deepEqual(await verify(...receipts), ["delivered", "delivered"]);
});

Deno.test("of a client that writes no hook output down nothing is said to be dropped", async () => {
  using folder = temporaryFolder();
  const transcript = (version: string, ...more: string[]) => {
    const path = join(folder.path, `${version}.jsonl`);
    const answer = { type: "assistant", version, timestamp: AFTERWARDS };
    writeFileSync(path, [JSON.stringify(answer), ...more].join("\n") + "\n");
    return path;
  };
  const silent = await verify(receipt(FIRST!, SHORT, transcript("2.0.77")));
  assert.deepEqual(silent, ["cannot be checked with this version"]);
  const other = CAPTURED.split("\n").find((line) => line.includes('["<auto-loaded'))!;
  for (const path of [transcript("2.1.329"), transcript("2.0.99", other)]) {
    assert.deepEqual(await verify(receipt(FIRST!, "another", path)), ["dropped"]);
  }
});

Deno.test("a transcript in any state is read as far as it goes", async () => {
  using folder = temporaryFolder();
  const path = capturedSession(folder.path);
  const odd = ["{", "null", '"hook_additional_context"', "\u0000\u0001", '{"type":"attachment"}'];
  const attachments = ["null", '{"type":"hook_additional_context","content":{"a":1}}'].map((text) =>
    `{"type":"attachment","attachment":${text},"x":"hook_additional_context"}`
  );
  const long = `{"type":"user","content":"${"x".repeat(3_000_000)}"}`;
  const text = readFileSync(path, "utf8");
  writeFileSync(path, [...odd, ...attachments, long, text].join("\n"));
  assert.deepEqual(await verify(receipt(FIRST!, SHORT, path)), ["delivered"]);
  appendFileSync(path, '{"type":"attachment","attachment":{"type":"hook_additional_context","con');
  assert.deepEqual(await verify(receipt(FIRST!, SHORT, path)), ["delivered"]);
  truncateSync(path, 100);
  assert.deepEqual(await verify(receipt(FIRST!, SHORT, path)), ["not written yet"]);
});
