import assert from "node:assert/strict";
import type { MemoryFile } from "../../../src/core/memory/memory.ts";
import { batchesOf } from "../../../src/features/upkeep/dream/question.ts";
import { memoryOf } from "../../support/memory.ts";

Deno.test("Two that contradict each other are asked about together, whatever their types and however many there are", async () => {
  const note = (i: number, type: string, name: string): MemoryFile => ({
    ...memoryOf({ name, type, body: name }),
    ...{ path: `/m/${type}_${i}.md`, scope: "user", size: 1, mtimeMs: i, problems: [] },
  });
  const others = Array.from(
    { length: 70 },
    (_, i) => note(i, i < 35 ? "decision" : "reference", `Topic${i} of chapter${i} and verse${i}`),
  );
  const older = note(71, "decision", "Payments are handled by Stripe");
  const later = note(72, "reference", "Payments are handled by Adyen");
  for (const memories of [[older, ...others, later], [later, ...others, older]]) {
    const batches = await batchesOf(memories);
    assert.deepEqual(
      batches.flat().map(({ path }) => path).sort(),
      memories.map(({ path }) => path).sort(),
    );
    assert.ok(batches.every(({ length }) => length <= 30));
    const [batch, ...more] = batches.filter((each) => each.includes(older) || each.includes(later));
    assert.ok(batch!.includes(older) && more.length === 0);
  }
});
