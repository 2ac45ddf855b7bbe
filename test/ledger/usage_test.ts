import assert from "node:assert/strict";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  isStale,
  noteUses,
  readUsage,
  steppedScore,
  usageOf,
  usageScore,
} from "../../src/core/ledger/usage.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

Deno.test("uses are counted by memory, and damaged lines are skipped", () => {
  using temp = temporaryFolder();
  const file = join(temp.path, "usage.jsonl");
  assert.deepEqual(usageOf(readUsage(file), "/a"), { shown: 0, used: 0 });
  noteUses(file, [{ path: "/a", at: daysAgo(2), shown: 1 }, {
    path: "/b",
    at: daysAgo(2),
    shown: 1,
  }]);
  noteUses(file, [{ path: "/a", at: daysAgo(1), shown: 1 }, {
    path: "/a",
    at: daysAgo(1),
    used: 1,
  }]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  appendFileSync(file, 'null\n{"path":"/a"}\n{"path":"/a","at":"never","used":9}\n{"pa');
  assert.deepEqual(usageOf(readUsage(file), "/a"), {
    ...{ shown: 2, used: 1, lastShown: daysAgo(1), lastUsed: daysAgo(1) },
  });
});

Deno.test("a long file is summed up to one line a memory and count, with the same counts", () => {
  using temp = temporaryFolder();
  const file = join(temp.path, "usage.jsonl");
  const path = "/" + "x".repeat(200);
  noteUses(file, Array.from({ length: 2500 }, () => ({ path, at: daysAgo(1), shown: 1 })));
  noteUses(file, [{ path, at: NOW.toISOString(), used: 1 }]);
  assert.ok(readFileSync(file, "utf8").split("\n").length <= 4);
  assert.deepEqual(usageOf(readUsage(file), path), {
    ...{ shown: 2500, used: 1, lastShown: daysAgo(1), lastUsed: NOW.toISOString() },
  });
});

Deno.test("summing up drops the counts of memories that are long gone, and is not done again with each use", () => {
  using temp = temporaryFolder();
  const file = join(temp.path, "usage.jsonl");
  const there = join(temp.path, "there.md");
  writeFileSync(there, "");
  const old = new Date(Date.now() - 100 * 86_400_000).toISOString();
  const gone = (i: number) => `/gone/${i}/${"x".repeat(200)}`;
  noteUses(file, [{ path: there, at: old, shown: 3 }]);
  noteUses(file, Array.from({ length: 2500 }, (_, i) => ({ path: gone(i), at: old, shown: 1 })));
  assert.deepEqual([...readUsage(file).keys()], [there]);

  const now = new Date().toISOString();
  noteUses(file, Array.from({ length: 2500 }, (_, i) => ({ path: gone(i), at: now, shown: 1 })));
  const long = statSync(file).size;
  assert.ok(long > 512 * 1024);
  noteUses(file, [{ path: gone(0), at: now, shown: 1 }]);
  assert.ok(statSync(file).size > long, "a file that cannot get shorter is not written anew");
});

const memory = (type: string, days: number, confidence = 1) => ({
  ...{ type, confidence, created: daysAgo(days), updated: undefined, mtimeMs: 0 },
});

Deno.test("the usage score is confidence × (1 + uses / 10), with confidence as it is now", () => {
  const score = (...[type, days, used]: [string, number, number]) =>
    usageScore(memory(type, days), { now: NOW, used });
  assert.equal(score("decision", 400, 0), 1);
  assert.equal(score("decision", 400, 5), 1.5);
  assert.equal(score("context", 15, 10), 1);
  assert.equal(score("progress", 8, 10), 0);
});

Deno.test("the order of titles changes with every fifth use only", () => {
  const score = (used: number) => steppedScore(memory("decision", 1, 0.8), { now: NOW, used });
  assert.deepEqual([0, 4, 5, 9, 10].map(score), [8, 8, 12, 12, 16]);
});

Deno.test("stale is what has faded, and what was neither changed nor used for half a year", () => {
  const stale = (type: string, days: number, lastUsed?: string) =>
    isStale(memory(type, days), { now: NOW, usage: { shown: 0, used: 0, lastUsed } });
  assert.deepEqual([stale("context", 22), stale("context", 20)], [true, false]);
  assert.deepEqual([stale("tool", 181), stale("tool", 179)], [true, false]);
  assert.equal(stale("tool", 181, daysAgo(10)), false);
});
