import assert from "node:assert/strict";
import { DeliveryClaims, Prefetches } from "../../src/core/recall/pending.ts";
import type { Ranking } from "../../src/core/recall/retrieve.ts";
import { existsSync, statSync, utimesSync } from "node:fs";
import { hasMoment, markerOf } from "../../src/core/link/moments.ts";
import { mark, sweepMarkers } from "../../src/features/guard/moments.ts";
import { temporaryFolder } from "../support/temp.ts";

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

Deno.test("of two tools at once one brings a memory; another conversation is not concerned", () => {
  const told = new DeliveryClaims();
  const main = { session: "s", agent: undefined }, agent = { session: "s", agent: "a" };
  assert.equal(told.claim(main, ["/m/a.md", "x.ts"]), true);
  assert.equal(told.claim(main, ["/m/a.md", "y.ts"]), false);
  assert.equal(told.has(main, "y.ts"), false, "a refused claim takes nothing");
  assert.equal(told.claim(agent, ["/m/a.md", "x.ts"]), true);
  told.release(main, ["/m/a.md", "x.ts"]);
  assert.equal(told.claim(main, ["/m/a.md", "y.ts"]), true);
});

Deno.test("the oldest conversations are forgotten", () => {
  const told = new DeliveryClaims();
  for (let i = 0; i < 500; i++) told.claim({ session: `s${i}`, agent: undefined }, ["a"]);
  assert.equal(told.has({ session: "s0", agent: undefined }, "a"), false);
  assert.equal(told.has({ session: "s499", agent: undefined }, "a"), true);
});

const whereIn = (moments: string) => ({ claude: "/c", moments, projectDir: "/p" });

Deno.test("a marker is there as long as a project has something for a moment, for that project alone", async () => {
  using folder = temporaryFolder();
  const where = whereIn(folder.path);
  assert.equal(await hasMoment(where, ["file", "error", "guard"]), false);
  mark(where, { file: true, error: false, guard: true }, new Date());
  assert.equal(await hasMoment(where, ["file"]), true);
  assert.equal(await hasMoment(where, ["error"]), false);
  assert.equal(await hasMoment(where, ["error", "guard"]), true);
  assert.equal(await hasMoment({ ...where, projectDir: "/q" }, ["file"]), false);
  assert.equal(await hasMoment({ ...where, claude: "/d" }, ["file"]), false);
  mark(where, { file: false, error: false, guard: false }, new Date());
  assert.equal(await hasMoment(where, ["file", "guard"]), false);
});

Deno.test("a marker is written again only when it is a day old, and swept where nobody works", () => {
  using folder = temporaryFolder();
  const where = whereIn(folder.path);
  const present = { file: true, error: true, guard: false };
  const now = new Date(), path = markerOf(where, "file");
  const age = (days: number) => {
    const old = new Date(now.getTime() - days * 86_400_000);
    utimesSync(path, old, old);
  };
  mark(where, present, now);
  const { ino } = statSync(path);
  mark(where, present, now);
  assert.equal(statSync(path).ino, ino);
  age(2);
  mark(where, present, now);
  assert.ok(now.getTime() - statSync(path).mtimeMs < 86_400_000);
  age(200);
  sweepMarkers(folder.path, now);
  assert.deepEqual([existsSync(path), existsSync(markerOf(where, "error"))], [false, true]);
  sweepMarkers(`${folder.path}/none`, now);
});
