import assert from "node:assert/strict";
import { type Held, Rest } from "../../src/core/daemon/rest.ts";

const MB = 1e6;
const QUIET = { isWorking: false, quietMs: 3001, sleepMs: 10_000 };
const LONG = { ...QUIET, quietMs: 10_001 };

/** A daemon that holds what the test says, and counts how often it has released memory and fallen asleep. */
function restOf() {
  let released = 0, slept = 0;
  const state: { held: Held } = { held: { process: 280 * MB, vectors: 0 } };
  const rest = new Rest({
    held: () => state.held,
    release: () => void released++,
    sleep: () => void slept++,
  });
  /** Whether it holds too much after some work. */
  const lookAgain = (process: number, vectors = 0) => {
    state.held = { process: process * MB, vectors: vectors * MB };
    rest.disturb();
    rest.look(QUIET);
    return rest.look(QUIET)!.isBloated;
  };
  return { rest, lookAgain, released: () => released, slept: () => slept };
}

Deno.test("memory is released once after work has ended, and counted when that had time to take effect", () => {
  const { rest, released } = restOf();
  assert.equal(rest.look(QUIET), undefined);
  assert.deepEqual([released(), rest.isAtRest], [1, false]);
  assert.deepEqual(rest.look(QUIET), { isBloated: false });
  assert.equal(rest.isAtRest, true);
  for (let i = 0; i < 3; i++) assert.equal(rest.look(QUIET), undefined);
  assert.equal(released(), 1);
});

Deno.test("neither work under way nor a request a moment ago is rest", () => {
  const { rest, released } = restOf();
  rest.look({ ...LONG, isWorking: true });
  rest.look({ ...QUIET, quietMs: 2999 });
  assert.equal(released(), 0);
  rest.look(QUIET);
  rest.look({ ...LONG, isWorking: true }); // embedding in the background goes on
  rest.look(QUIET);
  assert.deepEqual([released(), rest.isAtRest], [2, false]);
  rest.look(QUIET);
  rest.disturb();
  assert.equal(rest.isAtRest, false);
  rest.look(QUIET);
  assert.equal(released(), 3);
});

Deno.test("a daemon falls asleep once after a long rest, and again after the next", () => {
  const { rest, slept } = restOf();
  for (let i = 0; i < 3; i++) rest.look(QUIET);
  assert.equal(slept(), 0, "a short rest");
  for (let i = 0; i < 3; i++) rest.look(LONG);
  assert.deepEqual([slept(), rest.isAtRest], [1, true]);
  rest.disturb();
  for (let i = 0; i < 3; i++) rest.look(LONG);
  assert.equal(slept(), 2);
});

Deno.test("a daemon holds too much when it has grown by more than its vectors, and is over 300 MB", () => {
  const { lookAgain } = restOf();
  assert.equal(lookAgain(205), false);
  assert.equal(lookAgain(299), false, "under what any daemon may hold");
  assert.equal(lookAgain(301), true);
  assert.equal(lookAgain(340, 47), false, "the vectors of 20,000 passages");
  assert.equal(lookAgain(360, 47), true);
});

Deno.test("a daemon whose model alone takes more than 300 MB may grow by a third", () => {
  const { lookAgain } = restOf();
  assert.deepEqual([900, 1200, 1300].map((process) => lookAgain(process)), [false, false, true]);
});
