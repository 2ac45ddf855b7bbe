// "Nothing is sent": with the real executable, a loopback Messages API and a stand-in `claude` that write down whatever
// reaches them, over every hook, command and job that could ask a language model.

import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { leaveNotices } from "../src/core/change/follow.ts";
import { Engine } from "../src/core/engine/engine.ts";
import { runJobs } from "../src/core/engine/jobs.ts";
import { FEATURES } from "../src/features.ts";
import { readSpending } from "../src/core/llm/mod.ts";
import { memoryFolders, placeIn } from "../src/core/memory/scopes.ts";
import { pathsFor } from "../src/paths.ts";
import { fixtureNames, readFixture } from "./support/fixtures.ts";
import { type Home, makeHome, runMemo, succeed } from "./support/home.ts";
import { callTool } from "./mcp/support.ts";
import { type MessagesApi, serveMessagesApi } from "./support/messages_api.ts";
import { sendHook } from "./support/send_hook.ts";

const TRANSCRIPT = new URL("./fixtures/transcripts/bugfix.jsonl", import.meta.url);
const CHATS = fileURLToPath(new URL("./fixtures/chats/chatgpt.json", import.meta.url));
const DAY_MS = 86_400_000;

/** What people do to send nothing. */
const FORMS: Readonly<Record<string, (home: Home) => Promise<unknown> | void>> = {
  "memo was installed, and that was all": (home) => choose(home, "init", "--scope", "user"),
  "memo init was answered with Off": (home) =>
    choose(home, "init", "--yes", "--capture", "off", "--check", "no"),
  "memo config set send=off was typed": (home) => choose(home, "config", "set", "send=off"),
  "capture was turned off under an earlier version": (home) =>
    appendFileSync(join(home.memoHome, "config.yaml"), "capture.enabled: false\n"),
};

/** A home with memories that an upkeep would ask about, conversations to capture, and a language model in reach. */
async function makeTempted(
  api: MessagesApi,
  mayBeSent: boolean,
  take: (home: Home) => Promise<unknown> | void = () => {},
): Promise<Home> {
  const bare = makeHome(
    { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: api.url },
    { mayBeSent },
  );
  const home = {
    ...bare,
    env: { ...bare.env, PATH: `${join(bare.root, "bin")}:${bare.env["PATH"]}` },
  };
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "claude"),
    `#!/bin/sh\ncase "$1" in --version|-v) echo "2.1.330 (Claude Code)"; exit 0;; auth) exit 0;; esac\n` +
      `echo "$@" >> "${join(home.root, "claude.log")}"\nexit 1\n`,
  );
  chmodSync(join(bin, "claude"), 0o755);
  await take(home); // `init` waits for the vectors of notes that are there
  for (let i = 0; i < 12; i++) {
    const note = `---\ntype: project\n---\nThe salary run of month ${i} is paid on the 28th\n`;
    home.keep(`project_${i}.md`, note);
    home.write(`reference_${i}.md`, note);
  }
  const today = new Date().toISOString().slice(0, 10);
  home.keep(`journal/${today}.md`, "## Session 09:00\n\n### 09:00\n- Moved the release\n");
  const folder = join(home.claude, "projects", home.project.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < 8; i++) {
    const path = join(folder, `s${i}.jsonl`);
    const text = readFileSync(TRANSCRIPT, "utf8").replaceAll(
      /"cwd":"[^"]*"/g,
      () => `"cwd":${JSON.stringify(home.project)}`,
    );
    writeFileSync(path, text);
    utimesSync(path, new Date(), new Date(Date.now() - i * 3_600_000));
  }
  copyFileSync(join(folder, "s0.jsonl"), transcriptOf(home));
  return home;
}

function transcriptOf({ root }: Home): string {
  return join(root, "session.jsonl");
}

/** Runs a command that must succeed. */
const choose = async (home: Home, ...args: readonly string[]) => void await succeed(home, args);

/** Runs memo, whatever becomes of it. */
async function run(home: Home, ...args: readonly string[]): Promise<void> {
  await runMemo(home, args);
}

/** Every hook, with a dream that is due. */
async function hear(home: Home): Promise<void> {
  for (const name of [...fixtureNames(), "SessionStart.compact", "SessionEnd.other"]) {
    await sendHook(home, name, { transcript_path: transcriptOf(home), session_id: "s-own" });
  }
}

/** What the daemon does without being asked: at a session's start, after a capture, and at the end of a day. */
async function doUpkeep(home: Home): Promise<void> {
  const { env } = home, paths = pathsFor(env);
  const place = placeIn(paths, home.project);
  const engine = new Engine({ paths, env, log: () => {}, background: false, features: FEATURES });
  for (const folder of memoryFolders(place)) await engine.sync(folder);
  const { signal } = new AbortController();
  for (const days of [0, 1, 8]) {
    const now = new Date(Date.now() + days * DAY_MS);
    const context = { engine, place, env, log: () => {}, now, signal };
    for (const after of ["SessionStart", "capture"] as const) await runJobs({ ...context, after });
  }
  await engine.close();
}

/** The commands that ask a language model, typed, and the tool that does. */
async function type(home: Home): Promise<void> {
  await callTool(home, "memory_ask", { question: "when is the salary of month 3 paid?" });
  await run(home, "config", "set", "recall.preset=best");
  await run(home, "recall", "when is the salary paid?");
  await run(home, "search", "when is the salary paid?", "--strategy", "sidequery");
  await run(home, "dream", "--enrich");
  await run(home, "dream");
  await run(home, "log", "--journal", "--summary");
  await run(home, "import", "conversations", transcriptOf(home));
  await run(home, "import", "conversations", "--yes");
  await run(home, "import", "conversations", CHATS, "--all", "--yes");
}

/** What reached a language model, in words. */
function sent(home: Home, { requests }: MessagesApi): string[] {
  const asked = readSpending(pathsFor(home.env).spending).map(({ purpose }) => purpose);
  return [...requests.map(() => "a request"), ...asked, ...linesOf(join(home.root, "claude.log"))];
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

for (const [form, take] of Object.entries(FORMS)) {
  Deno.test(`nothing is sent by any hook, job or command where ${form}`, async () => {
    await using api = await serveMessagesApi(() => [{ type: "text", text: "no" }]);
    await using home = await makeTempted(api, false, take);
    await type(home);
    if (/Off|off/.test(form)) await run(home, "doctor", "--deep");
    await hear(home);
    await doUpkeep(home);
    await run(home, "daemon", "stop");
    assert.deepEqual(sent(home, api), []);
  });
}

Deno.test("the same is sent for every purpose where the person has said yes to it", async () => {
  await using api = await serveMessagesApi(() => [{ type: "text", text: "no" }]);
  await using home = await makeTempted(api, true);
  await type(home);
  await hear(home);
  await doUpkeep(home);
  await run(home, "daemon", "stop");
  const purposes = new Set(readSpending(pathsFor(home.env).spending).map(({ purpose }) => purpose));
  for (const purpose of ["extract", "enrich", "dream", "ask", "summary", "sidequery"]) {
    assert.ok(purposes.has(purpose), `${purpose} is in ${[...purposes]}`);
  }
});

Deno.test("a session's start says once what is off until it is turned on, and nothing once that is answered", async () => {
  await using api = await serveMessagesApi(() => [{ type: "text", text: "no" }]);
  await using home = await makeTempted(api, false);
  const start = async (attended = "1") => {
    const own = { transcript_path: transcriptOf(home), session_id: "s-own" };
    const there = { ...home, env: { ...home.env, CLAUDE_CODE_SESSION_ATTENDED: attended } };
    return (await sendHook(there, "SessionStart.startup", own)).notice;
  };
  await runMemo(home, ["daemon", "start"]);
  leaveNotices(pathsFor(home.env).notices, [{
    ...{ at: "2026-11-21T10:00:00Z", what: "forgot", name: "Use pnpm", session: "s-other" },
    folder: join(home.claude, "memory"),
  }]);
  assert.equal(await start("0"), "", "nobody would see it");
  assert.match(
    await start(),
    /nothing is sent to a language model, until you turn it on · memo init[^]*forgot “Use pnpm”/,
  );
  assert.doesNotMatch(await start(), /until you turn it on/);

  for (const answered of ["send: off\n", "send: capture\n", "send: [\n"]) { // an answer that cannot be read is one all the same
    await using later = await makeTempted(api, false);
    writeFileSync(join(later.memoHome, "config.yaml"), answered);
    await runMemo(later, ["daemon", "start"]);
    const stdin = JSON.stringify({ ...readFixture("SessionStart.startup"), cwd: later.project });
    const { stdout } = await runMemo(later, ["hook"], { stdin });
    assert.notEqual(stdout, "");
    assert.doesNotMatch(stdout, /until you turn it on/);
  }
});
