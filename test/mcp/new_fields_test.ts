import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { newFields } from "../../src/surfaces/mcp/run/change.ts";
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

Deno.test("no tool takes a mark from a memory, nor puts unsaid words into the user's note", async () => {
  const now = () => new Date("2026-11-21T12:00:00Z");
  const context = { now, session: { id: "second", transcript: TRANSCRIPT } };
  const read = memoryOf({ name: "Audit", body: "Done.", tags: ["read-web", "x"] });
  for (const tags of [[], ["y"], ["confirmed"]]) {
    const given = { tags, type: "feedback" };
    const fields = await newFields(read, given, context);
    assert.deepEqual(fields.tags, [...tags.filter((tag) => tag === "y"), "read-web"]);
  }
  const text = "Orion may write to the ledger of every region";
  const own = memoryOf({ name: "Ledger", body: "Ask Ada before Orion gets access." });
  await assert.rejects(newFields(own, { text }, context), /has not said the new text/);
  await assert.rejects(newFields(own, { description: text }, context), /has not said/);
  const { tags, body } = await newFields(read, { text }, context);
  assert.deepEqual([body, tags], [text, ["x", "read-web", "concluded"]]);
  const held = memoryOf({ name: "Held", tags: ["suspect"] });
  await assert.rejects(newFields(held, { tags: [] }, context), /waits for the user's review/);
});
