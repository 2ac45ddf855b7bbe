import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Conversation } from "../../tools/bench/sessions/conversation.ts";
import { sessionOf, transcriptOf } from "../../tools/bench/sessions/transcript.ts";
import { autoName } from "../../src/memory/scopes.ts";
import { readReply } from "../../src/statistics/prove/repeats.ts";
import { split } from "../../src/statistics/prove/conversations.ts";
import { filesIn, MEMORY, turn } from "../capture/support.ts";
import { type Home, makeHome, MEMO, runMemo } from "../support/home.ts";
import { type MessagesRequest, serveMessagesApi } from "../support/messages_api.ts";

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const said = (...prompts: string[]) =>
  prompts.map((user) => ({ user, steps: [{ say: "I ran npm install." }] }));

const OLDER: Conversation = {
  ...{ id: "older", project: "p", at: ago(9) },
  turns: said("install zod", "no, pnpm and never npm, npm wrote a second lockfile"),
};
const NEWER: Conversation = {
  ...{ id: "newer", project: "p", at: ago(2) },
  turns: said("install fast-check", "stop, we use pnpm here, not npm", "and run the tests"),
};

const CAPTURED = { journal: [{ turn: 1, bullets: ["The user asked"] }], memories: [MEMORY] };
const isProof = ({ system }: MessagesRequest) =>
  JSON.stringify(system).includes("You compare what a developer typed");

/** Answers about the older part with a memory, and about the newer one with repeats. */
const answering = (repeats: readonly object[]) =>
  serveMessagesApi((request: MessagesRequest) => {
    const input = isProof(request) ? { repeats } : CAPTURED;
    return [{ type: "tool_use", name: "answer", input }];
  });

function equip(home: Home, url: string): void {
  const settings = `llm: {provider: anthropic, base_url: "${url}"}\n`;
  appendFileSync(join(home.memoHome, "config.yaml"), settings);
  mkdirSync(join(home.project, ".git"));
  for (const conversation of [OLDER, NEWER]) {
    const file = `.claude/projects/${autoName(home.project)}/${sessionOf(conversation)}.jsonl`;
    home.write(file, transcriptOf(conversation, { cwd: home.project }));
  }
}

const FOUND = { prompt: 2, note: 1, kind: "correction", words: "we use pnpm here, not npm" };

Deno.test("memo prove names its price, finds what was said again, and leaves nothing behind", async () => {
  await using home = makeHome();
  const invented = { ...FOUND, prompt: 3, words: "always use pnpm" };
  await using api = await answering([FOUND, invented]);
  equip(home, api.url);
  const before = filesIn(home.claude);
  const first = await runMemo(home, ["prove"]);
  assert.match(
    first.stderr,
    /^1 conversation before .* and 1 after it: 2 questions to .*\$0\.\d\d$/m,
  );
  assert.match(first.stderr, /^hint: Run `memo prove --yes`/m);
  assert.deepEqual([first.stdout, api.requests.length], ["", 0]);

  const done = await runMemo(home, ["prove", "--yes", "--json"]);
  assert.equal(done.code, 0, done.stderr);
  const { older, newer, memories, prompts, repeats, cost } = JSON.parse(done.stdout);
  assert.deepEqual([older, newer, memories, prompts, cost.calls], [1, 1, 1, 3, 2]);
  assert.equal(repeats.length, 1);
  const [{ kind, words, memory, stood }] = repeats;
  assert.deepEqual([kind, words, memory, stood], [
    ...["correction", FOUND.words, "Use pnpm, never npm", "before"],
  ]);

  const { stdout } = await runMemo(home, ["prove", "--yes"]);
  assert.match(stdout, /^1 memory of what was said before .*, 3 prompts since\n\n/);
  assert.match(
    stdout,
    /“we use pnpm here, not npm”\n +Use pnpm, never npm\n +in context before you/,
  );
  assert.match(stdout, /You said 1 thing again, 1 of them to correct: memo would have had 1 in /);
  assert.match(stdout, /\nCost: 2 questions, [\d,]+ tokens, \$0\.\d\d\n$/);

  const spent = readFileSync(join(home.memoHome, "spending.jsonl"), "utf8").trim().split("\n");
  assert.equal(spent.length, 4);
  for (const line of spent) assert.ok(Date.now() - Date.parse(JSON.parse(line).at) < DAY_MS, line);
  assert.deepEqual(filesIn(home.claude), before);
  const left = readdirSync(home.memoHome).toSorted();
  assert.deepEqual(left.filter((name) => !/^(?:runtime|models|logs)$/.test(name)), [
    ...["config.yaml", "spending.jsonl"],
  ]);
});

Deno.test("memo prove says what stands in its way before it asks anything", async () => {
  await using home = makeHome();
  await using api = await answering([]);
  const none = await runMemo(home, ["prove", "--yes"]);
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(none.stderr, /^Found too few conversations of the last 30d/);
  equip(home, api.url);
  const poor = { ...home, env: { ...home.env, MEMO_LLM_DAILY_CALLS: "1" } };
  const { code, stderr } = await runMemo(poor, ["prove", "--yes"]);
  assert.equal(code, 2);
  assert.match(stderr, /^error: Cannot ask 2 questions: the settings allow 1, .*\n\nhint: /m);
  assert.equal(api.requests.length, 0);
  assert.ok(!existsSync(join(home.memoHome, "prove")));
  assert.equal((await runMemo(home, ["prove", "--last", "soon"])).code, 2);
});

Deno.test({
  name: "memo prove that is ended with Ctrl-C leaves nothing but the account of what it spent",
  ignore: process.platform === "win32",
  async fn() {
    await using home = makeHome();
    const proof = Promise.withResolvers<void>(), never = Promise.withResolvers<never>();
    await using api = await serveMessagesApi((request: MessagesRequest) => {
      if (!isProof(request)) return [{ type: "tool_use", name: "answer", input: CAPTURED }];
      proof.resolve();
      return never.promise;
    });
    equip(home, api.url);
    const child = spawn(MEMO, ["prove", "--yes"], {
      ...{ cwd: home.project, env: home.env, stdio: "ignore" },
    });
    const ended = new Promise((done) => child.on("exit", done));
    await proof.promise;
    assert.ok(existsSync(join(home.memoHome, "prove", "claude", "memory")));
    child.kill("SIGINT");
    await ended; // with 130, which Deno takes for the signal itself
    const left = readdirSync(home.memoHome).filter((name) => /^(?:prove|spending)/.test(name));
    assert.deepEqual(left, ["spending.jsonl"]);
  },
});

Deno.test("split() gives no memory what was said after the newer part has begun", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute)).toISOString();
  const turns = (...minutes: number[]) =>
    minutes.map((minute) => turn({ id: `t${minute}`, at: at(minute), prompt: `at ${minute}` }));
  const long = { transcript: "/a.jsonl", turns: turns(0, 1, 9) };
  const late = { transcript: "/b.jsonl", turns: turns(5, 6) };
  const parts = split([long, late])!;
  assert.equal(parts.at, at(5));
  assert.deepEqual(parts.older.map(({ turns }) => turns.map(({ id }) => id)), [["t0", "t1"]]);
  assert.deepEqual(parts.newer.map((prompts) => prompts.map(({ text }) => text)), [[
    "at 5",
    "at 6",
  ]]);
  assert.equal(split([long]), undefined);
});

Deno.test("a repeat counts only in words that its prompt has, and once", () => {
  const memories = [{ path: "/m.md", name: "Use pnpm" }] as unknown as Parameters<
    typeof readReply
  >[2];
  const prompts = [{ text: "Please use PNPM,\nnot npm!", reply: "" }, { text: "go on", reply: "" }];
  const read = (...repeats: object[]) => readReply({ repeats }, prompts, memories).length;
  const right = { prompt: 1, note: 1, kind: "explanation", words: "use pnpm, not npm" };
  assert.equal(read(right), 1);
  assert.equal(read(right, { ...right, words: "not npm" }), 1);
  for (
    const wrong of [
      { words: "never npm" },
      { words: "us" },
      { prompt: 2 },
      { prompt: 3 },
      { note: 2 },
      { kind: "other" },
      { words: 7 },
    ]
  ) assert.equal(read({ ...right, ...wrong }), 0, JSON.stringify(wrong));
  assert.throws(() => readReply({}, prompts, memories), /another shape/);
});

Deno.test("memo prove refuses before it begins where its questions may not be sent", async () => {
  for (const send of ["off", "prove", "capture"]) {
    await using home = makeHome({ MEMO_SEND: send });
    await using api = await answering([]);
    equip(home, api.url);
    const { code, stderr } = await runMemo(home, ["prove", "--yes"]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^error: Cannot ask a language model: .*`send`/m);
    assert.deepEqual([api.requests.length, existsSync(join(home.memoHome, "prove"))], [0, false]);
  }
});
