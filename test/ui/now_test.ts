// What the page tells of the model's memory, from real hooks through the real daemon.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Home, makeHome, PATIENCE, runMemo, warmUp } from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { callPage, enterPage } from "../support/page.ts";

const SESSION = "5e0b9a3c-0000-4000-8000-000000000001";
const PROMPT = "which port has the kiln service";
const REPLY = "The kiln service listens on port 7070.";

/** A home with a memory that fits the prompt and one that does not. */
async function equipped(options: Parameters<typeof makeHome>[1] = {}): Promise<Home> {
  const home = makeHome(PATIENCE, options);
  home.write("kiln.md", memory("Kiln <b>port</b>", "The kiln service listens on port 7070."));
  home.write("paint.md", memory("Paint", "The fence is painted green every spring."));
  await runMemo(home, ["index"]);
  await warmUp(home);
  return home;
}

function memory(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${name}\ntype: tool\n---\n${body}\n`;
}

/** Sends an event of the session, and returns the context that the model gets. */
async function hook(home: Home, event: string, fields: object): Promise<string> {
  const own = { session_id: SESSION, transcript_path: transcriptOf(home) };
  return (await sendHook(home, event, { ...own, ...fields })).block;
}

function transcriptOf(home: Home): string {
  return join(home.claude, "projects", "-project", `${SESSION}.jsonl`);
}

/** The last line of each transcript. */
const last = new Map<string, string>();

/** Adds a line to the transcript, as Claude Code writes it. */
function write(home: Home, line: object): void {
  const path = transcriptOf(home);
  mkdirSync(dirname(path), { recursive: true });
  const uuid = crypto.randomUUID();
  const at = new Date().toISOString();
  const parentUuid = last.get(path) ?? null;
  last.set(path, uuid);
  const whole = { parentUuid, isSidechain: false, uuid, sessionId: SESSION, timestamp: at };
  appendFileSync(path, JSON.stringify({ ...whole, version: "2.1.330", ...line }) + "\n");
}

/** Adds what the user or the model has said to the transcript. */
function said(home: Home, role: "user" | "assistant", id: string, content: unknown): void {
  write(home, { type: role, promptId: id, message: { role, id, content } });
}

/** Adds a block that a hook gave. */
function attach(home: Home, hookEvent: string, block: string): void {
  const attachment = { type: "hook_additional_context", hookEvent, content: [block] };
  write(home, { type: "attachment", attachment });
}

/** A session's start, whose block is in the transcript. */
async function start(home: Home): Promise<void> {
  attach(home, "SessionStart", await hook(home, "SessionStart.startup", {}));
}

/** A prompt with its answer, as hooks and transcript have it; returns the block. */
async function ask(home: Home, prompt: string, id: string): Promise<string> {
  said(home, "user", id, prompt);
  const block = await hook(home, "UserPromptSubmit", { prompt, prompt_id: id });
  if (block !== "") attach(home, "UserPromptSubmit", block);
  said(home, "assistant", id, [{ type: "text", text: REPLY }]);
  await hook(home, "Stop", { prompt_id: id, last_assistant_message: REPLY });
  return block;
}

Deno.test("the page, memo recall --log and --explain say that a memory came by the turn before", async () => {
  await using home = await equipped({ hasModel: true });
  said(home, "user", "p1", "what is new?");
  said(home, "assistant", "p1", [{ type: "text", text: REPLY }]);
  const again = ["recall", "--explain", "--session", SESSION, "but why is that?"];
  const explained = await runMemo(home, again);
  const why = await hook(home, "UserPromptSubmit", { prompt: "but why is that?", prompt_id: "p2" });
  assert.match(why, /7070/);
  const { sessions } = await (await enterPage(home)).read("now");
  const reason = sessions[0].entries[0].given[0].reason;
  assert.match(reason, /^matched the previous prompt: “what is new\?”/);
  const log = (await runMemo(home, ["recall", "--log"])).stdout;
  assert.ok(log.includes(`(${reason})`), log);
  assert.ok(explained.stdout.includes(`): ${reason}`), explained.stdout);
});

Deno.test("a prompt is told with what it was given, what was left out, why, and what became of it", async () => {
  await using home = await equipped({ hasModel: true });
  await start(home);
  const block = await ask(home, PROMPT, "p1");
  assert.match(block ?? "", /7070/);
  await ask(home, "and how often is the fence painted in which colour", "p2");
  const { at, token, read } = await enterPage(home);

  const { sessions, cursor, hasEarlier } = await read("now", {});
  assert.equal(sessions.length, 1);
  assert.equal(hasEarlier, false);
  const [{ id, project, prompts, entries }] = sessions;
  assert.deepEqual({ id, project, prompts }, { id: SESSION, project: "project", prompts: 2 });
  const [second, first] = entries;
  assert.equal(first.kind, "prompt");
  assert.equal(first.prompt, PROMPT);
  assert.equal(first.outcome, "hit");
  assert.ok(first.chars >= block!.length);
  assert.ok(first.ms.retrieve >= 0);
  const [kiln] = first.given;
  assert.equal(kiln.title, "Kiln <b>port</b>");
  assert.equal(kiln.strategy, "hybrid");
  assert.equal(kiln.scope, "user");
  assert.ok(kiln.score > kiln.threshold, "it is over the threshold");
  assert.equal(kiln.isUsed, true);
  const paint = first.left.find(({ title }: { title: string }) => title === "Paint");
  assert.equal(paint.because, "below threshold");
  assert.ok(paint.score < paint.threshold);
  assert.equal(second.given[0].title, "Paint");
  assert.equal(second.given[0].isUsed, undefined, "its turn may go on");
  for (const each of [...first.given, ...first.left]) {
    assert.ok(!("path" in each), "the page has no path");
    assert.match(each.id, /^[\w-]{16}$/);
  }

  const whole = await read("given", { id: first.id });
  assert.equal(whole.block, block);
  assert.equal(whole.delivery, "delivered");
  assert.equal((await callPage(at, "given", { id: "x" }, token)).status, 404);

  assert.deepEqual(await read("now", { seen: cursor }), { cursor, isUnchanged: true });
  await hook(home, "UserPromptSubmit", { prompt: "ok", prompt_id: "p3" });
  const later = await read("now", { seen: cursor });
  assert.equal(later.sessions[0].prompts, 3);
  assert.equal(later.sessions[0].entries[0].why, "too short");
});

Deno.test("a session's start is told with each memory that it gave, and what it gave says so later", async () => {
  await using home = await equipped();
  const block = await hook(home, "SessionStart.startup", {});
  for (const title of [/^- Paint$/m, /^- Kiln/m]) assert.match(block, title);
  const { sessions: [{ entries }] } = await (await enterPage(home)).read("now");
  const [{ kind, given, titles }] = entries;
  const named = given.map(({ title, form }: Record<string, string>) => [title, form]);
  assert.deepEqual({ kind, titles }, { kind: "start", titles: 0 });
  assert.deepEqual(named.sort(), [["Kiln <b>port</b>", "title"], ["Paint", "title"]]);
  assert.match((await runMemo(home, ["recall", "--log"])).stdout, /SessionStart +hit .* 2 titles/);
});

Deno.test("receipts that are malformed, and memories that are gone, leave the rest to be seen", async () => {
  await using home = await equipped();
  const receipts = join(home.memoHome, "receipts.jsonl");
  const at = new Date().toISOString();
  const gone = join(home.claude, "memory", "gone.md");
  const lines = [
    { at, memories: 5, chars: 0, ms: {} },
    { at: "yesterday", memories: [], chars: 0, ms: {} },
    { at, memories: [{ path: 1 }], chars: 0, ms: {} },
    { at, memories: [], misses: {}, chars: 0, ms: {} },
    null,
    "text",
    { at, outcome: "hit", memories: [{ path: gone }, { path: "/etc/passwd" }], chars: 9, ms: {} },
  ];
  for (const line of lines) appendFileSync(receipts, JSON.stringify(line) + "\n");
  const { sessions: [{ project, entries }] } = await (await enterPage(home)).read("now");
  assert.equal(project, null);
  assert.equal(entries.length, 1);
  // A path that lies in no memory folder is not read, whatever a receipt says.
  assert.deepEqual(
    entries[0].given.map(({ id, title }: { id: unknown; title: string }) => ({ id, title })),
    [{ id: null, title: "gone" }, { id: null, title: "passwd" }],
  );
});

Deno.test("days come one by one, and a session is told from its start", async () => {
  await using home = makeHome({}, { hasModel: true });
  const receipts = join(home.memoHome, "receipts.jsonl");
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const line = (session: string, days: number) =>
    JSON.stringify({ at: day(days), session, outcome: "no hit", memories: [], chars: 0, ms: {} });
  const lines = [line("a", 9), line("b", 5), line("a", 5), line("c", 2)];
  appendFileSync(receipts, lines.join("\n") + "\n");
  const { read } = await enterPage(home);
  const told = async (days: number) => {
    const { sessions, hasEarlier } = await read("now", { days });
    const counts = sessions.map(({ id, entries }: { id: string; entries: unknown[] }) =>
      `${id} ${entries.length}`
    );
    return { counts, hasEarlier };
  };
  assert.deepEqual(await told(1), { counts: ["c 1"], hasEarlier: true });
  assert.deepEqual(await told(2), { counts: ["c 1", "a 2", "b 1"], hasEarlier: true });
  assert.deepEqual(await told(3), { counts: ["c 1", "a 2", "b 1"], hasEarlier: false });
});
