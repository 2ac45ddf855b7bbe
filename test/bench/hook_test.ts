// The bench of the hook with the real executable; what is checked is that it measures, not how fast it is.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type HookReport, SERIES } from "../../bench/hook.ts";
import { makeHome, MEMO, succeed } from "../support/home.ts";
import { MINILM } from "../support/minilm.ts";

Deno.test("memo bench hook measures every series, and leaves nothing behind", async () => {
  await using home = makeHome({ MEMO_MODEL: MINILM }, { hasModel: true });
  const file = join(home.root, "results", "hook.json");
  const sizes = ["--memories", "20", "--runs", "3", "--sessions", "1,2"];
  const stdout = await succeed(home, ["bench", "hook", ...sizes, "--json", file]);

  const report: HookReport = JSON.parse(readFileSync(file, "utf8"));
  const [store] = report.stores;
  assert.equal(store!.memories, 20);
  assert.match(store!.model!, /^local\/all-MiniLM-L6-v2@/, "the model that is set");
  const expected = Object.keys(SERIES).filter((name) => name !== "node" || report.machine.node);
  assert.deepEqual(store!.series.map(({ name }) => name), expected);
  for (const { name, ms } of store!.series) {
    assert.equal(ms.length, 3, name);
    assert.ok(ms.every((time) => time > 0), name);
  }
  assert.ok(store!.series.find(({ name }) => name === "warm")!.blocks! > 0);
  assert.deepEqual(store!.atOnce.map(({ sessions, ms }) => [sessions, ms.length]), [[1, 3], [
    2,
    4,
  ]]);
  assert.equal(Object.values(store!.outcomes).reduce((sum, count) => sum + count), 3);
  assert.equal(store!.startTexts, 1, "every start has the same text");
  assert.ok(store!.rssBytes! > 0 && store!.index!.passages >= 20);
  for (const title of Object.values(SERIES).slice(1)) assert.ok(stdout.includes(title), title);

  const left = readdirSync(home.env["TMPDIR"]!).filter((name) => name.startsWith("memo-bench-"));
  assert.deepEqual(left, []);
});

Deno.test("memo bench hook prints what it has when it is interrupted, and leaves nothing behind", async () => {
  await using home = makeHome({}, { hasModel: true });
  const child = spawn(MEMO, ["bench", "hook", "--memories", "6000,20"], {
    cwd: home.project,
    env: home.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "", stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const ended = once(child, "close");
  while (!stderr.includes(" of 6000") && child.exitCode === null) await sleep(50);
  process.kill(child.pid!, "SIGTERM"); // by `child.kill` Deno would take the signal for how it ended
  const [code, signal] = await ended;
  assert.deepEqual([code, signal], [130, null], stderr);
  assert.match(stdout, /Interrupted/);
  assert.match(stdout, /6000 memories/);
  assert.ok(!/^20 memories/m.test(stdout), "the second store is not begun");
  const left = readdirSync(home.env["TMPDIR"]!).filter((name) => name.startsWith("memo-bench-"));
  assert.deepEqual(left, []);
});
