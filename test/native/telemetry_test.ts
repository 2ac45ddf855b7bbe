// With local strategies no process of memo looks up a name or opens a connection, and ONNX Runtime leaves no device id:
// the real executable under a tracer of system calls.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readFixture } from "../support/fixtures.ts";
import { daemonPid, type Home, makeHome, PATIENCE, runMemo } from "../support/home.ts";
import { obtainTracer, trace } from "../support/trace.ts";
import { until } from "../support/until.ts";

const tracer = obtainTracer();
if (tracer === undefined) console.error("There is no strace that may trace: its tests are ignored");

const KILN = "---\nname: Kiln\ntype: tool\n---\nThe kiln service has port 7070.\n";

const SUITE = fileURLToPath(new URL("../fixtures/suites/memo/toy", import.meta.url));

function furnished(): Home {
  const home = makeHome(PATIENCE, { hasModel: true });
  home.write("tool_kiln.md", KILN);
  return home;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["index"],
  ["recall", "which port has the kiln service"],
  ["search", "kiln"],
  ["bench", "recall", "--suite", SUITE],
];

for (const command of COMMANDS) {
  Deno.test({
    name: `memo ${command.slice(0, 2).join(" ")} looks up no name and connects nowhere`,
    ignore: tracer === undefined,
    fn: async () => {
      await using home = furnished();
      const { code, stdout, stderr, network } = await trace(home, command, { tracer: tracer! });
      assert.equal(code, 0, stderr);
      assert.match(stdout + stderr, /kiln|indexed|memor|q1|hybrid/i);
      assert.deepEqual(network, []);
      assert.deepEqual(deviceIds(home), []);
    },
  });
}

Deno.test({
  name: "a daemon that a hook starts looks up no name and connects nowhere in its whole life",
  ignore: tracer === undefined,
  fn: async () => {
    await using home = furnished();
    await runMemo(home, ["config", "set", "daemon.idle_minutes", "0.2"]);
    const prompt = (session: string) =>
      JSON.stringify({
        ...readFixture("UserPromptSubmit"),
        cwd: home.project,
        session_id: session,
        prompt: "which port has the kiln service",
      });
    const life = trace(home, ["hook"], { tracer: tracer!, stdin: prompt("s0") });
    while (daemonPid(home.memoHome) === undefined) await sleep(50);
    let session = 0;
    await until("a block", async () => {
      const { stdout } = await runMemo(home, ["hook"], { stdin: prompt(`s${session++}`) });
      return stdout.includes("7070");
    });
    const { calls, network } = await life;
    assert.ok(calls.some((call) => /bind\(.*memo\.sock/.test(call)), "the daemon was traced");
    assert.deepEqual(network, []);
    assert.deepEqual(deviceIds(home), []);
  },
});

Deno.test({
  name: "the tracer sees a name that is looked up",
  ignore: tracer === undefined,
  fn: async () => {
    await using home = makeHome({}, { hasModel: true });
    const { network } = await trace(
      home,
      ["eval", `await Deno.connect({ hostname: "memo.invalid", port: 80 }).catch(() => {})`],
      { tracer: tracer!, executable: Deno.execPath() },
    );
    assert.notDeepEqual(network, []);
  },
});

/** What ONNX Runtime knows a machine by, if it was left in a home. */
function deviceIds(home: Home): string[] {
  return readdirSync(home.root, { recursive: true, encoding: "utf8" })
    .filter((name) => /microsoft|deviceid/i.test(name));
}
