import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bill, billed, billOf } from "../../src/features/statistics/bill.ts";
import { temporaryFolder } from "../support/temp.ts";

const BLOCK = `<auto-loaded-memory>\n${"x".repeat(80)}</auto-loaded-memory>`;

/** A transcript whose lines follow one another, unless they say otherwise. */
function transcript(lines: readonly Readonly<Record<string, unknown>>[]): string {
  return lines.map((line, i) =>
    JSON.stringify({ parentUuid: i === 0 ? null : `u${i - 1}`, ...line, uuid: `u${i}` }) + "\n"
  ).join("");
}

const hook = (event: string, text: string) => ({
  type: "attachment",
  attachment: { type: "hook_additional_context", content: [text], hookEvent: event },
  rendered: [{ content: text }],
});
const user = (content: unknown) => ({ type: "user", message: { role: "user", content } });
const answer = (
  id: string,
  usage: object,
  content: unknown[] = [{ type: "text", text: "ok" }],
) => ({
  type: "assistant",
  message: { id, model: "claude-sonnet-5-5", usage, content },
});
/** System prompt and tools: 1,000 characters, of which memo's are 200. */
const snapshot = {
  type: "attachment",
  attachment: {
    type: "prompt_snapshot",
    systemPrompt: ["s".repeat(600)],
    tools: [
      { name: "Bash", schema: sized(200) },
      { name: "mcp__memo__memory_search", schema: sized(200) },
    ],
  },
};

/** An object whose JSON has so many characters. */
function sized(chars: number): object {
  return { a: "x".repeat(chars - 8) };
}

async function bill(text: string, subagent?: string): Promise<Bill | undefined> {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  writeFileSync(path, text);
  if (subagent !== undefined) {
    mkdirSync(join(folder.path, "s", "subagents"), { recursive: true });
    writeFileSync(join(folder.path, "s", "subagents", "agent-1.jsonl"), subagent);
  }
  return await billOf(path);
}

/** Four characters a token in the first request: 1,000 + the prompt, block and titles. */
const FIRST = (1000 + 2 * BLOCK.length + 10) / 4;

Deno.test("a bill counts each text with every request that has it, at the rate of the first", async () => {
  const one = (BLOCK.length) / 4;
  const found = (await bill(transcript([
    hook("SessionStart", BLOCK),
    user("0123456789"),
    hook("UserPromptSubmit", BLOCK),
    answer("m1", { input_tokens: FIRST }),
    answer("m1", { input_tokens: FIRST }), // the same message, another block
    snapshot,
    user("and now?"),
    answer("m2", { input_tokens: 100, cache_read_input_tokens: FIRST }),
  ])))!;
  assert.deepEqual([found.requests, found.isMeasured], [2, true]);
  assert.equal(found.input, 2 * FIRST + 100);
  assert.deepEqual(found.tokens, {
    ...{ titles: Math.round(2 * one), blocks: Math.round(2 * one), tools: 100 },
    ...{ results: 0, instructions: 0 },
  });
  assert.equal(found.standing, Math.round(2 * one + 50));
  assert.equal(found.cached, found.standing, "all of it was in the request before");
  const price = 2e-6 * (1.1 * (2 * one + 50));
  assert.ok(Math.abs(found.usd! - price) < 1e-9, `${found.usd} is not ${price}`);
});

Deno.test("a bill ends with a compaction, and leaves out what was rewound", async () => {
  const found = (await bill(transcript([
    user("0123456789"),
    hook("UserPromptSubmit", BLOCK), // u1
    answer("m1", { input_tokens: 400 }),
    snapshot,
    { ...user("another way"), parentUuid: "u0" },
    answer("m2", { input_tokens: 400 }),
    hook("UserPromptSubmit", BLOCK),
    answer("m3", { input_tokens: 400 }),
    { type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid: "u7" },
    answer("m4", { input_tokens: 400 }),
  ])))!;
  const rate = 400 / (1000 + 10 + BLOCK.length);
  assert.equal(found.tokens.blocks, Math.round(2 * BLOCK.length * rate)); // in m1 and m3
  assert.equal(found.tokens.tools, Math.round(4 * 200 * rate));
  assert.equal(found.standing, Math.round(200 * rate));
});

Deno.test("a bill has what memo's tools gave, its instructions, and its part of a subagent", async () => {
  const use = { type: "tool_use", id: "t1", name: "mcp__memo__memory_search", input: {} };
  const found = (await bill(
    transcript([
      {
        type: "attachment",
        attachment: { type: "mcp_instructions_delta", addedBlocks: ["## memo\nhelp", "## x\nno"] },
        rendered: [{ content: "## memo\nhelp\n## x\nno" }],
      },
      {
        type: "attachment",
        attachment: {
          type: "deferred_tools_delta",
          addedLines: ["Monitor", "mcp__memo__memory_ask"],
        },
        rendered: [{ content: "Monitor\nmcp__memo__memory_ask" }],
      },
      user("0123456789"),
      answer("m1", { input_tokens: 1000 + 20 + 29 + 10 }, [use]),
      snapshot,
      user([{ type: "tool_result", tool_use_id: "t1", content: "r".repeat(300) }]),
      user([{ type: "tool_result", tool_use_id: "t2", content: "n".repeat(300) }]),
      answer("m2", { input_tokens: 2000 }),
    ]),
    transcript([
      hook("SubagentStart", BLOCK),
      user("0123456789"),
      answer("m3", { input_tokens: 500 }),
    ]),
  ))!;
  assert.deepEqual([found.requests, found.isMeasured], [3, false]);
  assert.equal(found.tokens.results, 300);
  assert.equal(found.tokens.instructions, 2 * "## memo\nhelp".length);
  assert.equal(found.tokens.tools, 2 * (200 + "mcp__memo__memory_ask\n".length));
  assert.equal(found.tokens.titles, Math.round(BLOCK.length / 4));
  assert.ok(billed(found) > 0);
});

Deno.test("a transcript without a request, or of another kind, has no bill", async () => {
  assert.equal(await bill(""), undefined);
  assert.equal(await bill('{"uuid":"u"}\nnot json "uuid"\n{"uuid":3}\n'), undefined);
  assert.equal(await billOf("/nowhere/s.jsonl"), undefined);
});

Deno.test("a transcript that has grown is read on from where it was left, and comes to the same", async () => {
  using folder = temporaryFolder();
  const [path, keptIn] = ["s.jsonl", "s.bill"].map((name) => join(folder.path, name)) as [
    string,
    string,
  ];
  const usage = { input_tokens: FIRST };
  const calling = { type: "tool_use", id: "t1", name: "mcp__memo__memory_search", input: {} };
  const result = { type: "tool_result", tool_use_id: "t1", content: "r".repeat(40) };
  const lines = transcript([
    ...[hook("SessionStart", BLOCK), snapshot, user("0123456789"), hook("UserPromptSubmit", BLOCK)],
    ...[answer("m1", usage), answer("m1", usage, [calling]), user([result])],
    ...[answer("m2", usage), user("more"), answer("m3", usage)],
  ]).split(/(?<=\n)/);
  writeFileSync(path, "");
  for (const [i, line] of lines.entries()) {
    // Line by line, and the last ones with half a line in between.
    if (i > 6) {
      appendFileSync(path, line.slice(0, 20));
      await billOf(path, keptIn);
      appendFileSync(path, line.slice(20));
    } else appendFileSync(path, line);
    assert.deepEqual(await billOf(path, keptIn), await billOf(path), `after line ${i}`);
  }
  assert.equal(statSync(keptIn).mode & 0o777, 0o600);
  // What was read is not read again.
  const read = readFileSync(path, "utf8");
  const before = await billOf(path);
  writeFileSync(path, " ".repeat(read.length - 1) + "\n");
  assert.deepEqual(await billOf(path, keptIn), before);
  // A shorter one is another one, and a damaged file is none.
  writeFileSync(path, lines.slice(0, 5).join(""));
  assert.equal((await billOf(path, keptIn))?.requests, 1);
  for (const damaged of ["{", '{"x":1}', "[]", "null"]) {
    writeFileSync(keptIn, damaged);
    assert.equal((await billOf(path, keptIn))?.requests, 1, damaged);
  }
  assert.equal((await billOf(path, join(folder.path, "none", "s.bill")))?.requests, 1);
});
