import assert from "node:assert/strict";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, takeLock } from "../../src/core/files/lock.ts";
import { temporaryFolder } from "../support/temp.ts";

const FRESH_MS = 60_000;
/** No system has so many processes. */
const NOBODY = 2 ** 30;

Deno.test("takeLock() gives a lock to one at a time", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "lock");
  const release = takeLock(path, FRESH_MS);
  assert.ok(release);
  assert.equal(takeLock(path, FRESH_MS), undefined);
  release();
  assert.equal(existsSync(path), false);
  takeLock(path, FRESH_MS)!();
});

Deno.test("takeLock() takes over from a process that has died, and from one that has had it too long", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "lock");
  writeFileSync(path, `${NOBODY}\n`);
  takeLock(path, FRESH_MS)!();
  writeFileSync(path, `${process.pid}\n`);
  for (const time of [1000, Date.now() / 1000 + 3600]) { // the clock may have been set back meanwhile
    utimesSync(path, time, time);
    takeLock(path, FRESH_MS)!();
    writeFileSync(path, `${process.pid}\n`);
  }
  writeFileSync(path, ""); // its owner is about to write its id
  assert.equal(takeLock(path, FRESH_MS), undefined);
});

Deno.test("isAlive() knows this process from no process", () => {
  assert.deepEqual([process.pid, NOBODY, 0, -1, 1.5].map(isAlive), [
    true,
    false,
    false,
    false,
    false,
  ]);
});
