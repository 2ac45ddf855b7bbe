import assert from "node:assert/strict";
import { loadConfig } from "../../src/core/settings/config.ts";
import { nearMisses } from "../../src/core/recall/near_misses.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { indexedMemory } from "../support/index.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const config = loadConfig("/nowhere/config.yaml", {});

Deno.test("what was imported has to come nearer to the threshold than what was said, to be named with a prompt", () => {
  const given = (score: number, importedFrom?: string) => {
    const memory = indexedMemory(1, { mtimeMs: NOW.getTime(), importedFrom });
    const because = "below threshold";
    const dropped = [{ memory, score, strategy: "hybrid", parts: undefined, because }] as const;
    return nearMisses(dropped, {
      ...{ config, now: NOW, shown: NOTHING_SHOWN, memories: new Map([[1, memory]]) },
      ...{ size: 100, given: [] },
    }).length;
  };
  assert.equal(given(0.3), 1);
  assert.equal(given(0.3, "mem0"), 0);
  assert.equal(given(0.34, "mem0"), 1);
});
