import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkCaller } from "../../src/core/daemon/requests.ts";
import type { CaptureWorker } from "../../src/core/daemon/capture_worker.ts";
import { type MethodContext, METHODS } from "../../src/core/daemon/methods.ts";
import { runDeferred } from "../../src/core/daemon/server.ts";
import { OpenPage } from "../../src/core/daemon/page.ts";
import { Served } from "../../src/core/daemon/served.ts";
import { Sessions } from "../../src/core/daemon/sessions.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import type { Log } from "../../src/core/files/log.ts";
import { pathsFor } from "../../src/paths.ts";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { readFixture } from "../support/fixtures.ts";
import { type Home, makeHome } from "../support/home.ts";

/** Answers a hook as the daemon of a home does, and runs what waits for the answer to be out. */
async function answer(home: Home, input: Record<string, unknown>) {
  return await request(home, "hook", { input: { ...input, cwd: home.project } });
}

/** The same with any request. */
async function request(home: Home, method: string, fields: Record<string, unknown>) {
  const paths = pathsFor(home.env);
  const logged: Record<string, unknown>[] = [];
  const log: Log = (event, fields) => void logged.push({ event, ...fields });
  const later: ((isTaken: boolean) => unknown)[] = [];
  const engine = new Engine({ paths, env: home.env, log, background: false });
  const sessions = new Sessions(home.env, paths);
  const context: MethodContext = {
    engine,
    log,
    capture: { wake() {} } as Partial<CaptureWorker> as CaptureWorker,
    sessions,
    served: new Served(),
    page: new OpenPage({ load: () => Promise.reject(new Error("no page")), engine, sessions, log }),
    startedAt: 0,
    requests: () => 1,
    isAtRest: () => false,
    stop() {},
    defer: (work) => void later.push(work),
  };
  const output = await METHODS[method]!({ ...fields, claude: home.claude }, context);
  for (const work of later) await work(true);
  await engine.close();
  return { output, logged, receipts: readReceipts(paths.receipts, 10) };
}

Deno.test("a hook that fails is answered with nothing, logged, and leaves a receipt that says why", async () => {
  await using home = makeHome();
  const { capture, spareCapture } = pathsFor(home.env);
  for (const folder of [capture, spareCapture]) {
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, "no folder"); // the job can be kept nowhere
  }
  const { output, logged, receipts } = await answer(home, {
    ...readFixture("Stop"),
    transcript_path: `${home.claude}/projects/p/s1.jsonl`,
  });
  assert.deepEqual(output, {});
  assert.deepEqual(logged.map(({ event, name }) => [event, name]), [["hook", "Stop"]]);
  const [{ event, outcome, why }] = receipts as [typeof receipts[number]];
  assert.deepEqual([event, outcome], ["Stop", "failed"]);
  assert.match(why!, /ENOTDIR|EEXIST|not a directory/i);
});

Deno.test("a command is told of which folders it changed the daemon has written MEMORY.md", async () => {
  await using home = makeHome();
  const user = dirname(home.write("a.md", "---\nname: A\n---\n"));
  const elsewhere = dirname(home.write("elsewhere/b.md", "---\nname: B\n---\n"));
  const changed = [{ folder: user, paths: [join(user, "a.md")] }, { folder: elsewhere }];
  const { output } = await request(home, "sync", { cwd: home.project, changed });
  assert.deepEqual(output, { listed: [user] });
  assert.match(readFileSync(join(user, "MEMORY.md"), "utf8"), /\n- \[A\]\(a\.md\)\n$/);
  assert.deepEqual(readdirSync(elsewhere), ["b.md"]);
  const all = await request(home, "sync", { cwd: home.project });
  assert.deepEqual(all.output, { listed: [] });
});

Deno.test("a request that does not say who asks is refused before anything is remembered of it, r10", () => {
  const whole = { claude: "/h/.claude", projectDir: "/p", pid: 7, variables: {}, session: "s" };
  checkCaller(whole);
  checkCaller({ claude: "/h/.claude" });
  const wrong = [
    ...[null, [], {}, { claude: "here" }, { claude: ["/h"] }, { ...whole, cwd: 7 }],
    ...[{ ...whole, projectDir: {} }, { ...whole, pid: "7" }, { ...whole, variables: null }],
  ];
  for (const params of wrong) assert.throws(() => checkCaller(params), /is missing or malformed/);
});

Deno.test("work that an answer has left may fail: the rest of it runs, and the daemon goes on, r10", async () => {
  const done: string[] = [];
  const fail = () => {
    throw new Error("no");
  };
  const works = [fail, () => Promise.reject(new Error("neither")), () => done.push("done")];
  runDeferred(works, true, (_event, fields) => void done.push(String(fields?.["failed"])));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done.toSorted(), ["done", "neither", "no"]);
});
