import assert from "node:assert/strict";
import { Engine } from "../../src/engine/engine.ts";
import { runUpkeep, UPKEEP, type UpkeepJob } from "../../src/engine/upkeep.ts";
import { placeIn } from "../../src/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome } from "../support/home.ts";

Deno.test("jobs run in order where their setting is on, and one that fails stops none of the others", async () => {
  await using home = makeHome({ MEMO_DREAM_ENABLED: "false", MEMO_SYNC_AUTO: "true" });
  const { env } = home, paths = pathsFor(env);
  const failed: unknown[] = [], ran: string[] = [];
  const log = (event: string, details = {}) => void failed.push([event, details]);
  const engine = new Engine({ paths, env, log, background: false });
  const stop = new AbortController();
  const place = placeIn(paths, home.project);
  const context = { engine, place, env, log, now: new Date(), signal: stop.signal };
  const job = (name: string, more: Partial<UpkeepJob> = {}): UpkeepJob => ({
    name,
    run: () => void ran.push(name),
    ...more,
  });
  await runUpkeep(context, [
    job("always"),
    job("off", { setting: "dream.enabled" }),
    job("broken", { run: () => Promise.reject(new Error("no disk")) }),
    job("on", { setting: "sync.auto" }),
    job("ends", { run: () => stop.abort() }),
    job("too late"),
  ]);
  await engine.close();
  assert.deepEqual(ran, ["always", "on"]);
  assert.deepEqual(failed, [["broken", { failed: "no disk" }]]);
});

Deno.test("sync is the last job, after everything that may write", () => {
  assert.deepEqual(UPKEEP.map(({ name }) => name), [
    ...["history", "briefing", "enrich", "dream", "sync"],
  ]);
});
