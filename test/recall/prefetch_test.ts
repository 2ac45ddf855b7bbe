import assert from "node:assert/strict";
import { Prefetches } from "../../src/core/recall/prefetch.ts";
import type { Ranking } from "../../src/core/recall/retrieve.ts";

const RANKING: Ranking = { strategy: "sidequery", hits: [], ms: 0, failures: [] };

/** A prefetch that settles when it is told to. */
function asked() {
  const { promise, resolve } = Promise.withResolvers<Ranking>();
  const abort = new AbortController();
  const settle = async () => {
    resolve(RANKING);
    await promise;
    await Promise.resolve();
  };
  return { prefetch: { rankings: [promise], terms: ["pnpm"], promptId: "p1", abort }, settle };
}

Deno.test("a prefetch is taken once it has settled, and only once", async () => {
  const prefetches = new Prefetches();
  const { prefetch, settle } = asked();
  prefetches.start("a", prefetch);
  assert.equal(prefetches.take("a"), undefined);
  await settle();
  assert.equal(prefetches.take("b"), undefined);
  assert.deepEqual(prefetches.take("a"), {
    rankings: [RANKING],
    terms: ["pnpm"],
    promptId: "p1",
  });
  assert.equal(prefetches.take("a"), undefined);
});

Deno.test("a newer prompt and the session's end stop what was asked before", async () => {
  const prefetches = new Prefetches();
  const [first, second] = [asked(), asked()];
  prefetches.start("a", first.prefetch);
  prefetches.start("a", second.prefetch);
  assert.ok(first.prefetch.abort.signal.aborted && !second.prefetch.abort.signal.aborted);
  await first.settle();
  assert.equal(prefetches.take("a"), undefined);
  prefetches.cancel("a");
  assert.ok(second.prefetch.abort.signal.aborted);
  await second.settle();
  assert.equal(prefetches.take("a"), undefined);
});
