import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cursorOf } from "../../src/core/capture/cursor.ts";
import { enqueue, putOff, readDropped, readJobs } from "../../src/core/capture/queue.ts";
import { readSummaries, readTurns, type Turn } from "../../src/core/transcript/turns.ts";
import { type Pipeline, STEPS } from "../../src/core/capture/work.ts";
import { localTime } from "../../src/core/text/counted.ts";
import { UnusableAnswer } from "../../src/core/llm/mod.ts";
import { MemoError } from "../../src/errors.ts";
import { CHANGE_LOG, readChanges } from "../../src/core/ledger/change_log.ts";
import { bunExecutable } from "../../tools/compile/locate.ts";
import { temporaryFolder } from "../support/temp.ts";
import { plainPipeline, workOff } from "./worker.ts";
import { filesIn } from "../support/files.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/transcripts/bugfix.jsonl", import.meta.url));
const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const NOW = new Date("2026-11-21T12:00:00Z");
const go = () => Promise.resolve();

/** A folder with a transcript that waits to be captured. */
function setUp(root: string): { transcript: string; capture: string; memory: string } {
  const [transcript, capture, memory] = ["s1.jsonl", "capture", "memory"].map((name) =>
    join(root, name)
  ) as [string, string, string];
  copyFileSync(FIXTURE, transcript);
  mkdirSync(memory);
  ask(capture, transcript);
  return { transcript, capture, memory };
}

function ask(
  capture: string,
  transcript: string,
  { isOver = true, mayWait = false, now = NOW } = {},
): void {
  const where = { transcript, cwd: "/home/dev", claude: "/home/dev/.claude" };
  enqueue(capture, { ...where, isOver, mayWait }, now);
}

/** What the log of a folder has, each change once. */
function logOf(path: string): unknown[] {
  return readChanges([{ scope: "user", path }]).map(({ what, file, after, turn }) => {
    return { what, file, after, turn };
  });
}

/** Every file below a folder with what is in it, but for its log. */
function contents(folder: string): Record<string, string> {
  const isOwn = (name: string) => ["asked", ".lock", CHANGE_LOG].includes(basename(name));
  return Object.fromEntries(Object.entries(filesIn(folder)).filter(([name]) => !isOwn(name)));
}

function asked(memory: string): string[] {
  const path = join(memory, "asked");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}

const idOf = ({ id }: Turn) => id;
const capturedIn = (capture: string, transcript: string) =>
  cursorOf(capture, { transcript, cwd: "", claude: "" }).turns;

async function turnsOf(transcript: string): Promise<Turn[]> {
  return await Array.fromAsync(readTurns(transcript));
}

/** All that is captured of a transcript, in order: the summaries of compactions first, which wait for no model. */
async function passedIn(transcript: string): Promise<Turn[]> {
  return [...await Array.fromAsync(readSummaries(transcript)), ...await turnsOf(transcript)];
}

/** A pipeline that must not be asked. */
const NOBODY: Pipeline = {
  plan: () => assert.fail("asked"),
  apply: () => assert.fail("nothing is to be done"),
};

Deno.test("kill -9 at any moment loses nothing and doubles nothing", async () => {
  using calm = temporaryFolder();
  const { transcript, memory } = setUp(calm.path);
  await workOff(calm.path, { pipeline: plainPipeline(memory), after: go });
  const wanted = contents(memory);
  const log = logOf(memory);
  const count = (name: string) => Object.keys(wanted).filter((path) => path.includes(name)).length;
  assert.equal(count("feedback_"), (await turnsOf(transcript)).length);
  assert.equal(count("journal"), 1);

  const steps = new Set<string>();
  for (let moment = 1;; moment++) {
    using folder = temporaryFolder();
    const { capture, memory, transcript } = setUp(folder.path);
    const args = [WORKER, folder.path, String(moment)];
    const { signal } = spawnSync(bunExecutable(), args, { stdio: "ignore" });
    const passed = readFileSync(join(folder.path, "steps"), "utf8").trimEnd().split("\n");
    if (signal === null) {
      assert.ok(passed.length < moment);
      break;
    }
    steps.add(passed.at(-1)!);
    await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
    const text = JSON.stringify(contents(memory)).replaceAll(folder.path, calm.path);
    const found = JSON.parse(text);
    assert.deepEqual(found, wanted, `killed after ${passed.join(", ")}`);
    assert.deepEqual(logOf(memory), log, `killed after ${passed.join(", ")}`);
    assert.deepEqual(readJobs(capture), []);
    assert.equal(existsSync(join(capture, "plan.json")), false);
    assert.deepEqual(capturedIn(capture, transcript), (await passedIn(transcript)).map(idOf));
  }
  assert.deepEqual(steps, new Set([...STEPS, "action"]));
});

Deno.test("what was captured is not offered again: the same transcript, a fork of it, one that goes on", async () => {
  using folder = temporaryFolder();
  const { transcript, capture, memory } = setUp(folder.path);
  await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
  const before = contents(memory);

  ask(capture, transcript);
  await workOff(folder.path, { pipeline: NOBODY, after: go });
  const fork = join(folder.path, "s2.jsonl");
  copyFileSync(transcript, fork);
  ask(capture, fork);
  await workOff(folder.path, { pipeline: NOBODY, after: go });
  assert.deepEqual(contents(memory), before);

  const count = asked(memory).length;
  appendPrompt(fork, "u-next", "2026-11-21T11:00:00Z");
  ask(capture, fork);
  await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
  assert.deepEqual(asked(memory).slice(count), ["u-next"]);
});

Deno.test("a turn that is under way is left until it is over", async () => {
  using folder = temporaryFolder();
  const { transcript, capture, memory } = setUp(folder.path);
  await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
  const count = asked(memory).length;
  appendPrompt(transcript, "u-later", "2026-11-21T12:30:00Z");
  // A job of before the turn, and one that comes in the middle of it.
  ask(capture, transcript);
  await workOff(folder.path, { pipeline: NOBODY, after: go });
  ask(capture, transcript, { isOver: false, now: new Date("2026-11-21T12:31:00Z") });
  await workOff(folder.path, { pipeline: NOBODY, after: go });
  assert.deepEqual(readJobs(capture), []);
  ask(capture, transcript, { now: new Date("2026-11-21T12:32:00Z") });
  await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
  assert.deepEqual(asked(memory).slice(count), ["u-later"]);
});

/** Adds a prompt to a transcript. */
function appendPrompt(transcript: string, uuid: string, timestamp: string, more = ""): void {
  const [line] = /^.*"role":"user","content":".*$/m.exec(readFileSync(FIXTURE, "utf8"))!;
  const { message, ...rest } = JSON.parse(line);
  message.content += more;
  const added = { ...rest, parentUuid: null, message, uuid, timestamp };
  appendFileSync(transcript, JSON.stringify(added) + "\n");
}

Deno.test("a provider that gives no answer moves no cursor past what it was not told", async () => {
  using folder = temporaryFolder();
  const { transcript, capture, memory } = setUp(folder.path);
  const plain = plainPipeline(memory);
  let questions = 0;
  const failing: Pipeline = {
    ...plain,
    plan: (turns, where) =>
      ++questions === 3 // the first is about the summary of a compaction
        ? Promise.reject(new MemoError("llm", "The server is down"))
        : plain.plan(turns, where),
  };
  await assert.rejects(workOff(folder.path, { pipeline: failing, after: go }), /server is down/);
  const turns = await passedIn(transcript);
  const captured = capturedIn(capture, transcript);
  assert.ok(captured.length > 1 && captured.length < turns.length);
  assert.equal(readJobs(capture).length, 1);
  await workOff(folder.path, { pipeline: plain, after: go });
  assert.deepEqual(asked(memory), turns.map(idOf)); // the first portion was not asked again
});

Deno.test("a turn that makes capture fail is left out and named, and the others are captured", async () => {
  const at = (turn: Turn) => {
    const { day, time } = localTime(new Date(turn.at));
    return `Cannot read all of the turn of ${day} ${time}: `;
  };
  const rows = [
    { isLine: false, because: "x is undefined", missing: 1 },
    { isLine: true, because: "a line is damaged", missing: 0 },
  ];
  for (const { isLine, because, missing } of rows) {
    using folder = temporaryFolder();
    const { memory, transcript, capture } = setUp(folder.path);
    const passed = await passedIn(transcript);
    const bad = passed.find(({ prompt }) => prompt.startsWith("No, local time is wrong"))!;
    if (isLine) {
      const text = readFileSync(transcript, "utf8");
      writeFileSync(transcript, text.replace(/^(\{.*Understood\. I will make it) UTC.*$/m, "$1"));
    }
    const plain = plainPipeline(memory);
    const pipeline: Pipeline = {
      ...plain,
      plan: (turns, where) =>
        !isLine && turns.some(({ id }) => id === bad.id)
          ? Promise.reject(new TypeError("x is undefined"))
          : plain.plan(turns, where),
    };
    for (const portionChars of [100, 1_000_000]) {
      await workOff(folder.path, { pipeline, after: go, portionChars });
      assert.deepEqual(capturedIn(capture, transcript), passed.map(idOf), because);
      assert.equal(asked(memory).length, passed.length - missing, because);
      const dropped = readDropped(capture)!;
      assert.ok(dropped.because.startsWith(at(bad) + because), dropped.because);
      assert.deepEqual(readJobs(capture), []);
      rmSync(capture, { recursive: true });
      rmSync(memory, { recursive: true });
      mkdirSync(memory);
      ask(capture, transcript);
    }
  }
});

Deno.test("a plan that cannot be done is given up in the end, and its turns are planned anew", async () => {
  using folder = temporaryFolder();
  const { memory, transcript } = setUp(folder.path);
  const plain = plainPipeline(memory);
  const full: Pipeline = { ...plain, apply: () => Promise.reject(new Error("No space left")) };
  for (let tries = 0; tries < 5; tries++) {
    await assert.rejects(workOff(folder.path, { pipeline: full, after: go }), /No space/);
  }
  const first = asked(memory);
  await workOff(folder.path, { pipeline: plain, after: go });
  assert.deepEqual(asked(memory), [...first, ...(await passedIn(transcript)).map(idOf)]);
});

Deno.test("short turns wait for each other, and no longer than five minutes or the session's end", async () => {
  for (const [what, minutes] of [["the wait", 5], ["more", 1], ["the end", 1]] as const) {
    using folder = temporaryFolder();
    const { transcript, capture, memory } = setUp(folder.path);
    await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
    const count = asked(memory).length;
    const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);
    const stop = async (minute: number, mayWait = true) => {
      ask(capture, transcript, { mayWait, now: at(minute) });
      const now = () => at(minute);
      await workOff(folder.path, { pipeline: plainPipeline(memory), after: go, now });
      return asked(memory).slice(count);
    };
    appendPrompt(transcript, "u-1", at(0).toISOString());
    assert.deepEqual(await stop(0), [], what);
    assert.deepEqual(readJobs(capture).map(({ next }) => next), [at(5).toISOString()]);
    const more = what === "more" ? "long ".repeat(1000) : "";
    appendPrompt(transcript, "u-2", at(1).toISOString(), more);
    assert.deepEqual(await stop(minutes, what !== "the end"), ["u-1", "u-2"], what);
    assert.deepEqual(readJobs(capture), []);
  }
});

Deno.test("a short turn that was queued before the clock was set back does not wait", async () => {
  using folder = temporaryFolder();
  const { transcript, capture, memory } = setUp(folder.path);
  await workOff(folder.path, { pipeline: plainPipeline(memory), after: go });
  const count = asked(memory).length;
  appendPrompt(transcript, "u-1", NOW.toISOString());
  ask(capture, transcript, { mayWait: true, now: new Date(NOW.getTime() + 86_400_000) });
  await workOff(folder.path, { pipeline: plainPipeline(memory), after: go, now: () => NOW });
  assert.deepEqual(asked(memory).slice(count), ["u-1"]);
});

Deno.test("r11: an answer that is of no use is asked for again later, and given up where doctor sees it", async () => {
  using temp = temporaryFolder();
  const { transcript, capture, memory } = setUp(temp.path);
  const turns = await turnsOf(transcript);
  const summaries = await Array.fromAsync(readSummaries(transcript));
  const plain = plainPipeline(memory);
  const because = "The language model's answer was cut after 6000 tokens";
  const pipeline: Pipeline = {
    ...plain,
    async plan(asked, where) {
      const bad = asked.findIndex(({ id }) => id === turns[1]!.id);
      if (bad < 0) return await plain.plan(asked, where);
      if (where.isLastTry) return { ...await plain.plan(asked, where), dropped: because };
      if (bad === 0) throw new UnusableAnswer(because);
      const rest = { after: asked[bad - 1]!.id, because };
      return { ...await plain.plan(asked.slice(0, bad), where), rest };
    },
  };
  const options = { pipeline, after: go, portionChars: 1_000_000 };
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(workOff(temp.path, options), { message: because });
    assert.deepEqual(capturedIn(capture, transcript), [...summaries, turns[0]!].map(idOf));
    putOff(capture, readJobs(capture)[0]!, { message: because }, NOW);
  }
  assert.equal(readDropped(capture), undefined);
  await workOff(temp.path, options);
  const dropped = readDropped(capture);
  assert.deepEqual([dropped?.transcripts, dropped?.because], [[transcript], because]);
  assert.deepEqual(readJobs(capture), []);
  assert.equal(capturedIn(capture, transcript).length, summaries.length + turns.length);
});

Deno.test("a transcript that is written after its turn's end is waited for, a minute long", async () => {
  using folder = temporaryFolder();
  const { capture, memory, transcript } = setUp(folder.path);
  const text = readFileSync(transcript);
  rmSync(transcript);
  const work = (ms: number) => {
    const now = () => new Date(NOW.getTime() + ms);
    return workOff(folder.path, { pipeline: plainPipeline(memory), after: go, now });
  };
  await work(0);
  assert.equal(readJobs(capture).length, 1, "it waits");
  writeFileSync(transcript, text);
  await work(5000);
  assert.deepEqual(asked(memory), (await passedIn(transcript)).map(idOf));
  assert.deepEqual(readJobs(capture), []);

  const gone = join(folder.path, "gone.jsonl");
  ask(capture, gone);
  await work(60_000);
  assert.deepEqual(readJobs(capture), [], "a deleted one is not waited for");
});

Deno.test("a client that writes late has a few seconds to write the rest", async () => {
  using folder = temporaryFolder();
  const { capture, memory } = setUp(folder.path);
  const sessions = join(folder.path, "session-state", "a1c8d87c-98d1-47d5-b2dc-db27481f61b9");
  mkdirSync(sessions, { recursive: true });
  const events = join(sessions, "events.jsonl");
  const url = new URL("../fixtures/agents/sessions/copilot.three-turns.jsonl", import.meta.url);
  const lines = readFileSync(url, "utf8").split("\n");
  writeFileSync(events, lines.slice(0, 3).join("\n") + "\n"); // before the prompt
  rmSync(join(folder.path, "s1.jsonl"));
  const ended = new Date("2026-11-23T16:02:00Z");
  ask(capture, events, { now: ended });
  const work = (ms: number) => {
    const now = () => new Date(ended.getTime() + ms);
    return workOff(folder.path, { pipeline: plainPipeline(memory), after: go, now });
  };
  await work(1000);
  writeFileSync(events, lines.join("\n"));
  await work(5000);
  assert.deepEqual(asked(memory), (await passedIn(events)).map(idOf));
});
