// A daemon that needs more memory than it may have, for real: in a control group with a limit, which the system enforces
// by killing.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Home, makeHome, MEMO, PATIENCE, runMemo, succeed } from "../support/home.ts";
import { askHook } from "../support/send_hook.ts";
import type { Finished } from "../support/run.ts";

/** Not enough for a model, not even for one whose weights are mapped. */
const LIMIT = 60_000_000;
const KILN = "---\nname: Kiln\ndescription: Kiln\ntype: tool\n---\nThe kiln's port is 7070.\n";

/** A control group with a limit on memory; undefined where this user may make none. */
function makeGroup(): (AsyncDisposable & { readonly procs: string }) | undefined {
  const roots = [["/sys/fs/cgroup/memory", "memory.limit_in_bytes"], [
    "/sys/fs/cgroup",
    "memory.max",
  ]];
  for (const [root, limit] of roots as [string, string][]) {
    const folder = join(root, `memo-test-${process.pid}`);
    try {
      mkdirSync(folder);
      if (!existsSync(join(folder, limit))) throw new Error("it has no such limit");
      writeFileSync(join(folder, limit), String(LIMIT));
      return { procs: join(folder, "cgroup.procs"), [Symbol.asyncDispose]: () => remove(folder) };
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
    }
  }
  return undefined;
}

/** Removes a group, once the last process in it has gone. */
async function remove(folder: string): Promise<void> {
  for (let tries = 0; existsSync(folder); tries++) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(50);
    }
  }
}

const probe = makeGroup();
await probe?.[Symbol.asyncDispose]();

/** Runs the daemon within the limit, as a hook starts it: a hook of its own there would be killed in its place at times. */
function runDaemon(home: Home, procs: string): Promise<Finished> {
  return runMemo(home, ["-c", `echo $$ > ${procs} && exec ${MEMO} daemon run`], {
    executable: "/bin/sh",
  });
}

function logOf(home: Home): string {
  const path = join(home.memoHome, "logs", "daemon.log");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

Deno.test({
  name:
    "a daemon that dies of memory is put off, prompts are answered, and the doctor says what to do, r10",
  ignore: probe === undefined,
  async fn() {
    await using group = makeGroup()!;
    await using home = makeHome(PATIENCE, { hasModel: true });
    home.write("tool_kiln.md", KILN);
    await succeed(home, ["index"]);
    for (let run = 1; run <= 4; run++) { // each counts the deaths before it
      const { code } = await runDaemon(home, group.procs);
      assert.notEqual(code, 0, `run ${run} did not die`);
    }
    assert.match(logOf(home), /was killed, or ran out of memory.*"times":3.*nextNotBefore/);
    const later = new Date(Date.now() + 60_000); // the machine may be busy for longer than it is put off
    utimesSync(join(home.memoHome, "run", "crashes"), later, later);
    assert.match(await askHook(home, "which port has the kiln"), /7070/, "outside the limit");
    const { stdout } = await runMemo(home, ["doctor", "--json"]);
    const findings: { name: string; detail: string; fix: string }[] = JSON.parse(stdout);
    const { detail, fix } = findings.find(({ name }) => name === "daemon")!;
    assert.match(detail, /out of memory, [34] times in a row; not started before \d\d:/);
    assert.match(fix, /memo daemon start/);
  },
});
