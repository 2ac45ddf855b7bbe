// No sentence of the front page is false: what its commands do is tested in examples_test.ts, stranger_test.ts and
// tools/demo_test.ts; here, that its figures, and those of bench/README.md, are those of bench/results.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookReport } from "../bench/hook.ts";
import { spreadOf } from "../bench/latency.ts";
import type { RecallReport } from "../bench/recall_report.ts";
import { percent } from "../bench/share.ts";
import { SETTINGS } from "../src/core/settings/table.ts";
import type { RetentionReport } from "../tools/bench/retention/report.ts";
import { formatSamples, type TasksReport } from "../tools/bench/tasks/report.ts";
import { makeHome, MEMO, runMemo } from "./support/home.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const results = <Report>(name: string) => JSON.parse(read(`bench/results/${name}.json`)) as Report;
const README = read("README.md").replace(/\s+/g, " ");
const BENCH = read("bench/README.md").replace(/ +/g, " ");
/** The page without its part on measurements, and without addresses. */
const WRITTEN = README.replace(/## Accuracy [^]*? ## When not /, "")
  .replace(/\]\([^)]*\)/g, "]");

Deno.test("the front page has only figures that are checked here", () => {
  const figures = WRITTEN.match(/(?<![\w.@-])\d+(?:[.,]\d+)*(?: ?(?:MB|GB|KB|ms|%|×))?/g) ?? [];
  assert.deepEqual(figures, ["2,400", "9,500", "290 MB", "300 MB"]);
});

Deno.test("the front page's figure is what `memo bench recall` prints", () => {
  const { memories, prompts, strategies } = results<RecallReport>("coding-agent");
  const { measures } = strategies.find(({ strategy }) => strategy === "hybrid")!;
  const share = Math.round(100 * measures["hit@5"]!);
  assert.match(
    README,
    new RegExp(
      `We asked ${prompts.answerable} questions .* one of ${memories} memories, .* For ${share}%, the answer is in memo's top five`,
    ),
  );
});

Deno.test("bench/README.md says of the agent's tasks what was measured", () => {
  const { arms, memories, conversations, decoys } = results<TasksReport>("tasks");
  for (const { what, samples, parts } of arms) {
    assert.ok(BENCH.includes(`| ${what} | ${parts.n} of ${parts.of} |`), what);
    assert.ok(BENCH.includes(`| ${formatSamples(samples)} |`), what);
  }
  assert.ok(BENCH.includes(`${conversations} conversations, ${decoys} of which decide nothing`));
  assert.ok(BENCH.includes(`: ${memories} memories.`));
});

Deno.test("bench/README.md says of later prompts, and of the hook, what was measured", () => {
  for (const { preset, served } of results<RetentionReport>("retention").rows) {
    const { withPrompt, precision, stale } = served;
    const row = BENCH.split("\n").find((line) => line.startsWith(`| \`${preset}\` |`))!;
    for (const share of [withPrompt.all, precision.all, stale]) {
      assert.ok(row.includes(percent(share)), `${row} does not say ${percent(share)}`);
    }
  }
  for (const { memories, series } of results<HookReport>("hook").stores) {
    const { p50, p95 } = spreadOf(series.find(({ name }) => name === "warm")!.ms);
    const said = `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
    const row = BENCH.split("\n").find((line) => line.startsWith("| prompt, warm |"))!;
    assert.ok(row.includes(said), `${memories}: ${said}`);
  }
});

Deno.test("the disk that the front page and docs/install.md ask for is what memo takes", async () => {
  await using home = makeHome({}, { isUnpacked: false, hasModel: true });
  await runMemo(home, ["add", "Use pnpm, never npm"]);
  await runMemo(home, ["search", "pnpm"]); // unpacks what it needs
  const executable = statSync(MEMO).size / 1e6;
  const unpacked = sizeOf(join(home.memoHome, "runtime")) / 1e6;
  const said = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const install = read("docs/install.md");
  assertNear(said(README, /(\d+) MB of disk/), executable + unpacked);
  assertNear(said(install, /one executable of (\d+) MB/), executable);
  assertNear(said(install, /folder \((\d+) MB\)/), unpacked);
});

Deno.test("the cost of a session that the front page names is the setting's default", () => {
  const characters = Number(SETTINGS.find(({ key }) => key === "recall.start_chars")!.default);
  const said = `about ${(100 * Math.round(characters / 400)).toLocaleString("en-US")} tokens`;
  assert.ok(README.includes(said), said);
  assert.ok(README.includes(`${characters.toLocaleString("en-US")} characters`));
});

Deno.test("the memory that the front page asks for is more than the bench has measured", () => {
  const { stores } = results<HookReport>("hook");
  const most = Math.max(...stores.map(({ rssBytes }) => rssBytes! / 1e6));
  const asked = Number(/(\d+) MB of RAM/.exec(README)?.[1]);
  assert.ok(asked >= most && asked < 1.5 * most, `${asked} is said, ${most} was measured`);
});

Deno.test("the front page builds with the Deno that the gate has, and the runs of it that need no network are tests", () => {
  const gate = /deno@([\d.]+)/.exec(read(".ci/run"))![1];
  const named = [...README.matchAll(/deno@([\d.]+) task (\w+)/g)];
  assert.deepEqual(named.map(([, version]) => version), named.map(() => gate));
  const { tasks } = JSON.parse(read("deno.json"));
  for (const [, , task] of named) assert.ok(task! in tasks, `no task ${task}`);
  assert.ok(existsSync(new URL("tools/demo_test.ts", import.meta.url)));
});

/** What is said may be this far from what is. */
const NEAR = 0.1;

function assertNear(said: number, measured: number): void {
  assert.ok(Math.abs(said / measured - 1) <= NEAR, `${said} MB is said, ${measured} was measured`);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)))
    .filter(({ ino }) => ino !== statSync(MEMO).ino) // the weights are used from the executable
    .reduce((sum, { size }) => sum + size, 0);
}
