import assert from "node:assert/strict";
import { Engine } from "../../src/core/engine/engine.ts";
import { type BackgroundJob, runJobs } from "../../src/core/engine/jobs.ts";
import { FEATURES } from "../../src/features.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome } from "../support/home.ts";

Deno.test("jobs run in order where their setting is on, and one that fails stops none of the others", async () => {
  await using home = makeHome({ MEMO_DREAM_ENABLED: "false", MEMO_BRIEFING_REFRESH: "true" });
  const { env } = home, paths = pathsFor(env);
  const failed: unknown[] = [], ran: string[] = [];
  const log = (event: string, details = {}) => void failed.push([event, details]);
  const stop = new AbortController();
  const job = (name: string, more: Partial<BackgroundJob> = {}): BackgroundJob => ({
    name,
    after: ["capture"],
    run: () => void ran.push(name),
    ...more,
  });
  const jobs = [
    job("always"),
    job("off", { setting: "dream.enabled" }),
    job("elsewhere", { after: ["SessionStart"] }),
    job("broken", { run: () => Promise.reject(new Error("no disk")) }),
    job("on", { setting: "briefing.refresh" }),
    job("ends", { run: () => stop.abort() }),
    job("too late"),
  ];
  const engine = new Engine({ paths, env, log, background: false, features: { jobs } });
  const place = placeIn(paths, home.project), { signal } = stop;
  await runJobs({ engine, place, env, log, now: new Date(), signal, after: "capture" });
  await engine.close();
  assert.deepEqual(ran, ["always", "on"]);
  assert.deepEqual(failed, [["broken", { failed: "no disk" }]]);
});

Deno.test("sync is the last job, after everything that may write", () => {
  const jobs: readonly BackgroundJob[] = FEATURES.jobs;
  assert.equal(jobs.at(-1)?.name, "sync");
});
