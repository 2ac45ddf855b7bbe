// Commands that look something up have the daemon answer, which is warm; without one they answer alike by themselves.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, runMemo, warmUp } from "../support/home.ts";

const PROMPT = "how do I install the packages of this repository?";
const NOTES = [
  "Use pnpm, never npm, to install packages",
  "The staging database listens on port 5433",
  "Webhooks of Stripe are retried for three days",
];

async function seeded(home: Home): Promise<void> {
  for (const note of NOTES) await runMemo(home, ["add", note]);
}

/** What each command prints, but for what passes. */
async function answers(home: Home): Promise<unknown[]> {
  const commands = [
    ["search", PROMPT, "--json"],
    ["search", "webhooks", "--type", "project", "--since", "1d", "--json"],
    ["search", "zzzqqq", "--all", "--json"],
    ["search", "--like", "pnpm", "--json"],
    ["recall", PROMPT],
    ["recall", PROMPT, "--json"],
    ["recall", "ok"],
  ];
  const all = [];
  for (const args of commands) {
    const { code, stdout, stderr } = await runMemo(home, args);
    all.push([args.join(" "), code, stdout.replace(/"timings": \{[^}]*\}/, ""), stderr]);
  }
  return all;
}

Deno.test("the daemon gives the answers that a command gives by itself, and the command loads no model", async () => {
  await using home = makeHome({ MEMO_LLM_PROVIDER: "none" }, { hasModel: true });
  await seeded(home);
  const own = await answers(home);
  assert.match(JSON.stringify(own), /never npm/);
  await warmUp(home);
  const status = async () =>
    JSON.parse((await runMemo(home, ["daemon", "status", "--json"])).stdout).requests;
  const log = join(home.memoHome, "logs", "daemon.log");
  const loads = () => readFileSync(log, "utf8").split('"event":"model"').length;
  const [requests, loaded] = [await status(), loads()];
  assert.deepEqual(await answers(home), own);
  assert.equal(await status(), requests + own.length);
  assert.equal(loads(), loaded);
});

Deno.test("memo recall without a model goes by words, as a prompt does, and says so", async () => {
  await using home = makeHome();
  await seeded(home);
  writeFileSync(join(home.memoHome, "config.yaml"), "model: /somebody/absent\n");
  const { code, stdout, stderr } = await runMemo(home, ["recall", "install packages with npm"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /never npm/);
  assert.match(stderr, /^warning: hybrid: .*somebody\/absent/m);
  assert.match((await runMemo(home, ["search", "stripe webhooks"])).stdout, /Webhooks of Stripe/);
});
