import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  advance,
  capturedBeside,
  cursorOf,
  leftBehind,
  noteSession,
  saveCursor,
  sweepCursors,
} from "../../src/core/capture/cursor.ts";
import {
  defer,
  dropExcess,
  enqueue,
  findJob,
  finish,
  isDue,
  noteDropped,
  putOff,
  readDropped,
  readJobs,
  tryNow,
  waitAfter,
} from "../../src/core/capture/queue.ts";
import { temporaryFolder } from "../support/temp.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const DAY = 86_400_000;
const PLACE = { cwd: "/home/dev", claude: "/home/dev/.claude" };
const trigger = (transcript: string, isOver = true) => ({ ...PLACE, transcript, isOver });
/** No process has this id. */
const DEAD = 2 ** 30;

Deno.test("later triggers join the job that waits, in a file for its owner alone", () => {
  using folder = temporaryFolder();
  enqueue(folder.path, trigger("/t/s1.jsonl"), NOW);
  enqueue(folder.path, trigger("/t/s1.jsonl", false), later(1000));
  enqueue(folder.path, trigger("/t/s2.jsonl", false), later(2000));
  const [first, second] = readJobs(folder.path);
  assert.equal(first!.since, NOW.toISOString());
  assert.equal(first!.overAt, NOW.toISOString());
  assert.equal(second!.overAt, undefined);
  const queue = join(folder.path, "queue");
  for (const name of readdirSync(queue)) {
    assert.equal(statSync(join(queue, name)).mode & 0o777, 0o600);
  }
});

Deno.test("a job that a hook has added to while it was worked on stays", () => {
  using folder = temporaryFolder();
  enqueue(folder.path, trigger("/t/s1.jsonl"), NOW);
  const job = readJobs(folder.path)[0]!;
  enqueue(folder.path, trigger("/t/s1.jsonl"), later(1000));
  finish(folder.path, job);
  assert.equal(readJobs(folder.path).length, 1);
  finish(folder.path, readJobs(folder.path)[0]!);
  assert.deepEqual(readJobs(folder.path), []);
});

Deno.test("a job that fails waits longer each time, up to half an hour, and a new trigger does not hurry it", () => {
  using folder = temporaryFolder();
  enqueue(folder.path, trigger("/t/s1.jsonl"), NOW);
  for (let attempt = 1; attempt <= 8; attempt++) {
    putOff(folder.path, readJobs(folder.path)[0]!, { message: "no answer" }, NOW);
    enqueue(folder.path, trigger("/t/s1.jsonl"), NOW);
    const job = readJobs(folder.path)[0]!;
    assert.deepEqual([job.attempts, job.failure], [attempt, { message: "no answer" }]);
    assert.equal(isDue(job, later(waitAfter(attempt) - 1)), false);
    assert.equal(isDue(job, later(waitAfter(attempt))), true);
  }
  assert.deepEqual([1, 2, 6, 1000].map((count) => waitAfter(count) / 60_000), [1, 2, 30, 30]);
  tryNow(folder.path);
  assert.equal(isDue(readJobs(folder.path)[0]!, NOW), true);
});

Deno.test("a job that was put off before the clock was set back is due", () => {
  using folder = temporaryFolder();
  enqueue(folder.path, trigger("/t/s1.jsonl"), later(DAY));
  putOff(folder.path, readJobs(folder.path)[0]!, { message: "no network" }, later(DAY));
  assert.equal(isDue(readJobs(folder.path)[0]!, later(DAY)), false);
  assert.equal(isDue(readJobs(folder.path)[0]!, NOW), true);
});

Deno.test("a job waits for more only while no trigger is urgent, and each one has it looked at", () => {
  using folder = temporaryFolder();
  const ask = (mayWait: boolean) =>
    enqueue(folder.path, { ...trigger("/t/s1.jsonl"), mayWait }, NOW);
  const job = () => readJobs(folder.path)[0]!;
  ask(true);
  const before = job();
  defer(folder.path, before, later(1000));
  assert.deepEqual([job().isUrgent, isDue(job(), NOW)], [undefined, false]);
  ask(true);
  assert.deepEqual([job().isUrgent, isDue(job(), NOW)], [undefined, true]);
  defer(folder.path, before, later(1000));
  ask(false);
  ask(true);
  assert.deepEqual([job().isUrgent, isDue(job(), NOW)], [true, true]);
  defer(folder.path, before, later(1000));
  assert.equal(isDue(job(), NOW), true, "it has changed since");
});

Deno.test("jobs that are too old or too many are given up, and that is remembered", () => {
  using folder = temporaryFolder();
  enqueue(folder.path, trigger("/t/old.jsonl"), later(-31 * DAY));
  for (let i = 0; i < 202; i++) enqueue(folder.path, trigger(`/t/${i}.jsonl`), later(i));
  const dropped = dropExcess(folder.path, NOW).map(({ transcript }) => transcript);
  assert.deepEqual(dropped, ["/t/old.jsonl", "/t/0.jsonl", "/t/1.jsonl"]);
  assert.equal(readJobs(folder.path).length, 200);
  assert.deepEqual(readDropped(folder.path)!.transcripts, dropped);
  for (const because of ["one piece", "another piece"]) {
    noteDropped(folder.path, { transcript: "/t/0.jsonl", because }, NOW);
  }
  const { transcripts } = readDropped(folder.path)!;
  assert.deepEqual(transcripts, ["/t/old.jsonl", "/t/1.jsonl", "/t/0.jsonl"], "each counts once");
});

Deno.test("a damaged file in the queue is no job, and the next trigger mends it", () => {
  using folder = temporaryFolder();
  enqueue(folder.path, trigger("/t/s1.jsonl"), NOW);
  const [name] = readdirSync(join(folder.path, "queue"));
  for (const text of ["", "{", "null", "[]", '{"transcript":7}']) {
    writeFileSync(join(folder.path, "queue", name!), text);
    assert.deepEqual(readJobs(folder.path), []);
    enqueue(folder.path, trigger("/t/s1.jsonl"), NOW);
    assert.equal(findJob(folder.path, "/t/s1.jsonl")!.attempts, 0);
  }
});

/** A transcript of so many bytes in a project's folder. */
function transcript(root: string, name: string, bytes = 100): string {
  mkdirSync(join(root, "project"), { recursive: true });
  const path = join(root, "project", name);
  writeFileSync(path, "x".repeat(bytes));
  return path;
}

Deno.test("a killed session's transcript is left behind; one in use, read to its end, or elsewhere is not", () => {
  using folder = temporaryFolder();
  const capture = join(folder.path, "capture");
  const now = new Date();
  const own = transcript(folder.path, "own.jsonl");
  const names = (at: Date) =>
    leftBehind(capture, own, at).map(({ transcript }) => basename(transcript));
  const known = (name: string, pid: number | undefined) => {
    const path = transcript(folder.path, name);
    noteSession(capture, { ...PLACE, transcript: path, pid });
    return path;
  };
  known("own.jsonl", DEAD);
  known("killed.jsonl", DEAD);
  known("in-use.jsonl", process.pid);
  known("unknown.jsonl", undefined);
  const read = known("read.jsonl", DEAD);
  advance(capture, { ...PLACE, transcript: read, offset: 0, turns: [], seen: 100 });
  noteSession(capture, { ...PLACE, transcript: join(folder.path, "elsewhere.jsonl"), pid: DEAD });
  assert.deepEqual(names(now), ["killed.jsonl"]);
  const tomorrow = new Date(now.getTime() + 1.1 * DAY);
  assert.deepEqual(names(tomorrow).sort(), ["in-use.jsonl", "killed.jsonl", "unknown.jsonl"]);
});

Deno.test("of a transcript that was never seen before, the last megabyte is new", () => {
  using folder = temporaryFolder();
  for (const [bytes, offset] of [[1000, 0], [3 * 2 ** 20, 2 * 2 ** 20]] as const) {
    const path = transcript(folder.path, `${bytes}.jsonl`, bytes);
    assert.equal(cursorOf(folder.path, { ...PLACE, transcript: path }).offset, offset);
  }
});

Deno.test("cursors of transcripts that have long been gone are swept", () => {
  using folder = temporaryFolder();
  const here = transcript(folder.path, "here.jsonl");
  const gone = join(folder.path, "project", "gone.jsonl");
  for (const [path, turn] of [[here, "t1"], [gone, "t2"]] as const) {
    saveCursor(folder.path, { ...PLACE, transcript: path, offset: 5, turns: [turn] });
  }
  sweepCursors(folder.path, new Date());
  assert.deepEqual(capturedBeside(folder.path, here), new Set(["t1", "t2"]));
  const cursors = join(folder.path, "cursors");
  const old = new Date(Date.now() - 100 * DAY);
  for (const name of readdirSync(cursors)) utimesSync(join(cursors, name), old, old);
  sweepCursors(folder.path, new Date());
  assert.deepEqual(capturedBeside(folder.path, here), new Set(["t1"]));
  assert.ok(readFileSync(join(cursors, readdirSync(cursors)[0]!), "utf8").includes("here.jsonl"));
});
