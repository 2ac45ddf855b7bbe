import assert from "node:assert/strict";
import { appendFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readReceipts, type Receipt, writeReceipt } from "../../src/core/recall/receipts.ts";
import { temporaryFolder } from "../support/temp.ts";

const receipt = (session: string): Receipt => ({
  at: "2026-11-21T12:00:00.000Z",
  session,
  outcome: "no hit",
  memories: [],
  chars: 0,
  ms: { gate: 1 },
});

Deno.test("receipts come back newest first, and half a line is passed over", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "state", "receipts.jsonl");
  assert.deepEqual(readReceipts(path, 10), []);
  writeReceipt(path, receipt("a"));
  appendFileSync(path, '{"at":"2026\n');
  writeReceipt(path, receipt("b"));
  assert.deepEqual(readReceipts(path, 10).map(({ session }) => session), ["b", "a"]);
  assert.deepEqual(readReceipts(path, 1).map(({ session }) => session), ["b"]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

Deno.test("a long file of receipts is turned over, and both are read", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "receipts.jsonl");
  writeFileSync(path, (JSON.stringify(receipt("old")) + "\n").repeat(40_000));
  writeReceipt(path, receipt("new"));
  assert.ok(existsSync(`${path}.1`));
  assert.deepEqual(readReceipts(path, 2).map(({ session }) => session), ["new", "old"]);
});
