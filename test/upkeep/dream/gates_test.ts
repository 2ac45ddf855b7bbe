import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Circumstances, dueBecause } from "../../../src/features/upkeep/dream/gates.ts";
import { lastDream, takeDreamLock } from "../../../src/features/upkeep/dream/lock.ts";
import { temporaryFolder } from "../../support/temp.ts";

const HOUR = 3_600_000;
const NOW = new Date("2026-11-21T12:00:00Z");
const ago = (hours: number) => NOW.getTime() - hours * HOUR;

/** A folder whose time has come, but for what a test changes. */
function due(fields: Partial<Circumstances>): boolean {
  return dueBecause({
    ...{ now: NOW, last: ago(25), looked: ago(1) },
    ...{ extractions: () => 0, sessions: () => 5, active: () => ({ now: 10, then: 10 }) },
    ...fields,
  }) !== undefined;
}

Deno.test("a dream is due after 24 hours and 5 sessions", () => {
  assert.equal(due({}), true);
  assert.equal(due({ last: ago(23) }), false);
  assert.equal(due({ sessions: () => 4 }), false);
  assert.equal(due({ last: 0 }), true, "the first one");
});

Deno.test("ten extractions, or a project that grows beyond 80 memories, make it due after an hour", () => {
  const active = (now: number, then: number) => ({ active: () => ({ now, then }) });
  assert.equal(due({ last: ago(2), extractions: () => 10 }), true);
  assert.equal(due({ last: ago(2), extractions: () => 9 }), false);
  assert.equal(due({ last: ago(0.9), extractions: () => 10 }), false);
  assert.equal(due({ last: ago(2), ...active(81, 40) }), true);
  assert.equal(due({ last: ago(2), ...active(80, 40) }), false);
  assert.equal(due({ last: ago(2), ...active(300, 299) }), false, "as it was after the last dream");
});

Deno.test("nothing is counted again within ten minutes, and sessions not before the day is over", () => {
  const never = () => assert.fail("counted");
  assert.equal(
    due({ looked: ago(0.1), extractions: never, sessions: never, active: never }),
    false,
  );
  assert.equal(due({ last: ago(2), sessions: never }), false);
});

Deno.test("a clock that was set back closes no gate", () => {
  assert.equal(due({ last: ago(-1000), looked: ago(-1000) }), true);
});

Deno.test("the lock's time is that of the last run; a run that fails leaves it as it was", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "dreams", "a.lock");
  assert.equal(lastDream(path), 0);
  takeDreamLock(path, new Date(ago(30)))!.release(true);
  assert.equal(lastDream(path), ago(30));
  takeDreamLock(path, NOW)!.release(false);
  assert.equal(lastDream(path), ago(30));
  const lock = takeDreamLock(path, NOW)!;
  assert.equal(lastDream(path), NOW.getTime());
  assert.equal(takeDreamLock(path, new Date(ago(-0.9))), undefined, "held by this process");
  lock.release(true);
  assert.notEqual(takeDreamLock(path, NOW), undefined);
});

Deno.test("a lock is taken over from a dead process at once, and from a living one after an hour", async () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "a.lock");
  const child = spawn(Deno.execPath(), ["eval", "setTimeout(() => {}, 60_000)"]);
  const hold = (at: number) => {
    writeFileSync(path, `${child.pid}\n`);
    utimesSync(path, at / 1000, at / 1000);
  };
  try {
    hold(ago(0.9));
    assert.equal(takeDreamLock(path, NOW), undefined);
    for (const at of [ago(1.1), ago(-1.1)]) { // it hangs; the clock was set back
      hold(at);
      takeDreamLock(path, NOW)!.release(false);
    }
  } finally {
    hold(ago(0));
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  assert.notEqual(takeDreamLock(path, NOW), undefined);
});
