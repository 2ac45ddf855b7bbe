import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type CaptureFailure,
  enqueue,
  noteDropped,
  putOffLogin,
  readJobs,
} from "../../src/core/capture/queue.ts";
import type { EventContext, HookEvent } from "../../src/core/events/event.ts";
import { seen } from "../../src/core/events/seen.ts";
import { leaveNotices, type Notice, readNotices } from "../../src/core/change/follow.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { makeHome } from "../support/home.ts";

interface Setting {
  readonly notices: string;
  readonly notify?: string;
  readonly session?: string;
  readonly name?: string;
  readonly isTaken?: boolean;
  readonly recalled?: readonly string[];
  readonly muted?: string;
  readonly now?: Date;
}

const NOON = new Date(2026, 10, 21, 12);

/** The line of an event in a project with the folder `/p`. */
function lineOf({ notices, notify = "saves", session = "s1", name = "Stop", ...rest }: Setting) {
  const later: ((isTaken: boolean) => unknown)[] = [];
  const context = {
    config: { notify, muted: rest.muted },
    paths: { notices, capture: capturesOf(notices), troublesTold: `${notices}.troubles` },
    now: () => rest.now ?? NOON,
    folders: [{ scope: "project", path: "/p" }, { scope: "user", path: "/u" }],
    defer: (work: (isTaken: boolean) => unknown) => void later.push(work),
  } as unknown as EventContext;
  const event = {
    name,
    session,
    transcript: `/t/${session}.jsonl`,
    isSubagent: false,
  } as HookEvent;
  const { systemMessage } = seen(event, context, rest.recalled);
  for (const work of later) work(rest.isTaken ?? true);
  return systemMessage;
}

function capturesOf(notices: string): string {
  return join(dirname(notices), "capture");
}

/** Conversations whose login fails, since an hour before noon. */
function leaveStuck(
  notices: string,
  sessions: readonly string[],
  times: number,
  failure: CaptureFailure = { message: "`https://x` does not answer" },
): void {
  const capture = capturesOf(notices);
  for (const session of sessions) {
    const place = { cwd: "/p", claude: "/c", isOver: true };
    const began = new Date(NOON.getTime() - 3_600_000);
    enqueue(capture, { ...place, transcript: `/t/${session}.jsonl` }, began);
  }
  for (let i = 0; i < times; i++) {
    const jobs = readJobs(capture);
    putOffLogin(capture, { login: "l", jobs, tried: jobs[0]! }, failure, NOON);
  }
}

function notice(name: string, more: Partial<Notice> = {}): Notice {
  return { at: "2026-11-21T10:00:00Z", what: "saved", name, folder: "/p", session: "s1", ...more };
}

/** Notices of a session, and its line without `memo: `. */
const LINES: Readonly<Record<string, readonly [notices: readonly Notice[], line: string]>> = {
  "what has taken another one's place names it": [
    [notice("Use bun", { replaced: "Use pnpm" }), notice("Use tabs")],
    "saved “Use bun”, “Use tabs” for this project · replaced “Use pnpm” · memo undo NAME",
  ],
  "what stays behind a new one, or waits for a decision, is named": [
    [
      notice("16 now", { against: { kind: "overtaken", name: "Postgres 13" } }),
      notice("In Lyon", { against: { kind: "rivals", name: "In Oslo" } }),
    ],
    "saved “16 now”, “In Lyon” for this project · outranks “Postgres 13” · " +
    "conflicts with “In Oslo”: decide in memo ui, Review · memo undo NAME",
  ],
  "what was saved says where it applies": [
    [notice("Use pnpm"), notice("A night owl", { folder: "/u" })],
    "saved “Use pnpm” for this project, “A night owl” for every project · memo undo NAME",
  ],
  "many changes are one line, and names steer nothing": [
    [
      ...["a\u001b[31m", "b", "c", "d", "e"].map((name) => notice(name)),
      notice("x".repeat(100), { what: "forgot" }),
      notice("evil", { what: "held" }),
    ],
    `saved “a[31m”, “b”, “c” and 2 more for this project · forgot “${"x".repeat(59)}…” · ` +
    "for your review: “evil” · memo undo NAME · memo undo · memo show NAME",
  ],
  "a memory that was forgotten meanwhile, and a client without a session, are not told of": [
    [
      notice("gone", { path: "/nowhere/gone.md" }),
      notice("there", { path: import.meta.filename! }),
      notice("nobody's", { session: undefined }),
      notice("nobody's", { session: "" }),
    ],
    "saved “there” for this project · memo undo",
  ],
};

for (const [promise, [left, line]] of Object.entries(LINES)) {
  Deno.test(promise, async () => {
    await using home = makeHome();
    const notices = join(home.memoHome, "notices.json");
    leaveNotices(notices, left);
    // What was not shown is told again.
    for (const isTaken of [false, true]) {
      assert.equal(lineOf({ notices, isTaken }), `memo: ${line}`);
    }
    assert.equal(lineOf({ notices }), undefined);
    assert.deepEqual(readNotices(notices), []);
  });
}

Deno.test("other sessions and projects are not told, but for what is left when a session starts", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  leaveNotices(notices, [notice("own", { session: "s0" }), notice("other", { folder: "/q" })]);
  assert.equal(lineOf({ notices }), undefined);
  assert.equal(
    lineOf({ notices, name: "SessionStart" }),
    "memo: saved “own” for this project · memo undo",
  );
  assert.deepEqual(readNotices(notices).map(({ name }) => name), ["other"]);
});

Deno.test("of a memory that was saved and then forgotten the last is told", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  leaveNotices(notices, [notice("a"), notice("b")]);
  leaveNotices(notices, [notice("a", { what: "forgot" })]);
  assert.equal(lineOf({ notices }), "memo: saved “b” for this project · forgot “a” · memo undo");
});

Deno.test("`notify` decides: recalled memories too, saves alone, or nothing", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  const recalled = ["Use pnpm"];
  assert.equal(lineOf({ notices, recalled }), undefined);
  assert.equal(lineOf({ notices, recalled, notify: "all" }), "memo: recalled “Use pnpm”");
  leaveNotices(notices, [notice("x")]);
  assert.equal(lineOf({ notices, recalled, notify: "off" }), undefined);
  assert.equal(readNotices(notices).length, 1);
});

Deno.test("notices that nobody reads do not pile up, and a damaged file is none", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  leaveNotices(notices, Array.from({ length: 80 }, (_, i) => notice(`n${i}`)));
  assert.equal(readNotices(notices).length, 50);
  assert.ok(existsSync(notices));
  home.write("state/notices.json", "[{");
  assert.deepEqual(readNotices(notices), []);
});

Deno.test("a session whose conversation cannot be saved hears of it once a day, and so does the next one at its start", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  leaveStuck(notices, ["s1", "s2"], 1);
  assert.equal(lineOf({ notices }), undefined, "it may have been a moment's");
  leaveStuck(notices, [], 1);
  assert.equal(lineOf({ notices, session: "s3" }), undefined, "another one's conversation");
  const line = "memo: nothing saved since 11:00: `https://x` does not answer · memo doctor";
  assert.equal(lineOf({ notices, isTaken: false }), line);
  assert.equal(lineOf({ notices, notify: "off" }), undefined);
  assert.equal(lineOf({ notices }), line);
  assert.equal(lineOf({ notices }), undefined);
  const now = new Date(NOON.getTime() + 86_400_000);
  assert.equal(
    lineOf({ notices, session: "s3", name: "SessionStart", now }),
    "memo: 2 conversations not saved since 2026-11-21 11:00: `https://x` does not answer · " +
      "memo doctor",
  );
});

Deno.test("a refused login is said at once", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  leaveStuck(notices, ["s1"], 1, { message: "`https://x` refused the API key", isRefusal: true });
  assert.equal(
    lineOf({ notices }),
    "memo: nothing saved since 11:00: `https://x` refused the API key · memo doctor",
  );
});

Deno.test("what capture has given up is said once, to its own session or at the next one's start", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  const later = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000);
  const lines = (hours: number) => [
    lineOf({ notices, session: "s2", now: later(hours) }),
    lineOf({ notices, session: "s2", name: "SessionStart", now: later(hours), isTaken: false }),
    lineOf({ notices, now: later(hours) }),
    lineOf({ notices, now: later(hours) }),
    lineOf({ notices, session: "s2", name: "SessionStart", now: later(hours + 24) }),
  ];
  assert.deepEqual(lines(0), Array(5).fill(undefined));
  for (const hours of [0, 1]) {
    const because = `the calls of hour ${hours} are used up`;
    noteDropped(capturesOf(notices), { transcript: "/t/s1.jsonl", because }, later(hours));
    const said = (whose: string) =>
      `memo: part of ${whose} conversation was not saved: ${because} · memo doctor`;
    assert.deepEqual(lines(hours), [undefined, said("a"), said("this"), undefined, undefined]);
  }
});

Deno.test("settings that cannot be read are said in the session, once a day, beside what was saved", async () => {
  await using home = makeHome();
  const notices = join(home.memoHome, "notices.json");
  const path = home.write("state/config.yaml", "llm: [\n");
  const { muted } = loadConfig(path, {});
  leaveNotices(notices, [notice("Use pnpm")]);
  const [saved, trouble, ...more] = lineOf({ notices, muted: muted! })!.split("\n");
  assert.equal(saved, "memo: saved “Use pnpm” for this project · memo undo");
  assert.match(
    trouble!,
    /nothing is being saved or sent to a language model: Cannot read `.*config/,
  );
  assert.match(trouble!, /config\.yaml`: line \d+, .* · memo doctor$/);
  assert.deepEqual(more, []);
  assert.equal(lineOf({ notices, muted: muted! }), undefined);
});
