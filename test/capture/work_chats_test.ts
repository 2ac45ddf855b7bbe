// Conversations that are no file: their turns come with the job, and what was captured of them is known by their link.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { knownCursor, readCursors, sweepChats } from "../../src/core/capture/cursor.ts";
import {
  capture,
  complete,
  hasKept,
  STEPS,
  type WorkOptions,
} from "../../src/core/capture/work.ts";
import type { Turn } from "../../src/core/transcript/turns.ts";
import { temporaryFolder } from "../support/temp.ts";
import { filesIn, turn } from "./support.ts";
import { plainPipeline } from "./worker.ts";

const LINK = "https://chatgpt.com/c/a1b2c3d4-0000-4000-8000-000000000100";
const NOW = new Date("2026-11-21T12:00:00Z");

/** The turns of a chat, each long enough for a portion of its own. */
const turnsOf = (...ids: string[]): Turn[] =>
  ids.map((id, i) =>
    turn({ id, session: "a1b2c3d4", prompt: `${id} ${"x".repeat(900)}`, end: i + 1 })
  );

function setUp(root: string) {
  const memory = join(root, "memory"), folder = join(root, "capture");
  mkdirSync(memory);
  const options: WorkOptions = {
    ...{ capture: folder, off: { home: root }, pipeline: plainPipeline(memory) },
    ...{ log: () => {}, isNow: true },
    ...{ portionChars: 800, signal: new AbortController().signal, now: () => NOW },
    ...{ lastMessage: () => undefined, after: () => Promise.resolve() },
  };
  const where = { transcript: LINK, cwd: "/home/dev", claude: "/home/dev/.claude" };
  const job = { ...where, since: NOW.toISOString(), attempts: 0, overAt: NOW.toISOString() };
  return {
    ...{ options, folder },
    take: (turns: Turn[], more: Partial<WorkOptions> = {}) =>
      capture({ ...job, isUrgent: true }, { ...options, turns, ...more }),
    asked: () => readFileSync(join(memory, "asked"), "utf8").trim().split("\n"),
    written: () =>
      Object.values(filesIn(memory)).flatMap((text) => /^ {2}turn: (\w+)$/m.exec(text)?.[1] ?? []),
  };
}

Deno.test("of a chat that is captured again only what is new in it is asked about, even if it was edited", async () => {
  using root = temporaryFolder();
  const { take, asked, written, folder } = setUp(root.path);
  await take(turnsOf("a", "b", "c"));
  assert.deepEqual(asked(), ["a", "b", "c"]);
  await take(turnsOf("a", "b", "c"));
  await take(turnsOf("a", "edited", "d"));
  assert.deepEqual(asked(), ["a", "b", "c", "edited", "d"]);
  assert.deepEqual(written().sort(), ["a", "b", "c", "d", "edited"]);
  await take(turnsOf("a"), { again: true });
  assert.deepEqual(asked().slice(5), ["a"]);
  assert.deepEqual(readCursors(folder), [], "sessions do not read through thousands of chats");
});

Deno.test("what the person said earlier in a chat counts in its later portions", async () => {
  using root = temporaryFolder();
  const { take, options } = setUp(root.path);
  const seen: (readonly string[])[] = [];
  const plan: WorkOptions["pipeline"]["plan"] = async (turns, where) => {
    if (await where.conversation?.read()) seen.push(where.conversation!.typed);
    return await options.pipeline.plan(turns, where);
  };
  await take(turnsOf("a", "b"), { pipeline: { ...options.pipeline, plan } });
  assert.deepEqual(seen.map((typed) => typed.map((text) => text[0])), [["a", "b"], ["a", "b"]]);
});

for (const step of STEPS) {
  Deno.test(`a chat whose capture is killed after "${step}" has each turn once in the end`, async () => {
    using root = temporaryFolder();
    const { take, written, options, folder } = setUp(root.path);
    const turns = turnsOf("a", "b", "c");
    let isAlive = true;
    const killed = take(turns, {
      after: (done) => {
        if (done !== step || !isAlive) return Promise.resolve();
        isAlive = false;
        return Promise.reject(new Error("killed"));
      },
    });
    await assert.rejects(killed, /killed/);
    await complete(options); // what the daemon does, which has no turns
    await take(turns);
    assert.deepEqual(written().sort(), ["a", "b", "c"]);
    assert.equal(hasKept(folder), false);
  });
}

Deno.test("what was captured of a chat is known for two years", async () => {
  using root = temporaryFolder();
  const { take, folder } = setUp(root.path);
  await take(turnsOf("a"));
  const isKnown = () => knownCursor(folder, LINK) !== undefined;
  const [name] = Object.keys(filesIn(join(folder, "chats")));
  const path = join(folder, "chats", name!);
  const DAY_MS = 86_400_000;
  for (const [days, expected] of [[700, true], [740, false]] as const) {
    const then = new Date(NOW.getTime() - days * DAY_MS);
    utimesSync(path, then, then);
    assert.equal(sweepChats(folder, NOW), expected ? 0 : 1);
    assert.deepEqual([isKnown(), existsSync(path)], [expected, expected], `${days} days`);
  }
});
