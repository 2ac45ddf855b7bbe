import assert from "node:assert/strict";
import { entryHead, oneLine, titleOf } from "../../src/core/recall/format.ts";
import type { FusedHit } from "../../src/core/recall/fuse.ts";
import { shown } from "../../src/core/recall/shown.ts";
import { blockName } from "../../src/core/text/block.ts";
import { indexedMemory } from "../support/index.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

Deno.test("a memory that does not fit is named with where its words come from, and still counts as named", () => {
  const memory = indexedMemory(1, { path: "/m/tool_kiln.md", name: "Kiln", tags: ["read-web"] });
  const fused = { memory, score: 1, strategy: "hybrid" } as FusedHit;
  const line = oneLine(fused, NOW);
  assert.match(line, /, from a web page, not said by the user\] \/m\/tool_kiln\.md \(not shown/);
  const prompt = { uuid: "p1", text: "which port", isTyped: true, at: 1 };
  const blocks = [{ event: "UserPromptSubmit", text: line, name: blockName(line), prompt }];
  const ids = new Set(["p1"]);
  const live = { blocks, prompts: [prompt], turns: ids, allTurns: ids, promptIds: ids, until: 2 };
  const { pointed } = shown({ delivered: [], begun: 0 }, live, { promptId: "p2" });
  assert.deepEqual([...pointed.keys()], ["/m/tool_kiln.md"]);
});

Deno.test("a note that limits itself is not named without its limit, and an overtaken one not without its day", () => {
  const memory = indexedMemory(1, {
    path: "/m/d.md",
    name: "Amounts are rounded up",
    body: "Amounts are rounded up. This holds only for the billing exports (not the API).",
    updated: "2026-06-01",
  });
  const old = indexedMemory(2, { name: "Amounts are rounded down", body: "They were." });
  const fused = { memory, score: 1, strategy: "hybrid", isWhole: false, overtakes: [old] };
  const hit = { ...fused, passage: undefined, parts: undefined } as FusedHit;
  const limit = "This holds only for the billing exports";
  for (const line of [titleOf(hit, NOW), oneLine(hit, NOW)]) {
    assert.ok(line.includes(limit), line);
    assert.ok(line.includes("replaces “Amounts are rounded down” as of 2026-06-01"), line);
  }
  const block = {
    ...{ event: "UserPromptSubmit", text: oneLine(hit, NOW), name: "b" },
    prompt: undefined,
  };
  const live = {
    blocks: [block],
    ...{ prompts: [], turns: new Set<string>(), allTurns: new Set<string>() },
    ...{ promptIds: new Set<string>(), until: 2 },
  };
  const { pointed } = shown({ delivered: [], begun: 0 }, live, {});
  assert.deepEqual([...pointed.keys()], ["/m/d.md"]);
});

Deno.test("what a model has concluded is given as unconfirmed, in every form", () => {
  const memory = indexedMemory(1, { name: "Queue", body: "It drops.", tags: ["concluded"] });
  const hit = { memory, score: 1, strategy: "hybrid", isWhole: false } as FusedHit;
  for (const text of [entryHead(hit, NOW, "whole"), oneLine(hit, NOW), titleOf(hit, NOW)]) {
    assert.match(text, /unconfirmed/);
  }
});

Deno.test("a memory that names a day seen from it is given with its own day, once, in every form", () => {
  const memory = (name: string) =>
    indexedMemory(1, { name, body: "No merges.", description: "", updated: "2026-11-03" });
  const forms = (name: string, isDated = false) => {
    const hit = { memory: memory(name), score: 1, strategy: "hybrid", isDated } as FusedHit;
    return [entryHead(hit, NOW, "whole"), oneLine(hit, NOW), titleOf(hit, NOW)];
  };
  for (const text of [...forms("Freeze from tomorrow"), ...forms("Freeze from Monday on", true)]) {
    assert.deepEqual(text.match(/2026-11-03|days old/g), ["2026-11-03"], text);
  }
  const [whole, line] = forms("Freeze from tomorrow (2026-11-04)");
  assert.match(whole! + line, /18 days old[^]*18 days old/);
});

Deno.test("a note whose day has passed says so", () => {
  const memory = indexedMemory(1, {
    name: "Demo",
    body: "The demo for Lindqvist is on 3 November.",
    updated: "2026-10-01",
  });
  const head = entryHead({ memory, score: 1, strategy: "hybrid" } as FusedHit, NOW, "whole");
  assert.match(head, /51 days old, was due 3 November\]/);
  const hit = { memory, score: 1, strategy: "hybrid", isDated: true } as FusedHit;
  assert.match(
    entryHead(hit, NOW, "whole"),
    /2026-10-01, was due 3 November\]/,
    "told apart by it",
  );
  assert.match(titleOf(hit, NOW), /\[2026-10-01; was due 3 November\]/);
});
