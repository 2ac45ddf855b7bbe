import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cursorOf } from "../../src/core/capture/cursor.ts";
import { type Pipeline } from "../../src/core/capture/work.ts";
import {
  type CaptureJob,
  enqueue,
  holdCapture,
  isStuck,
  readJobs,
} from "../../src/core/capture/queue.ts";
import { CaptureWorker } from "../../src/core/daemon/capture_worker.ts";
import type { CaptureNews } from "../../src/core/events/event.ts";
import { MemoError } from "../../src/errors.ts";
import { LoginRefused } from "../../src/core/llm/mod.ts";
import { temporaryFolder } from "../support/temp.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/transcripts/bugfix.jsonl", import.meta.url));
const NOW = new Date("2026-11-21T12:00:00Z");
const PLACE = { cwd: "/home/dev", claude: "/home/dev/.claude" };

/** A plan that changes nothing. */
const NOTHING = Promise.resolve({ changes: [] });

/** A worker in a folder where some conversations wait; `plan` is the pipeline's. */
function setUp(root: string, names: readonly string[], plan: Pipeline["plan"], isOn = true) {
  const folder = join(root, "capture");
  let now = NOW;
  for (const [place, name] of names.entries()) {
    const transcript = join(root, name, "s.jsonl");
    mkdirSync(join(root, name));
    copyFileSync(FIXTURE, transcript);
    const queuedAt = new Date(NOW.getTime() + place - names.length);
    enqueue(folder, { ...PLACE, transcript, isOver: true }, queuedAt);
  }
  const worker = new CaptureWorker({
    afterCapture: () => Promise.resolve(),
    folder,
    off: { home: root },
    pipeline: { plan, apply: () => Promise.resolve() },
    log: () => {},
    envFor: ({ transcript }) => ({ LOGIN: loginIn(transcript) }),
    loginOf: (_, { LOGIN = "" }) => LOGIN,
    isEnabled: () => isOn,
    yieldToPrompts: () => Promise.resolve(),
    now: () => now,
  });
  return {
    worker,
    folder,
    jobs: () => readJobs(folder),
    later: (ms: number) => now = new Date(now.getTime() + ms),
    /** Wakes the worker, and waits until it has done what it can. */
    async work(news?: CaptureNews) {
      worker.wake(news);
      while (worker.isBusy()) await sleep(5);
    },
  };
}

/** The login of a conversation: what stands before a dash in its folder's name, or one for all. */
function loginIn(transcript: string): string {
  return /([^/]+)-[^/]+\/s\.jsonl$/.exec(transcript)?.[1] ?? "one";
}

/** Notes whose conversation is asked about: its summary is asked about by itself. */
function noteIn(asked: string[], transcript: string): void {
  const name = basename(dirname(transcript));
  if (asked.at(-1) !== name) asked.push(name);
}

const refused = () => new LoginRefused("llm", "It refused the API key");
const unreachable = () => new MemoError("llm", "Cannot reach it", { hint: "Run `memo doctor`" });

Deno.test("a login that fails rests with all its conversations, longer each time, and the others go on", async () => {
  using folder = temporaryFolder();
  const asked: string[] = [];
  const names = ["dead-1", "dead-2", "good-1", "dead-3", "good-2"];
  const { worker, jobs, later, work } = setUp(folder.path, names, (_turns, { transcript }) => {
    noteIn(asked, transcript);
    return loginIn(transcript) === "dead" ? Promise.reject(unreachable()) : NOTHING;
  });
  await work();
  assert.deepEqual(asked, ["dead-1", "good-1", "good-2"]);
  assert.deepEqual(jobs().map(({ failure }) => failure?.login), ["dead", "dead", "dead"]);
  for (const [minutes, tried] of [[1, "dead-2"], [2, "dead-3"], [4, "dead-1"]] as const) {
    later(minutes * 60_000 - 1);
    await work();
    assert.equal(asked.length, 3, "its rest is not over");
    later(1);
    await work();
    assert.deepEqual(asked.splice(3), [tried], "a different one each time");
  }
  assert.deepEqual(jobs().map(({ attempts }) => attempts), [0, 0, 0]);
  assert.equal(worker.isBusy(), false, "it keeps no daemon alive");
});

Deno.test("a refused login is worth a word with its first failure, and one that fails with its second", async () => {
  for (const [error, isRefusal] of [[unreachable(), false], [refused(), true]] as const) {
    using folder = temporaryFolder();
    const { worker, work, jobs } = setUp(folder.path, ["a", "b"], () => Promise.reject(error));
    await work();
    await worker.close(1000);
    assert.deepEqual(jobs().map(isStuck), [isRefusal, isRefusal]);
  }
});

Deno.test("a conversation that fails where its login serves the others rests alone", async () => {
  using folder = temporaryFolder();
  const asked: string[] = [];
  const names = ["a", "b", "c"];
  const { jobs, later, work } = setUp(folder.path, names, (_turns, { transcript }) => {
    noteIn(asked, transcript);
    return transcript.includes("/a/") ? Promise.reject(unreachable()) : NOTHING;
  });
  await work();
  assert.deepEqual(asked, ["a"]);
  later(60_000);
  await work();
  assert.deepEqual(asked, ["a", "b", "c", "a"]);
  const [{ attempts, failure }] = jobs() as [CaptureJob];
  assert.deepEqual([jobs().length, attempts, failure?.login], [1, 1, undefined]);
});

Deno.test("the rest of a login goes on in the next daemon", async () => {
  using folder = temporaryFolder();
  const first = setUp(folder.path, ["dead-1", "dead-2"], () => Promise.reject(unreachable()));
  await first.work();
  const second = setUp(folder.path, ["good-1"], (_turns, { transcript }) => {
    assert.match(transcript, /good-1/);
    return NOTHING;
  });
  await second.work();
  assert.deepEqual(second.jobs().map(({ failure }) => failure?.login), ["dead", "dead"]);
});

Deno.test("when nobody can be asked, one conversation finds out for all, and a session's start asks again", async () => {
  using folder = temporaryFolder();
  let [asked, isUp] = [0, false];
  const { jobs, later, work } = setUp(folder.path, ["a", "b", "c"], () => {
    asked++;
    return isUp
      ? NOTHING
      : Promise.reject(new MemoError("timeout", "No answer", { hint: "Run `memo doctor`" }));
  });
  await work();
  assert.deepEqual([asked, jobs().length], [1, 3]);
  assert.deepEqual(jobs().map(({ failure }) => failure?.message), Array(3).fill("No answer"));
  await work();
  assert.equal(asked, 1, "the wait is not over");
  later(60_000);
  await work();
  assert.equal(asked, 2);
  isUp = true;
  await work({ isFresh: true });
  assert.deepEqual(jobs(), []);
});

Deno.test("a short turn that waits for more is captured as the session's start finds it, with what was said last", async () => {
  for (const isKilled of [false, true]) {
    using folder = temporaryFolder();
    const told: string[][] = [];
    const plan: Pipeline["plan"] = (turns) => {
      told.push(turns.map(({ prompt, steps }) => JSON.stringify([prompt, ...steps])));
      return NOTHING;
    };
    const first = setUp(folder.path, [], plan);
    const transcript = join(folder.path, "s.jsonl");
    const timestamp = "2026-11-21T11:59:00Z";
    const [type, message] = ["user", { role: "user", content: "Only tabs, please" }];
    writeFileSync(
      transcript,
      JSON.stringify({ type, uuid: "u-1", timestamp, cwd: PLACE.cwd, message }) + "\n",
    );
    enqueue(first.folder, { ...PLACE, transcript, isOver: true, mayWait: true }, NOW);
    await first.work({ said: { transcript, text: "Tabs it is" } });
    assert.deepEqual([told.length, first.jobs().length], [0, 1]);
    const { work, jobs } = isKilled ? setUp(folder.path, [], plan) : first;
    await work({ isFresh: true });
    assert.equal(told.length, 1);
    assert.match(told[0]!.join(), isKilled ? /Only tabs/ : /Only tabs.*Tabs it is/);
    assert.deepEqual(jobs(), []);
  }
});

Deno.test("a conversation that fails for a reason of its own does not hold up the others", async () => {
  using folder = temporaryFolder();
  const { jobs, work } = setUp(
    folder.path,
    ["a", "b"],
    (_turns, { transcript }) =>
      transcript.includes("/a/") ? Promise.reject(new Error("odd transcript")) : NOTHING,
  );
  await work();
  assert.deepEqual(jobs().map(({ failure }) => failure?.message), ["odd transcript"]);
});

Deno.test("a worker that is closed gives up its question, and the conversation waits for the next daemon", async () => {
  using folder = temporaryFolder();
  const asked = Promise.withResolvers<void>();
  const { worker, jobs } = setUp(
    folder.path,
    ["a"],
    (_turns, { signal }) => {
      asked.resolve();
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    },
  );
  worker.wake();
  await asked.promise;
  assert.equal(worker.isBusy(), true);
  await worker.close(5000);
  const [job] = jobs();
  assert.deepEqual([job!.attempts, job!.failure], [0, undefined]);
});

Deno.test("a job for a place where capture is off is passed over", async () => {
  using folder = temporaryFolder();
  const { work, jobs, folder: capture } = setUp(
    folder.path,
    ["a"],
    () => assert.fail("asked"),
    false,
  );
  const { transcript } = jobs()[0]!;
  await work();
  assert.deepEqual(jobs(), []);
  assert.ok(cursorOf(capture, { ...PLACE, transcript }).offset > 0);
});

Deno.test("while another process captures, everything waits", async () => {
  using folder = temporaryFolder();
  let asked = false;
  const { worker, work, jobs, folder: capture } = setUp(folder.path, ["a"], () => {
    asked = true;
    return NOTHING;
  });
  const release = holdCapture(capture)!;
  assert.equal(holdCapture(capture), undefined);
  worker.wake();
  await sleep(50);
  assert.deepEqual([asked, jobs().length], [false, 1]);
  release();
  await work();
  assert.deepEqual([asked, jobs().length], [true, 0]);
});
