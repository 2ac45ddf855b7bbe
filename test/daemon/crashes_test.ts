// A daemon that dies without a word: the next one says so, and after some in a row it is put off.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffAfter } from "../../src/core/daemon/lifecycle.ts";
import { daemonPid, endDaemon, type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

function logOf(home: Home): Record<string, unknown>[] {
  const path = join(home.memoHome, "logs", "daemon.log");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
}

async function hook(home: Home): Promise<void> {
  assert.equal((await sendHook(home, "UserPromptSubmit")).stdout.trim(), "{}");
}

async function hasStarted(home: Home, time: string): Promise<void> {
  await until(time, () => {
    const last = logOf(home).at(-1);
    return daemonPid(home.memoHome) !== undefined && last?.["stopped"] === undefined;
  });
}

Deno.test("daemons that are killed in a row are told of in the log, and put off until asked for", async () => {
  await using home = makeHome();
  const crashes = join(home.memoHome, "run", "crashes");
  for (let times = 1; times <= 4; times++) {
    await hook(home);
    await hasStarted(home, `start ${times}`);
    await runMemo(home, ["daemon", "status"]); // it serves
    await endDaemon(home.memoHome, "SIGKILL");
  }
  const told = logOf(home).filter(({ found }) =>
    /was killed or ran out of memory/.test(`${found}`)
  );
  assert.deepEqual(told.map(({ times }) => times), [1, 2, 3]);
  assert.ok(told[2]!["nextNotBefore"]);
  await hook(home);
  await sleep(1000);
  assert.equal(daemonPid(home.memoHome), undefined, "it is put off");
  const findings: { name: string; detail: string; fix: string }[] = JSON.parse(
    (await runMemo(home, ["doctor", "--json", "--offline"])).stdout,
  );
  const { detail, fix } = findings.find(({ name }) => name === "daemon")!;
  assert.match(detail, /out of memory [34] times in a row; not restarted before \d\d:/);
  assert.match(fix, /memo daemon start/);

  const past = new Date(Date.now() - 1000);
  utimesSync(crashes, past, past);
  await hook(home);
  await hasStarted(home, "the time is over");
  await endDaemon(home.memoHome, "SIGKILL");
  assert.equal((await runMemo(home, ["daemon", "start"])).code, 0, "a person does not wait");
  await runMemo(home, ["daemon", "stop"]);
  assert.equal(existsSync(crashes), false, "one that ends as it should forgets them");
});

Deno.test("a daemon that was killed while it started keeps nobody from starting the next one", async () => {
  await using home = makeHome();
  const run = join(home.memoHome, "run");
  mkdirSync(run, { mode: 0o700 });
  writeFileSync(join(run, "start.lock"), "1073741824\n"); // no process has this id
  await succeed(home, ["daemon", "start"]);
});

Deno.test("a rest begins with the third death in a row, grows, and is never over ten minutes", () => {
  const rests = Array.from({ length: 20 }, (_, times) => backoffAfter(times));
  assert.deepEqual(rests.slice(0, 5), [0, 0, 0, 5000, 10_000]);
  assert.deepEqual(rests.toSorted((a, b) => a - b), rests);
  assert.equal(rests.at(-1), 600_000);
});
