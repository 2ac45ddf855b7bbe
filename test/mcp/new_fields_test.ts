import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { newFields } from "../../src/mcp/new_fields.ts";
import { memoryOf } from "../support/memory.ts";

const TRANSCRIPT = fileURLToPath(
  new URL("../fixtures/transcripts/feature.jsonl", import.meta.url),
);

Deno.test("a memory that is updated in another conversation keeps the one that it was told in", async () => {
  const told = memoryOf({ name: "Use pnpm", body: "Use pnpm.", source: { session: "first" } });
  const session = { id: "second", transcript: TRANSCRIPT };
  const now = () => new Date("2026-11-21T12:00:00Z");
  const { source } = await newFields(told, { triggers: ["add a package"] }, {
    ...{ now, session },
  });
  assert.equal(source?.transcript, TRANSCRIPT);
  assert.notEqual(source.session, "first");
  assert.deepEqual(source.earlier, ["first"]);
  const { source: unknown } = await newFields(told, { description: "When packages are added" }, {
    ...{ now, session: undefined },
  });
  assert.deepEqual(unknown, { session: "first" });
});
