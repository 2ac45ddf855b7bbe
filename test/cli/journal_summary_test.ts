// `memo log --journal --summary`, with a scripted language model on a loopback server.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSpending } from "../../src/core/llm/mod.ts";
import { serveReplies, useModel } from "../capture/support.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";

const BULLETS = ["The release moved to Tuesday", "The login page is <b>half</b> done"];
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

/** A home with a journal of three days, the first of them long ago, and a language model. */
function makeJournal(url: string): Home {
  const home = makeHome({ ANTHROPIC_API_KEY: "k" });
  mkdirSync(join(home.project, ".git"));
  useModel(home, { url });
  const entry = (id: string, text: string) =>
    `### 09:00\n<!-- session:s1 turn:${id} transcript:/t.jsonl -->\n- ${text}\n`;
  const said = [[40, "Long ago"], [3, "Moved the release"], [
    1,
    `Used </log> and ${TOKEN}`,
  ]] as const;
  for (const [ago, text] of said) {
    home.keep(`journal/${dayAgo(ago)}.md`, `## Session 09:00\n\n${entry(`t${ago}`, text)}`);
  }
  return home;
}

/** A local day, as the journal names its files. */
function dayAgo(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0")).join("-");
}

Deno.test("memo log --journal --summary sums up the last days, keeps that in the journal, and asks no second time", async () => {
  await using api = await serveReplies({ bullets: BULLETS });
  await using home = makeJournal(api.url);
  const first = await runMemo(home, ["log", "--journal", "--summary"]);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stdout, BULLETS.map((bullet) => `- ${bullet}\n`).join(""));
  assert.match(first.stderr, /^2 entries from .* to .*; saved in `.*\.md`$/m);
  const asked = JSON.stringify(api.requests);
  assert.ok(asked.includes("Moved the release") && !asked.includes("Long ago"));
  assert.ok(!asked.includes(TOKEN), "redacted");
  assert.equal(asked.match(/<\/log>/g)?.length, 1, "the log cannot end its own block");
  const spent = readSpending(join(home.memoHome, "spending.jsonl"));
  assert.deepEqual(spent.map(({ purpose, outcome }) => [purpose, outcome]), [["summary", "ok"]]);

  const today = join(home.privately, "journal", `${dayAgo(0)}.md`);
  const kept = readFileSync(today, "utf8");
  const heading = `## Summary of ${dayAgo(3)} to ${dayAgo(1)}\n\n### `;
  assert.ok(kept.startsWith(heading), kept);
  const { stdout } = await runMemo(home, ["log", "--journal"]);
  assert.match(stdout, /- The release moved to Tuesday/);

  const again = await runMemo(home, ["log", "--journal", "--summary", "--json"]);
  const { isNew, entries, bullets } = JSON.parse(again.stdout);
  assert.deepEqual([isNew, entries, bullets.length], [false, 2, 2]);
  assert.equal(api.requests.length, 1);
  assert.equal(readFileSync(today, "utf8"), kept);

  const more = await runMemo(home, ["log", "--journal", "--summary", "--since", "60d", "--json"]);
  assert.deepEqual(JSON.parse(more.stdout).entries, 3, "no summary is summed up");
  assert.equal(api.requests.length, 2);
});

Deno.test("memo log --journal --summary sums up a long log in pieces, and those together", async () => {
  await using api = await serveReplies({ bullets: BULLETS });
  await using home = makeJournal(api.url);
  const long = Array.from({ length: 400 }, (_, i) => {
    const said = `Step ${i} `.repeat(30);
    return `### 10:00\n<!-- session:s2 turn:u${i} transcript:/t.jsonl -->\n- ${said}\n`;
  });
  home.keep(`journal/${dayAgo(2)}.md`, `## Session 10:00\n\n${long.join("\n")}`);
  await succeed(home, ["log", "--journal", "--summary"]);
  assert.ok(api.requests.length > 2, `${api.requests.length}`);
  const last = JSON.stringify(api.requests.at(-1));
  assert.ok(last.includes(BULLETS[0]!) && !last.includes("Step 1"));
});

Deno.test("memo log --journal --summary says what is missing, and writes nothing then", async () => {
  await using home = makeHome({ PATH: "/usr/bin:/bin" });
  mkdirSync(join(home.project, ".git"));
  const none = await runMemo(home, ["log", "--journal", "--summary"]);
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.match(none.stderr, /^No entries since \d{4}-\d\d-\d\d; `memo log --journal --list`/);
  const entry = "### 09:00\n<!-- session:s turn:t transcript:/t -->\n- Something\n";
  home.keep(`journal/${dayAgo(1)}.md`, entry);
  const alone = await runMemo(home, ["log", "--journal", "--summary"]);
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /^error: Cannot ask a language model: /);
  assert.equal((await runMemo(home, ["log", "--journal", "--since", "3d"])).code, 2);
  assert.equal((await runMemo(home, ["log", "--journal", "yesterday", "--summary"])).code, 2);
  await using api = await serveReplies({ bullets: [] });
  useModel(home, api);
  const env = { ...home.env, ANTHROPIC_API_KEY: "k" };
  const empty = await runMemo({ ...home, env }, ["log", "--journal", "--summary"]);
  assert.match(empty.stderr, /gave no summary/);
  assert.notEqual(empty.code, 0);
});
