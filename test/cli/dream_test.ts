// `memo dream` as it is run, with a language model on loopback.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSpending } from "../../src/core/llm/mod.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { type MessagesRequest, serveMessagesApi } from "../support/messages_api.ts";

function contents(home: Home): Record<string, string> {
  const folder = join(home.claude, "memory");
  return Object.fromEntries(
    readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

function memory(name: string, body: string, created: string): string {
  return `---\nname: ${name}\ntype: project\ncreated: ${created}\n---\n${body}\n`;
}

/** A home with four memories that a model has something to say about. */
function prepare(): Home {
  const home = makeHome();
  home.write("old.md", memory("Port of search", "Search listens on port 4001 now.", "2026-05-01"));
  home.write("new.md", memory("Search port", "Search listens on port 9200 now.", "2026-09-01"));
  home.write("freeze.md", memory("Freeze", "Nobody deploys until 2026-06-01.", "2026-05-20"));
  home.write(
    "kept.md",
    memory("Owner", "Ada owns search; the key is sk-ant-api03-no.", "2026-05-20"),
  );
  return home;
}

/** Answers by the names in the question. */
function operations({ messages }: MessagesRequest) {
  const content = messages[0]!.content;
  const prompt = typeof content === "string" ? content : String(content[0]!["text"]);
  const number = (name: string) =>
    Number(new RegExp(`<note number="(\\d+)">\\n${name} \\(`).exec(prompt)?.[1]);
  return [
    {
      ...{ op: "contradiction", because: "It moved" },
      notes: [number("Port of search"), number("Search port")],
    },
    { op: "drop", notes: [number("Freeze")], because: "Its day has passed" },
    {
      ...{ op: "merge", notes: [number("Owner"), number("Search port")] },
      ...{ body: "Ada owns search.", because: "Both are about search" },
    },
    { op: "rewrite", notes: [number("Owner")], body: "Ada owns search.", because: "Shorter" },
  ];
}

Deno.test("memo dream asks a model, shows its diff, changes, reports, logs its cost, and undoes byte for byte", async () => {
  await using api = await serveMessagesApi((request) => [
    { type: "tool_use", name: "answer", input: { operations: operations(request) } },
  ]);
  await using home = prepare();
  const before = contents(home);
  const env = { ...home.env, MEMO_LLM_BASE_URL: api.url };
  const run = (...args: string[]) => runMemo({ ...home, env }, args);

  const dry = await run("dream", "--dry-run");
  assert.match(dry.stdout, /-Nobody deploys until 2026-06-01\.[^]*\+ +- old\.md/);
  assert.match(dry.stderr, /4 memories, would become 2/);
  assert.deepEqual(contents(home), before);

  const done = await run("dream", "--json");
  assert.equal(done.code, 0, done.stderr);
  const dream = JSON.parse(done.stdout).at(-1); // of the user's memories; the project has none
  assert.deepEqual(dream.changes.map((change: { name: string }) => change.name).sort(), [
    ...["Freeze", "Port of search", "Search port"],
  ]);
  assert.match(dream.refused[0].because, /would be lost/);
  assert.equal(dream.refused.length, 1, "to rewrite a note is no proposal");
  assert.equal(contents(home)["kept.md"], before["kept.md"]);
  assert.deepEqual(Object.keys(contents(home)).sort(), ["kept.md", "new.md"]);
  assert.match(contents(home)["new.md"]!, /supersedes:\n +- old\.md/);
  assert.doesNotMatch(readFileSync(join(home.claude, "memory", "MEMORY.md"), "utf8"), /Freeze/);
  const spent = readSpending(join(home.memoHome, "spending.jsonl"));
  assert.deepEqual(spent.map(({ purpose, outcome }) => [purpose, outcome]), [
    ...[["dream", "ok"], ["dream", "ok"]],
  ]);
  assert.match((await run("log")).stdout, /dropped +Freeze \(Its day has passed\)/);

  const undone = await run("dream", "--undo");
  assert.match(undone.stderr, /restored 3 files/);
  assert.deepEqual(contents(home), before);
  assert.equal((await run("dream", "--undo")).code, 1);

  await run("dream", "--force");
  assert.equal(Object.keys(contents(home)).length, 2);
  const { code, stderr } = await run("undo");
  assert.equal(code, 0, stderr);
  assert.deepEqual(contents(home), before);
});

Deno.test("memo dream asks no model when the day's limit is reached, and says so", async () => {
  await using api = await serveMessagesApi(() => []);
  await using home = prepare();
  const env = { ...home.env, MEMO_LLM_BASE_URL: api.url, MEMO_LLM_DAILY_CALLS: "0" };
  const before = contents(home);
  const { code, stderr } = await runMemo({ ...home, env }, ["dream"]);
  assert.equal(code, 0);
  assert.match(stderr, /The language model did not check all memories: Daily limit reached/);
  assert.equal(api.requests.length, 0);
  assert.deepEqual(contents(home), before);
});
