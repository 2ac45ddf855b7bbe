import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFileAtomic,
  moveToFree,
  sweepTemporaries,
  writeFileAtomic,
} from "../../src/files/atomic.ts";
import { makeHome, runMemo } from "../support/home.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("createFileAtomic() makes a whole file for its owner, and never takes another's place", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "a.md");
  createFileAtomic(path, "one");
  assert.throws(() => createFileAtomic(path, "two"), /EEXIST/);
  assert.equal(readFileSync(path, "utf8"), "one");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder.path), ["a.md"]);
});

Deno.test("writeFileAtomic() writes the same whole file in pieces", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "library");
  const data = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
  for (const pieceBytes of [1, 7, 500, 999, 1000, 1001]) {
    writeFileAtomic(path, data, { pieceBytes, durable: false });
    assert.deepEqual(Uint8Array.from(readFileSync(path)), data, `${pieceBytes} at a time`);
  }
});

Deno.test("moveToFree() moves to a free path alone", () => {
  using folder = temporaryFolder();
  const [a, b, c] = ["a", "b", "c"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(a, "a");
  writeFileSync(b, "b");
  assert.throws(() => moveToFree(a, b), /EEXIST/);
  moveToFree(a, c);
  assert.deepEqual([readdirSync(folder.path).sort(), readFileSync(c, "utf8")], [["b", "c"], "a"]);
});

Deno.test("sweepTemporaries() deletes what killed processes have left, and nothing else", () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, ".archive"));
  const old = [".0123456789abcdef.tmp", ".archive/.fedcba9876543210.tmp"];
  const kept = [
    ".0123456789abcde0.tmp",
    "notes.tmp",
    ".hidden.tmp",
    "0123456789abcdef.tmp",
    "a.md",
  ];
  for (const name of [...old, ...kept]) writeFileSync(join(folder.path, name), "x");
  const before = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [...old, ...kept.slice(1)]) {
    utimesSync(join(folder.path, name), before, before);
  }
  assert.equal(sweepTemporaries(folder.path, new Date()), 2);
  assert.deepEqual(readdirSync(folder.path).sort(), [".archive", ...kept].sort());
  assert.equal(sweepTemporaries(join(folder.path, "nowhere"), new Date()), 0);
});

Deno.test("memo add, killed at any moment, leaves a whole memory or none", async () => {
  await using home = makeHome();
  const text = (round: number) => `Kiln ${round} bakes images; its port is 7070. `.repeat(40);
  const add = (round: number, killAfterMs?: number) => {
    const args = ["add", text(round), "--name", `Round ${round}`, "--scope", "user"];
    return runMemo(home, args, { killAfterMs });
  };
  const start = performance.now();
  await add(0);
  const wholeMs = performance.now() - start; // the moments are shares of it, however busy the machine is
  for (let round = 1; round <= 30; round++) await add(round, wholeMs * round / 25);
  const memory = join(home.claude, "memory");
  const files = readdirSync(memory).filter((name) =>
    /^[^.].*\.md$/.test(name) && name !== "MEMORY.md"
  );
  assert.ok(files.length > 0, "at least the first");
  for (const name of files) assert.match(readFileSync(join(memory, name), "utf8"), /7070/, name);
});
