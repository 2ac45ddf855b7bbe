import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFileAtomic,
  moveToFree,
  sweepTemporaries,
  writeFileAtomic,
} from "../../src/core/files/atomic.ts";
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
