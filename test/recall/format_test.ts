import assert from "node:assert/strict";
import { oneLine } from "../../src/recall/format.ts";
import type { FusedHit } from "../../src/recall/fuse.ts";
import { shown } from "../../src/recall/shown.ts";
import { blockName } from "../../src/text/block.ts";
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
