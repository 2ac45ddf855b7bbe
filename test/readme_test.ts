// No sentence of the front page is false: what its commands do is tested in examples_test.ts and tools/demo_test.ts, that
// they exist in cli/hints_test.ts, what its tables say in docs_test.ts; here, the figures that a person has written.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookReport } from "../bench/hook.ts";
import { NAMES_SERVERS } from "../src/install/versions.ts";
import { makeHome, MEMO, runMemo } from "./support/home.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const README = read("README.md").replace(/\s+/g, " ");
/** The page without what is generated, and without addresses. */
const WRITTEN = README.replace(/<!-- generated: [^]*?<!-- \/generated -->/g, "")
  .replace(/\]\([^)]*\)/g, "]");

Deno.test("the front page has only figures that are checked here", () => {
  const figures = WRITTEN.match(/(?<![\w.@-])\d+(?:[.,]\d+)*(?: ?(?:MB|GB|KB|ms|%|×))?/g) ?? [];
  assert.deepEqual(figures, [NAMES_SERVERS, "290 MB", "300 MB"]);
});

Deno.test("the front page counts the bugs as its table does", () => {
  assert.match(README, /Sixteen bugs .* three of the bugs are ours/);
  assert.match(README, /\| with memo +\| [\d, ]+ of 16 \|/);
  assert.equal(readdirSync(new URL("../bench/suites/tasks/tasks", import.meta.url)).length, 3);
});

Deno.test("the disk that the front page and docs/install.md ask for is what memo takes", async () => {
  await using home = makeHome({}, { isUnpacked: false });
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
  const { stores } = JSON.parse(read("bench/results/hook.json")) as HookReport;
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
