// The hook matrix: whatever is on stdin and whatever became of the daemon, the real executable answers one JSON
// object, or nothing where Claude Code would hand that on, and exits 0.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HOOK_EVENTS, hookEvent, TIMEOUT_SECONDS } from "../../hooks/events.ts";
import { additionalContext } from "../../src/core/events/event.ts";
import { ALIVE, PROTOCOL_VERSION } from "../../src/core/link/protocol.ts";
import { pathsFor } from "../../src/paths.ts";
import { readJobs } from "../../src/core/capture/queue.ts";
import { makeOld } from "../support/index.ts";
import { fixtureNames, readFixture } from "../support/fixtures.ts";
import {
  endAll,
  type Home,
  makeHome,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { until } from "../support/until.ts";

const JWT = `---
name: JWT setup
description: How tokens are issued and refreshed
type: reference
---
Access tokens are RS256 and live 15 minutes; the refresh token sits in an httpOnly cookie.
`;

/** By its words the memory is found. */
const TOKEN = "where does the refresh token sit";

/** A home with one memory in an index; with a model where it has a part in the outcome. */
async function indexedHome({ hasModel = false } = {}): Promise<Home> {
  const home = makeHome(PATIENCE, { hasModel });
  home.write("reference_jwt.md", JWT);
  await succeed(home, ["index"]);
  return home;
}

function prompt(home: Home, text: string, session = "s1"): string {
  const fields = {
    ...readFixture("UserPromptSubmit"),
    cwd: home.project,
    session_id: session,
    prompt: text,
  };
  return JSON.stringify(fields);
}

/** The text that the hook gives the model; undefined when it says nothing. Anything else fails. */
async function hook(
  home: Home,
  stdin: string,
  env: Record<string, string> = {},
): Promise<string | undefined> {
  const { code, stdout, stderr } = await runMemo({ ...home, env: { ...home.env, ...env } }, [
    "hook",
  ], { stdin });
  assert.equal(code, 0);
  assert.equal(stderr, "");
  const row = hookEvent(nameIn(stdin));
  if (row === undefined || row.isMute) {
    assert.equal(stdout, "");
    return undefined;
  }
  const output = JSON.parse(stdout);
  if (output.hookSpecificOutput === undefined) {
    assert.deepEqual(output, {});
    return undefined;
  }
  assert.deepEqual(Object.keys(output), ["hookSpecificOutput"]);
  assert.equal(output.hookSpecificOutput.hookEventName, JSON.parse(stdin).hook_event_name);
  return output.hookSpecificOutput.additionalContext;
}

/** The name of the event on stdin, if that is an event at all. */
function nameIn(stdin: string): unknown {
  try {
    return JSON.parse(stdin)?.hook_event_name;
  } catch {
    return undefined;
  }
}

/** An event after which a transcript waits to be captured. */
function captured(home: Home, fixture: string): string {
  const name = `${fixture}.jsonl`;
  return JSON.stringify({
    ...readFixture(fixture),
    cwd: home.project,
    transcript_path: home.write(join(".claude", "projects", "p", name), TURN),
  });
}

const TURN = JSON.stringify({
  type: "user",
  uuid: "u1",
  sessionId: "s1",
  timestamp: "2026-11-20T12:00:00Z",
  cwd: "/home/dev",
  message: { role: "user", content: "Use tabs, please" },
}) + "\n";

/** What may stand on the socket's path. */
const DAEMONS: Readonly<Record<string, (home: Home) => Promise<(() => void) | void>>> = {
  warm: async (home) => void await runMemo(home, ["daemon", "start"]),
  absent: async () => {},
  "a stale socket": (home) => listen(home, undefined),
  hung: (home) => listen(home, () => {}),
  "of another build": (home) =>
    listen(
      home,
      (send) => send('{"protocol":1,"build":"0.0.1-old","ok":false,"error":{"message":"No"}}\n'),
    ),
  "of another protocol": (home) =>
    listen(home, (send) => send('{"protocol":99,"build":"x","hello":1}\n')),
  "hanging up": (home) => listen(home, (_send, hangUp) => hangUp()),
};

/** Serves the home's socket; without `answer` the file is left behind and nobody listens. */
function listen(
  home: Home,
  answer:
    | ((send: (text: string) => void, hangUp: () => void, write: (text: string) => void) => void)
    | undefined,
): Promise<() => void> {
  const run = join(home.memoHome, "run");
  mkdirSync(run, { recursive: true, mode: 0o700 });
  if (answer === undefined) {
    writeFileSync(join(run, "memo.sock"), "");
    return Promise.resolve(() => {});
  }
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once(
      "data",
      () =>
        answer((text) => socket.end(text), () => socket.destroy(), (text) => socket.write(text)),
    );
  });
  return new Promise((done) =>
    server.listen(join(run, "memo.sock"), () => done(() => server.close()))
  );
}

const INPUTS: Readonly<Record<string, (home: Home) => string>> = {
  "a prompt": (home) => prompt(home, "how do I authenticate"),
  nothing: () => "",
  "half an event": (home) => prompt(home, "how do I authenticate").slice(0, 60),
  "no JSON": () => "how do I authenticate",
  "a number": () => "42",
  "null": () => "null",
  "an unknown event": () => '{"hook_event_name":"TeaTime","session_id":"s1"}',
  "an event named like a property": () => '{"hook_event_name":"constructor"}',
  "an event named like a prototype": () => '{"hook_event_name":"__proto__"}',
  "wrong types": () => '{"hook_event_name":"UserPromptSubmit","prompt":7,"cwd":[],"session_id":{}}',
  "a huge prompt": (home) => prompt(home, "how do I authenticate ".repeat(100_000)),
  "a session start": (home) =>
    JSON.stringify({ ...readFixture("SessionStart.startup"), cwd: home.project }),
  "a written file": (home) =>
    JSON.stringify({ ...readFixture("PostToolUse.Write"), cwd: home.project }),
  "the end of a turn": (home) => captured(home, "Stop"),
  "a compaction": (home) => captured(home, "SessionStart.compact"),
  "the end of a session": (home) => captured(home, "SessionEnd.other"),
};

/** One of each kind that goes to a daemon: others are answered before anybody is asked, whatever is on the path. */
const ASKED = ["a prompt", "a session start", "the end of a turn", "the end of a session"];

/** The transcripts of `INPUTS` whose last turn is over: they wait until somebody can be asked. */
const QUEUED = ["SessionEnd.other.jsonl", "Stop.jsonl"];

/** Where a daemon of memo's answers, or is started; what else is on the path is none. */
const OF_MEMO = ["warm", "absent"];

for (const [daemon, prepare] of Object.entries(DAEMONS)) {
  Deno.test(`the hook answers in good order with a daemon ${daemon}`, async (t) => {
    await using indexed = await indexedHome({ hasModel: daemon === "warm" });
    const home = { ...indexed, env: { ...indexed.env, MEMO_LLM_PROVIDER: "none" } };
    const inputs = OF_MEMO.includes(daemon) ? Object.keys(INPUTS) : ASKED;
    for (const input of inputs) {
      await t.step(`given ${input}`, async () => {
        const close = await prepare(home);
        await hook(home, INPUTS[input]!(home), { MEMO_HOOK_DEADLINE_MS: "700" });
        close?.();
        if (daemon === "warm") return; // the next hook asks it too
        await endAll(home);
        rmSync(join(home.memoHome, "run"), { recursive: true, force: true });
      });
    }
    await t.step("and no conversation is lost", () => {
      const waiting = readJobs(join(home.memoHome, "capture")).map(({ transcript }) =>
        basename(transcript)
      );
      for (const transcript of QUEUED) assert.ok(waiting.includes(transcript), transcript);
    });
  });
}

Deno.test("every event of the table has a real stdin, and an answer of its form well before Claude Code gives up", async () => {
  await using home = await indexedHome();
  await runMemo(home, ["daemon", "start"]);
  for (const { name, deadlineMs } of HOOK_EVENTS) {
    const fixtures = fixtureNames().filter((fixture) => fixture.split(".")[0] === name);
    assert.ok(fixtures.length > 0, `test/fixtures/hooks/ has no ${name}`);
    assert.ok(deadlineMs < TIMEOUT_SECONDS * 1000, name);
    for (const fixture of fixtures) {
      await hook(home, JSON.stringify({ ...readFixture(fixture), cwd: home.project }));
    }
  }
});

/** Near to the memory in meaning for either built-in model; by its words it stays below the threshold. */
const BY_MEANING = "how does login with tokens work here";

Deno.test("a warm daemon finds a memory that its words alone would not, once a session", async () => {
  await using home = await indexedHome({ hasModel: true });
  await warmUp(home);
  assert.match(
    await hook(home, prompt(home, BY_MEANING)) ?? "",
    /RS256 and live 15 minutes/,
  );
  assert.equal(await hook(home, prompt(home, BY_MEANING)), undefined);
  assert.match(await hook(home, prompt(home, BY_MEANING, "s2")) ?? "", /RS256/);
});

Deno.test("without a daemon the hook answers by keyword and starts one", async () => {
  await using home = await indexedHome();
  assert.match(
    await hook(home, prompt(home, TOKEN)) ?? "",
    /httpOnly/,
  );
  await until("a daemon", async () => (await runMemo(home, ["daemon", "status"])).code === 0);
});

Deno.test("a daemon that begins to serve while the hook waits has until the hook must answer by itself", async () => {
  await using home = makeHome({ MEMO_HOOK_DEADLINE_MS: "12000" });
  const { lock } = pathsFor(home.env);
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  writeFileSync(lock, `${process.pid}`); // another process is starting the daemon
  const asked = runMemo(home, ["hook"], { stdin: prompt(home, "how do I authenticate") });
  await sleep(1000);
  const head = `"protocol":${PROTOCOL_VERSION},"build":"x"`;
  const result = additionalContext("UserPromptSubmit", "late, by meaning");
  const close = await listen(home, (send, _hangUp, write) => {
    write(ALIVE);
    setTimeout(() => send(`{${head},"ok":true,"result":${JSON.stringify(result)}}\n`), 6500);
  });
  assert.match((await asked).stdout, /late, by meaning/);
  close();
});

Deno.test("the first prompt after an upgrade finds what the new schema has emptied", async () => {
  await using home = await indexedHome();
  await makeOld(join(home.memoHome, "index.db"));
  assert.match(
    await hook(home, prompt(home, TOKEN)) ?? "",
    /httpOnly/,
  );
});

Deno.test("first prompts without an index are answered by words, and leave one that is sound", async () => {
  await using home = makeHome(PATIENCE);
  home.write("reference_jwt.md", JWT);
  const blocks = await Promise.all(
    Array.from(
      { length: 6 },
      (_, i) => hook(home, prompt(home, TOKEN, `s${i}`)),
    ),
  );
  for (const block of blocks) assert.match(block ?? "", /httpOnly/);
  assert.deepEqual(readdirSync(home.memoHome).filter((name) => name.includes("damaged")), []);
});

Deno.test("where no state can be kept, a prompt is answered by words, and nothing is left behind", async () => {
  await using home = makeHome(PATIENCE);
  home.write("reference_jwt.md", JWT);
  rmSync(home.memoHome, { recursive: true });
  symlinkSync(join(home.root, "nowhere", "state"), home.memoHome);
  for (const session of ["s1", "s2"]) {
    const block = await hook(home, prompt(home, TOKEN, session));
    assert.match(block ?? "", /httpOnly/);
  }
  await nothingLeft(home.env["TMPDIR"]!);
  const { stdout } = await runMemo(home, ["doctor"]);
  assert.match(stdout, /^FAIL +state folder +`~\/state` is a broken link/m);
});

/** Waits until a folder is empty: the daemon that a hook has started ends in its own time. */
async function nothingLeft(folder: string): Promise<void> {
  await until(`\`${folder}\` is empty`, () => readdirSync(folder).length === 0);
}

Deno.test("without anything yet the hook says nothing", async () => {
  await using home = makeHome();
  assert.equal(await hook(home, prompt(home, "how do I authenticate")), undefined);
});

Deno.test("the hook does nothing in what memo or a headless run started", async () => {
  await using home = await indexedHome();
  for (const guard of ["CLAUDE_HEADLESS", "MEMO_CHILD"]) {
    for (const event of ["Stop", "SessionStart.compact", "SessionEnd.other"]) {
      await hook(home, captured(home, event), { [guard]: "1" });
    }
    assert.equal(
      await hook(home, prompt(home, TOKEN), { [guard]: "1" }),
      undefined,
    );
  }
  assert.deepEqual(readJobs(join(home.memoHome, "capture")), []);
  assert.equal((await runMemo(home, ["daemon", "status"])).code, 1);
});

Deno.test("the hook answers by its deadline when stdin stays open", async () => {
  await using home = await indexedHome();
  const { spawn } = await import("node:child_process");
  const { MEMO } = await import("../support/home.ts");
  const child = spawn(MEMO, ["hook"], { env: home.env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write('{"hook_event_name":');
  let stdout = "";
  child.stdout.on("data", (bytes) => stdout += bytes);
  const code = await new Promise((done) => child.on("close", done));
  child.stdin.destroy();
  assert.equal(code, 0);
  assert.equal(stdout, "");
});

/** What a hook may be started with by mistake, or by a client that drops its arguments. */
for (const args of [[], ["hooks"], ["search"], ["daemon"], ["--quiet"]]) {
  Deno.test(`with a hook's JSON on stdin memo is the hook: memo ${args.join(" ")}`, async () => {
    await using home = await indexedHome();
    const text = prompt(home, TOKEN);
    const { code, stdout } = await runMemo(home, args, { stdin: text });
    assert.equal(code, 0);
    assert.match(JSON.parse(stdout).hookSpecificOutput.additionalContext, /httpOnly/);
    const cut = await runMemo(home, args, { stdin: text.slice(0, -20) });
    assert.deepEqual([cut.code, cut.stdout], [0, ""]);
  });
}

Deno.test("without a hook's JSON on stdin memo is the command line", async () => {
  await using home = makeHome();
  const help = await runMemo(home, []);
  assert.deepEqual([help.code, help.stdout], [2, ""]);
  assert.match(help.stderr, /^Usage: memo/m);
  assert.equal((await runMemo(home, ["hooks"], { stdin: "no JSON" })).code, 2);
  const stdin = 'The test feeds {"hook_event_name":"Stop"} to the hook';
  const added = await runMemo(home, ["add", "-"], { stdin });
  assert.equal(added.code, 0, added.stderr);
  assert.match((await runMemo(home, ["list"])).stdout, /hook_event_name/);
});
