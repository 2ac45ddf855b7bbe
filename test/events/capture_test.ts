import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cursorOf } from "../../src/core/capture/cursor.ts";
import { adoptJobs, type CaptureJob, putOff, readJobs } from "../../src/core/capture/queue.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import {
  type CaptureNews,
  type EventContext,
  type HookEvent,
  readEvent,
} from "../../src/core/events/event.ts";
import { enqueueOffline, noteTurn } from "../../src/core/events/capture.ts";
import { handle } from "../../src/core/events/mod.ts";
import { STARTS } from "../../src/core/events/starts.ts";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { Prefetches, Tasks } from "../../src/core/recall/pending.ts";
import { readFixture } from "../support/fixtures.ts";
import { type Home, makeHome } from "../support/home.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
/** No process has this id. */
const DEAD = 2 ** 30;

/** A home, and events that are handled in it. */
function setUp(home: Home, { isOn = true, pid = DEAD as number | undefined } = {}) {
  const paths = pathsFor(home.env);
  const news: (CaptureNews | undefined)[] = [];
  const folder = join(home.claude, "projects", "p");
  mkdirSync(folder, { recursive: true });
  const transcript = (name: string, text?: string) => {
    const path = join(folder, `${name}.jsonl`);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  };
  const stdin = (fixture: string, fields: Record<string, unknown> = {}) => ({
    ...readFixture(fixture),
    cwd: home.project,
    transcript_path: transcript("own"),
    ...fields,
  });
  const place = placeIn(paths, home.project, home.project);
  // Capture takes no more of it than this.
  const context = {
    config: loadConfig(paths.config, { MEMO_CAPTURE_ENABLED: String(isOn), MEMO_SEND: "capture" }),
    ...{ paths, place, folders: memoryFolders(place), projectDir: home.project, pid },
    ...{ prefetches: new Prefetches(), tasks: new Tasks(), answers: {}, isPlain: true },
    now: () => NOW,
    captureSoon: (said) => void news.push(said),
    defer: () => {},
  } as Partial<EventContext> as EventContext;
  return {
    ...{ news, transcript, stdin, context, capture: paths.capture },
    jobs: (): CaptureJob[] => readJobs(paths.capture),
    handle: (fixture: string, fields?: Record<string, unknown>) =>
      handle(readEvent(stdin(fixture, fields))!, context),
    begin: (source: keyof typeof STARTS, fields?: Record<string, unknown>) =>
      STARTS[source].capture(
        readEvent(stdin(`SessionStart.${source}`, fields)) as HookEvent<"SessionStart">,
        context,
      ),
  };
}

Deno.test("the ends of turns and sessions, and compactions, leave one job, and say nothing", async () => {
  await using home = makeHome();
  const { handle, begin, jobs, news, transcript } = setUp(home);
  begin("compact");
  assert.deepEqual([jobs()[0]!.overAt, jobs()[0]!.isUrgent], [undefined, true]);
  assert.deepEqual(await handle("Stop", { last_assistant_message: "Done." }), {});
  assert.deepEqual(await handle("SessionEnd.other"), {});
  const { cwd, claude, overAt } = jobs()[0]!;
  assert.deepEqual([cwd, claude, overAt], [home.project, home.claude, NOW.toISOString()]);
  assert.equal(jobs().length, 1);
  assert.deepEqual(news[1]?.said, { transcript: transcript("own"), text: "Done." });
});

Deno.test("what the model said is not written to the queue, because nobody has redacted it", async () => {
  await using home = makeHome();
  const { handle, capture } = setUp(home);
  await handle("Stop", { last_assistant_message: "The password is hunter2hunter2" });
  const text = readdirSync(capture, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(capture, name), "utf8")).join("");
  assert.match(text, /own\.jsonl/);
  assert.doesNotMatch(text, /hunter2/);
});

Deno.test("a subagent's events, and those of the agent that summarises, are not the session's", async () => {
  await using home = makeHome();
  const { handle, jobs } = setUp(home);
  for (const fields of [{ agent_id: "a1", agent_type: "Explore" }, { agent_type: "" }]) {
    for (const event of ["Stop", "SessionEnd.other"]) await handle(event, fields);
  }
  assert.deepEqual(jobs(), []);
});

Deno.test("what is said while capture is off is passed over for good", async () => {
  await using home = makeHome();
  const { handle, begin, jobs, transcript, capture } = setUp(home, { isOn: false });
  const path = transcript("own", "x".repeat(500));
  await handle("Stop");
  begin("compact");
  assert.deepEqual(jobs(), []);
  assert.equal(cursorOf(capture, { transcript: path, cwd: "", claude: "" }).offset, 500);
});

/** The answer while a conversation is held, and where its events are answered. */
const HELD = ["", "send: off\n", "send: ask\n"].flatMap((answer) =>
  [true, false].map((isWarm) => ({ answer, isWarm }))
);

for (const { answer, isWarm } of HELD) {
  const where = isWarm ? "by the daemon" : "by the hook alone";
  Deno.test(`what is said with \`${answer.trim()}\`, noted ${where}, is never captured after a yes`, async () => {
    await using home = makeHome();
    const { handle, begin, stdin, jobs, transcript, capture, context } = setUp(home);
    const path = transcript("own", "");
    const where = { transcript: path, cwd: "", claude: "" };
    const config = (text: string) => {
      writeFileSync(context.paths.config, text);
      Object.assign(context, { config: loadConfig(context.paths.config, {}) });
    };
    const say = (text: string) => writeFileSync(path, text, { flag: "a" });
    const stop = async () =>
      isWarm ? void await handle("Stop") : await enqueueOffline(stdin("Stop"), context, home.env);
    const prompt = () => noteTurn(readEvent(stdin("UserPromptSubmit"))!, context);

    config(answer);
    begin("startup");
    say("a turn\n");
    await stop();
    prompt();
    say("a turn that no event ends\n");
    assert.deepEqual(jobs(), []);

    config("send: capture\n");
    begin("startup", { transcript_path: transcript("other", "") });
    assert.deepEqual(jobs(), [], "it is not taken up as the conversation of a killed session");
    prompt();
    assert.equal(cursorOf(capture, where).offset, 33);
    say("a turn after the yes\n");
    await stop();
    assert.deepEqual(jobs().map((job) => job.transcript), [path]);
    assert.equal(cursorOf(capture, where).offset, 33, "what came before is behind the cursor");
  });
}

Deno.test("a turn in which the yes was given is passed over", async () => {
  await using home = makeHome();
  const { handle, jobs, transcript, capture, context } = setUp(home, { isOn: false });
  const path = transcript("own", "a turn\n");
  await handle("Stop");
  writeFileSync(path, "a turn that began before\n", { flag: "a" });
  Object.assign(context, { config: loadConfig(context.paths.config, {}) });
  await handle("Stop");
  const { offset } = cursorOf(capture, { transcript: path, cwd: "", claude: "" });
  assert.deepEqual([offset, jobs().length], [32, 1]);
});

Deno.test("without a daemon the hook leaves the same job", async () => {
  await using home = makeHome();
  const { stdin, context, handle, jobs } = setUp(home);
  await enqueueOffline(stdin("Stop"), context, home.env);
  const [{ since: _, overAt, ...offline }] = jobs() as [CaptureJob];
  assert.ok(overAt);
  await handle("Stop");
  const [{ since: __, overAt: ___, ...warm }] = jobs() as [CaptureJob];
  assert.deepEqual(offline, warm);
  const other = stdin("PostToolUse.Write", { transcript_path: "/t/other.jsonl" });
  await enqueueOffline(other, context, home.env);
  assert.equal(jobs().length, 1);
});

Deno.test("a session's start takes up killed ones, its own when it is resumed, and what has failed", async () => {
  await using home = makeHome();
  const { begin, jobs, transcript, capture, news } = setUp(home);
  begin("startup", { transcript_path: transcript("killed") });
  assert.deepEqual(jobs(), []);
  transcript("killed", "half a conversation");
  begin("startup");
  assert.deepEqual(jobs().map((job) => job.transcript), [transcript("killed")]);
  assert.equal(jobs()[0]!.overAt, NOW.toISOString());
  begin("resume");
  assert.equal(jobs().length, 2);
  putOff(capture, jobs()[0]!, { message: "no answer" }, NOW);
  begin("startup");
  assert.equal(news.at(-1)?.isFresh, true);
});

Deno.test("a session that is in use is left alone by the start of another", async () => {
  await using home = makeHome();
  const { begin, jobs, transcript } = setUp(home, { pid: process.pid });
  begin("startup", { transcript_path: transcript("other") });
  transcript("other", "half a conversation");
  begin("startup");
  assert.deepEqual(jobs(), []);
});

Deno.test("with a state folder that cannot be written the job waits beside the memories, and is adopted later", async () => {
  await using home = makeHome();
  const { context, capture, handle, stdin, jobs } = setUp(home);
  const { spareCapture } = context.paths;
  writeFileSync(capture, "no folder");
  await handle("Stop");
  const other = stdin("SessionEnd.other", { transcript_path: "/t/other.jsonl" });
  await enqueueOffline(other, context, home.env);
  const spared = readJobs(spareCapture);
  assert.equal(spared.length, 2);
  adoptJobs(spareCapture, capture);
  assert.deepEqual(readJobs(spareCapture), spared, "there is no place to move them to");
  rmSync(capture);
  adoptJobs(spareCapture, capture);
  assert.deepEqual(jobs(), spared);
  assert.ok(!existsSync(spareCapture));
});
