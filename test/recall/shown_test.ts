import assert from "node:assert/strict";
import { type Delivered, type SessionState } from "../../src/core/recall/session.ts";
import { shown, versionOf } from "../../src/core/recall/shown.ts";
import { blockName } from "../../src/core/text/block.ts";
import type { LiveBranch } from "../../src/core/transcript/live_branch.ts";
import type { StandingPrompt } from "../../src/core/transcript/tree_lines.ts";
import { indexedMemory } from "../support/index.ts";

const text = (path: string) =>
  `<auto-loaded-memory>\n## A note [tool, today] ${path}\n\nx\n</auto-loaded-memory>`;

/** A block with one memory that went with a prompt. */
function delivered(path: string, prompt: string, at: number): Delivered {
  const block = text(path);
  return {
    block: blockName(block),
    event: "UserPromptSubmit",
    prompt,
    at,
    bytes: block.length,
    memories: { [path]: "v1" },
  };
}

const said = (uuid: string, text: string, more: Partial<StandingPrompt> = {}): StandingPrompt => ({
  uuid,
  text,
  isTyped: true,
  at: 100,
  ...more,
});

/** A conversation in which each prompt came with a block. */
function branch(turns: readonly [StandingPrompt, string][], until = 1000): LiveBranch {
  const ids = new Set(turns.map(([{ uuid }]) => uuid));
  return {
    blocks: turns.map(([prompt, path]) => ({
      event: "UserPromptSubmit",
      text: text(path),
      name: blockName(text(path)),
      prompt,
    })),
    prompts: turns.map(([prompt]) => prompt),
    turns: ids,
    allTurns: ids,
    promptIds: ids,
    until,
  };
}
const state = (...blocks: Delivered[]): SessionState => ({ delivered: blocks, begun: 0 });
const paths = (found: { seen: ReadonlyMap<string, unknown> }) => [...found.seen.keys()];

Deno.test("without a transcript what was handed over counts", () => {
  const found = shown(state(delivered("/m/a.md", "p1", 5)), undefined, { promptId: "p2" });
  assert.deepEqual([...found.seen], [["/m/a.md", "v1"]]);
  assert.equal(found.bytes, text("/m/a.md").length);
});

Deno.test("r12: a memory named by a prompt's block is pointed to, and not seen", () => {
  const line = "## A note [tool, today] /m/a.md (not shown here; see the file)";
  const block = `<auto-loaded-memory>\n${line}\n</auto-loaded-memory>`;
  const record: Delivered = {
    ...delivered("/m/b.md", "p1", 5),
    memories: {},
    listed: { "/m/a.md": "v1" },
  };
  const { blocks, ...rest } = branch([[said("u1", "deploy"), "/m/a.md"]]);
  const read = { ...rest, blocks: [{ ...blocks[0]!, text: block, name: blockName(block) }] };
  for (const found of [shown(state(record), undefined), shown(state(), read)]) {
    assert.deepEqual([...found.pointed.keys()], ["/m/a.md"]);
    assert.deepEqual(paths(found), []);
  }
  const start = { ...record, event: "SessionStart" };
  assert.deepEqual([...shown(state(start), undefined).pointed], []);
});

Deno.test("a block that is not on the live branch once its prompt is written down does not count", () => {
  const live = { ...branch([]), promptIds: new Set(["p1"]), until: 3 };
  assert.deepEqual(
    paths(shown(state(delivered("/m/a.md", "p1", 5)), live, { promptId: "p2" })),
    [],
  );
});

Deno.test("a block is on its way in its own turn, and as long as nothing later is written down", () => {
  const one = state(delivered("/m/a.md", "p1", 5));
  const written = { ...branch([]), promptIds: new Set(["p1"]), until: 9 };
  assert.deepEqual(paths(shown(one, written, { promptId: "p1" })), ["/m/a.md"]);
  assert.deepEqual(paths(shown(one, branch([], 4), { promptId: "p2" })), ["/m/a.md"]);
  assert.deepEqual(paths(shown(one, branch([], 6), { promptId: "p2" })), []);
});

Deno.test("a block that nobody remembers is read from the transcript", () => {
  const live = branch([[said("u1", "where?"), "/m/with space.md"]]);
  const found = shown(state(), live);
  assert.deepEqual([...found.seen], [["/m/with space.md", undefined]]);
  assert.deepEqual([...found.turns], ["u1"]);
  assert.ok(found.bytes > 0);
});

const QUESTION = "how do I authenticate against the API?";

for (
  const [prompt, again] of [
    [QUESTION, true],
    [`${QUESTION} be brief`, true],
    ["how do I log in at the API?", false],
    ["and now the next question", false],
  ] as const
) {
  Deno.test(`after ${JSON.stringify(QUESTION)}, ${JSON.stringify(prompt)} is ${again ? "" : "not "}taken for it`, () => {
    const live = branch([[said("u1", QUESTION), "/m/a.md"]]);
    const found = shown(state(delivered("/m/a.md", "u1", 5)), live, { promptId: "p2", prompt });
    assert.deepEqual(paths(found), again ? [] : ["/m/a.md"]);
    assert.equal(found.delivered.length, 1); // it is remembered, should it stand after all
  });
}

Deno.test("a prompt further back takes all after it along; a stock phrase and other sessions' prompts do not count", () => {
  const turns: [StandingPrompt, string][] = [
    [said("u1", QUESTION), "/m/a.md"],
    [said("u2", "something else altogether"), "/m/b.md"],
  ];
  const ask = (prompt: string, live = branch(turns), begun = 0) =>
    paths(shown({ delivered: [], begun }, live, { prompt }));
  assert.deepEqual(ask(QUESTION), []);
  assert.deepEqual(ask(QUESTION, branch(turns), 500), ["/m/a.md", "/m/b.md"]);
  const stock = branch([[said("u1", "commit this"), "/m/a.md"], turns[1]!]);
  assert.deepEqual(ask("commit this", stock), ["/m/a.md", "/m/b.md"]);
  const sdk = branch([[said("u1", QUESTION, { isTyped: false }), "/m/a.md"]]);
  assert.deepEqual(ask(QUESTION, sdk), ["/m/a.md"]);
});

Deno.test("a memory's version is what it says, not when it was written", () => {
  const memory = indexedMemory(1, { body: "Use pnpm" });
  const touched = { ...memory, mtimeMs: 9, confidence: 0.5 };
  assert.equal(versionOf(memory), versionOf(touched));
  assert.notEqual(versionOf(memory), versionOf({ ...memory, body: "Use npm" }));
});
