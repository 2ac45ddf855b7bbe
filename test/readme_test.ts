// No sentence of the front page is false: what its commands do is tested in examples_test.ts and tools/demo_test.ts, that
// they exist in cli/hints_test.ts; here, that its figures are those of bench/results.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookReport } from "../bench/hook.ts";
import { spreadOf } from "../bench/latency.ts";
import { percent, type Share } from "../bench/share.ts";
import { NAMES_SERVERS } from "../src/install/versions.ts";
import type { GrowthReport } from "../tools/bench/growth/report.ts";
import type { DialogueRow } from "../tools/bench/memorycode/bench.ts";
import type { RetentionReport } from "../tools/bench/retention/report.ts";
import { saySamples, type TasksReport } from "../tools/bench/tasks/report.ts";
import { makeHome, MEMO, runMemo } from "./support/home.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const results = <Report>(name: string) => JSON.parse(read(`bench/results/${name}.json`)) as Report;
const README = read("README.md").replace(/\s+/g, " ");
/** The page without its part on measurements, and without addresses. */
const WRITTEN = README.replace(/## How well, how fast [^]*? ## More /, "")
  .replace(/\]\([^)]*\)/g, "]");

Deno.test("the front page has only figures that are checked here", () => {
  const figures = WRITTEN.match(/(?<![\w.@-])\d+(?:[.,]\d+)*(?: ?(?:MB|GB|KB|ms|%|×))?/g) ?? [];
  assert.deepEqual(figures, [NAMES_SERVERS, "290 MB", "300 MB"]);
});

Deno.test("the front page says of the agent's tasks what was measured", () => {
  const { arms, memories, conversations, decoys } = results<TasksReport>("tasks");
  for (const { what, samples, parts } of arms) {
    assertSaid(`| ${what} | ${saySamples(samples)} | ${percent(parts)} |`);
  }
  assertSaid(
    `${memories} memories, written by a language model from ${conversations} conversations`,
  );
  assertSaid(`${decoys} of which have nothing to do with the bugs`);
  assert.match(README, /Sixteen bugs .* three of the bugs are ours/);
  assert.equal(readdirSync(new URL("../bench/suites/tasks/tasks", import.meta.url)).length, 3);
});

Deno.test("the front page says of rules that change, and of later prompts, what was measured", () => {
  const last = results<{ readonly rows: readonly DialogueRow[] }>("memorycode").rows
    .map(({ standing }) => standing.at(-1)!);
  assertSaid(`${sum(last.map(({ inContext }) => inContext))} rules in force`);
  assertSaid(`${sum(last.map(({ outdated }) => outdated))} outdated ones`);
  const { kept, rows } = results<RetentionReport>("retention");
  const amongMany = results<GrowthReport>("growth").rows
    .find(({ suite, notes }) => suite === "retention" && notes === 300)!;
  for (const { preset, served, asked } of rows) {
    const { prompts, withPrompt, precision, stale } = served;
    const among = preset === "local" ? percent(amongMany.served.inContext) : "–";
    const cost = asked.usd === 0 ? "nothing" : `$${(asked.usd / prompts).toFixed(4)}`;
    const shares = [percent(withPrompt.all), among, percent(precision.all), percent(stale)];
    assertSaid(`| \`${preset}\` | ${[...shares, cost].join(" | ")} |`);
    assertSaid(`${prompts} prompts; ${kept!.memories} memories`);
  }
});

Deno.test("the front page says of the hook what was measured", () => {
  const { runs, stores } = results<HookReport>("hook");
  assertSaid(`at the median of ${runs} prompts`);
  for (const { memories, series, rssBytes } of stores.filter(({ memories }) => memories >= 1000)) {
    const { p50 } = spreadOf(series.find(({ name }) => name === "warm")!.ms);
    assertSaid(
      `with ${memories.toLocaleString("en-US")} memories a prompt waits ${p50.toFixed(1)}`,
    );
    assertSaid(`the daemon holds ${(rssBytes! / 1e6).toFixed(0)} MB`);
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

Deno.test("the memory that the front page asks for is more than the bench has measured", () => {
  const { stores } = results<HookReport>("hook");
  const most = Math.max(...stores.map(({ rssBytes }) => rssBytes! / 1e6));
  const asked = Number(/(\d+) MB of\s+memory/.exec(README)?.[1]);
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

function assertSaid(figures: string): void {
  assert.ok(README.includes(figures), `README.md does not say: ${figures}`);
}

function sum(shares: readonly Share[]): string {
  const total = (field: keyof Share) => shares.reduce((all, share) => all + share[field], 0);
  return `${total("n")} of ${total("of")}`;
}

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
