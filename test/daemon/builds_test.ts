// Two builds of memo in one home, in turns, with real executables.

import assert from "node:assert/strict";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compareVersions } from "../../src/core/link/builds.ts";
import {
  daemonPid,
  daemonsOf,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
  warmUp,
} from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { buildOf } from "../../tools/reliability/raw.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;
const KILN = "---\nname: Kiln\ndescription: Kiln\ntype: tool\n---\nThe kiln's port is 7070.\n";

/** A home whose daemon is the usual build's. */
async function started(): Promise<Home> {
  const home = makeHome(PATIENCE);
  home.write("tool_kiln.md", KILN);
  await warmUp(home);
  return home;
}

/** The executable as another build: its name, which has the same length, stands in it as text. */
function anotherBuild(home: Home, rename: (build: string) => string): string {
  const build = buildOf(home.memoHome);
  const bytes = readFileSync(MEMO);
  const name = Buffer.from(rename(build));
  assert.equal(name.length, build.length);
  for (let at = bytes.indexOf(build); at >= 0; at = bytes.indexOf(build, at)) name.copy(bytes, at);
  const executable = join(home.root, `memo-${name}`);
  writeFileSync(executable, bytes, { mode: 0o755 });
  return executable;
}

let sessions = 0;
/** The block that a prompt gets. */
async function ask(home: Home, executable: string): Promise<string> {
  const fields = { session_id: `s${sessions++}`, prompt: "which port has the kiln" };
  return (await sendHook(home, "UserPromptSubmit", fields, { executable })).block;
}

/** Waits until the daemon is another one, and returns its process id. */
async function successor(home: Home, before: number | undefined): Promise<number> {
  return await until("another daemon", () => {
    const pid = daemonPid(home.memoHome);
    return pid !== before && pid;
  });
}

/** Sends prompts of all executables in turns; each one is answered. */
async function inTurns(home: Home, executables: readonly string[]): Promise<void> {
  for (let round = 0; round < 4; round++) {
    for (const executable of executables) assert.match(await ask(home, executable), /7070/);
  }
  await sleep(500); // a daemon that was started would be there by now
}

Deno.test("a newer build takes the daemon over once, and answers the older one from then on, r10", async () => {
  await using home = await started();
  const first = daemonPid(home.memoHome);
  const newer = anotherBuild(home, (build) => build.replace(/^\d/, "9"));
  assert.match(await ask(home, newer), /7070/, "the older daemon answers once more");
  const second = await successor(home, first);
  await inTurns(home, [MEMO, newer]);
  assert.deepEqual(daemonsOf(home.memoHome), [second]);
  const { stdout } = await runMemo(home, ["daemon", "restart"]);
  assert.equal(stdout, "");
  assert.notEqual(daemonPid(home.memoHome), second, "whoever asks for it gets the older one back");
});

Deno.test("builds of one version replace each other's daemon once in ten minutes, r10", async () => {
  await using home = await started();
  const first = daemonPid(home.memoHome);
  const other = anotherBuild(
    home,
    (build) => build.replace(/-.*$/, (hash) => hash.replace(/[^-]/g, "f")),
  );
  assert.match(await ask(home, other), /7070/);
  const second = await successor(home, first);
  await inTurns(home, [MEMO, other]);
  assert.deepEqual(daemonsOf(home.memoHome), [second]);
  const longAgo = new Date(Date.now() - 11 * MINUTE);
  utimesSync(join(home.memoHome, "run", "takeover"), longAgo, longAgo);
  await ask(home, MEMO);
  await successor(home, second);
});

Deno.test("compareVersions() orders by number, and a version before its release first", () => {
  const sorted = ["0.9.9", "0.10.0-rc.2", "0.10.0-rc.10", "0.10.0", "1.0.0"];
  assert.deepEqual(sorted.toReversed().sort(compareVersions), sorted);
});
