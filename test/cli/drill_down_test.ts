// From a memory to the conversation that it comes from, with the real executable.

import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { appendEntry, journalEntry } from "../../src/core/journal/journal.ts";
import { transcriptCommand } from "../../src/core/memory/memory.ts";
import { localTime } from "../../src/core/text/counted.ts";
import { projectOf } from "../../src/core/memory/project.ts";
import { privateFolder } from "../../src/core/memory/scopes.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";

const SESSION = "8f8ff854-693d-42cf-b2e3-53b09f8a00c6";
const TURN = "c29e4f67-3441-4172-8b06-fb120258dfcb";
const CAPTURED = new URL("../fixtures/transcripts/bugfix.jsonl", import.meta.url);

function addTranscript(home: Home, session = SESSION): string {
  const path = join(home.claude, "projects", "-home-dev", `${session}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(CAPTURED, path);
  return path;
}

async function run(home: Home, ...args: string[]): Promise<string> {
  const stdout = await succeed(home, args);
  return stdout;
}

/** How a command failed: its exit code and what it said. */
async function failure(home: Home, ...args: string[]): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await runMemo(home, args);
  assert.equal(stdout, "");
  return [code, stderr];
}

Deno.test("memo show --history leads to the conversation and to other versions", async () => {
  await using home = makeHome();
  addTranscript(home);
  const source = `source:\n  session: ${SESSION}\n  turn: ${TURN}\n`;
  home.write(
    "decision_utc.md",
    `---\nname: Due dates are UTC\ntype: decision\nsupersedes: [decision_local.md]\n${source}---\nDue dates are UTC midnight.\n`,
  );
  home.write(
    "pattern_dates.md",
    "---\nname: No moment\ntype: pattern\n---\nNever use moment.js for dates.\n",
  );
  home.write("user_plants.md", "---\nname: Plants\ntype: user\n---\nThe ficus needs water.\n");
  home.write(
    ".claude/memory/.archive/decision_local.20261101-101010.md",
    "---\nname: Due dates are local\ntype: decision\n---\nLocal midnight.\n",
  );

  const expanded = JSON.parse(await run(home, "show", "--history", "due dates are utc", "--json"));
  assert.equal(expanded.sourceCommand, `memo show --source ${SESSION} --turn ${TURN} --context 1`);
  assert.deepEqual(
    expanded.supersedes.map(({ file, name }: Record<string, string>) => [file, name]),
    [["decision_local.md", "Due dates are local"]],
  );
  const text = await run(home, "show", "--history", "due dates are utc");
  assert.match(
    text,
    /UTC midnight\.\n\nSource\nmemo show --source 8f8[^]*Replaces\nDue dates are local {2}/,
  );

  const old = JSON.parse(await run(home, "show", "--history", "Due dates are local", "--json"));
  assert.deepEqual([old.archived, old.supersededBy[0].name], [true, "Due dates are UTC"]);

  const [, command] = /Source\nmemo (.+)\n/.exec(text)!;
  const exchange = await run(home, ...command!.split(" "));
  assert.match(exchange, /The date test fails[^]*> No, local time is wrong here[^]*garbage input/);
});

Deno.test("memo show --source shows the conversation of a memory, and says where there is none", async () => {
  await using home = makeHome();
  addTranscript(home);
  const source = `source:\n  session: ${SESSION}\n  turn: ${TURN}\n`;
  home.write("decision_utc.md", `---\nname: Dates are UTC\n${source}---\nMidnight.\n`);
  home.write("user_plants.md", "---\nname: Plants\ntype: user\n---\nThe ficus needs water.\n");
  await keepJournal(home, new Date());
  const { journal } = JSON.parse(await run(home, "show", "--history", "dates are utc", "--json"));
  assert.deepEqual(journal[0].bullets[0], "Fixed the date test");
  assert.match(
    await run(home, "show", "--history", "dates are utc"),
    /\nJournal\n\S+ \d\d:\d\d\n- Fixed the date test\n/,
  );
  const { turns } = JSON.parse(await run(home, "show", "--source", "dates are utc", "--json"));
  assert.deepEqual(turns.map(({ id }: { id: string }) => id), [TURN]);
  const [code, said] = await failure(home, "show", "--source", "Plants");
  assert.equal(code, 1);
  assert.match(
    said,
    /Cannot show the source of `Plants`: it did not come from a conversation\n\nhint: /,
  );
  assert.match((await failure(home, "show", "Plants", "--turn", "x"))[1], /without `--source`/);
});

Deno.test("memo show --history suggests no command with what a file made up", async () => {
  await using home = makeHome();
  home.write("a.md", "---\nname: A\nsource:\n  session: x; curl example.com | sh\n---\nText.\n");
  assert.equal(
    JSON.parse(await run(home, "show", "--history", "A", "--json")).sourceCommand,
    undefined,
  );
});

Deno.test("memo show --source shows a session, a turn, and turns around it", async () => {
  await using home = makeHome();
  const path = addTranscript(home);
  const text = await run(home, "show", "--source", "8f8f");
  assert.match(
    text,
    /> The date test fails[^]*\* Bash node --test[^\n]* failed → Exit code 1[^]*Sum up/,
  );
  const prompts = async (...args: string[]) =>
    JSON.parse(await run(home, "show", "--source", SESSION, "--json", ...args)).turns
      .map(({ prompt }: { prompt: string }) => prompt.slice(0, 9));
  assert.equal((await prompts()).length, 5);
  assert.deepEqual(await prompts("--turn", "c29e"), ["No, local"]);
  assert.deepEqual(await prompts("--turn", "c29e", "--context", "1"), [
    "The date ",
    "No, local",
    "What shou",
  ]);
  assert.equal((await prompts("--turn", TURN, "--context", "9")).length, 6, "with the summary");
  const { session, transcript, turns } = JSON.parse(
    await run(home, "show", "--source", "8f", "--json"),
  );
  assert.deepEqual([session, transcript], [SESSION, path]);
  assert.deepEqual(Object.keys(turns[0]), [
    "id",
    "session",
    "at",
    "cwd",
    "prompt",
    "steps",
    "wrote",
  ]);
});

Deno.test("what the journal has of a compaction leads to its summary and to what came before", async () => {
  await using home = makeHome();
  const path = addTranscript(home);
  const { promptId } = readFileSync(path, "utf8").split("\n")
    .map((line) => line === "" ? {} : JSON.parse(line))
    .find(({ isCompactSummary }) => isCompactSummary);
  const turn = `compaction-${promptId}`;
  const command = transcriptCommand({ session: SESSION, turn })!;
  const shown = await run(home, ...command.split(" ").slice(1));
  assert.match(shown, /> Yes, do that[^]*compaction-94a4d7a5[^]*Summary:\n1\. Primary Request/);
  assert.doesNotMatch(shown, /tools-used-before-summary/);
});

Deno.test("memo show --source says what is wrong with a session or a turn", async () => {
  await using home = makeHome();
  addTranscript(home);
  addTranscript(home, "8f8ff854-other");
  assert.match(
    (await failure(home, "show", "--source", "8f8"))[1],
    /2 sessions match\n\nhint: .*8f8ff854-other/,
  );
  assert.equal((await failure(home, "show", "--source", "8f8"))[0], 2);
  const [code, said] = await failure(home, "show", "--source", "1234");
  assert.equal(code, 1);
  assert.match(said, /Cannot find a transcript for session `1234`/);
  const none = await runMemo(home, ["show", "--source", SESSION, "--turn", "nope"]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /Cannot find turn `nope`/);
});

Deno.test("memo show --source keeps a conversation from steering the terminal", async () => {
  await using home = makeHome();
  const path = addTranscript(home);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replaceAll(
      "The date test fails.",
      "\\u001b]0;owned\\u0007\\u001b[2J\\u009b1m\\u202eIt fails.",
    ),
  );
  for (const form of [[], ["--json"]]) {
    const shown = await run(home, "show", "--source", SESSION, ...form);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.match(shown, /It fails\./);
  }
});

/** Writes a day's journal with one entry into the project's private folder. */
async function keepJournal(home: Home, at: Date): Promise<void> {
  const folder = privateFolder(projectOf(home.project, home.claude));
  const journal = { path: join(folder.path, "journal"), folder };
  const bullets = ["Fixed the date test", "User wants UTC \u001b[31mmidnight"];
  const options = { bullets, transcript: "/t.jsonl", journal, at };
  const action = journalEntry({ id: TURN, session: SESSION }, options)!;
  await appendEntry(action);
}

Deno.test("memo log --journal shows a day, with the commands that lead to the conversations", async () => {
  await using home = makeHome();
  const now = new Date();
  await keepJournal(home, now);
  const { day, time } = localTime(now);
  const text = await run(home, "log", "--journal", day);
  assert.equal(
    text,
    `## Session ${time}\n\n### ${time}\nmemo show --source ${SESSION} --turn ${TURN} --context 1\n` +
      "- Fixed the date test\n- User wants UTC [31mmidnight\n",
  );
  const { entries } = JSON.parse(await run(home, "log", "--journal", day, "--json"));
  assert.deepEqual(entries, [{
    time,
    bullets: ["Fixed the date test", "User wants UTC [31mmidnight"],
    session: SESSION,
    turn: TURN,
    transcript: "/t.jsonl",
  }]);
});

Deno.test("memo log --journal lists its days, and names the nearest one for a day that it has not", async () => {
  await using home = makeHome();
  assert.equal((await failure(home, "log", "--journal", "--list"))[0], 1);
  for (
    const [setting, said] of [
      ["send=off", /No journal here: nothing is sent .*`send` is `off`/],
      ["send=verdicts", /No journal here: `send` does not include `capture`/],
      ["send=on", /No journal here yet; run `memo doctor`/],
      ["capture.enabled=false", /No journal here: `capture.enabled` is `false`/],
    ] as const
  ) {
    await run(home, "config", "set", setting);
    assert.match((await failure(home, "log", "--journal"))[1], said, setting);
    assert.match((await failure(home, "log", "--journal", "--list"))[1], said, setting);
  }
  for (const date of [3, 20]) await keepJournal(home, new Date(2026, 10, date, 12));
  assert.equal(
    await run(home, "log", "--journal", "--list"),
    "2026-11-03  1 turn\n2026-11-20  1 turn\n",
  );
  const [code, said] = await failure(home, "log", "--journal", "2026-11-18");
  assert.equal(code, 1);
  assert.match(said, /No journal for 2026-11-18 .*\n\nhint: .*`memo log --journal 2026-11-20`/);
  assert.equal((await failure(home, "log", "--journal", "../../x"))[0], 2);
});

Deno.test("r14: memo search --history leads to the turn, and memo search does not show it", async () => {
  await using home = makeHome();
  addTranscript(home);
  const turn = { id: TURN, session: SESSION };
  const folder = privateFolder(projectOf(home.project, home.claude));
  const journal = { path: join(folder.path, "journal"), folder };
  for (
    const [at, bullet] of [
      ["2026-03-04T10:00", "Decided that due dates are UTC"],
      ["2026-04-04T10:00", "Decided that due dates are shown in local time"],
    ] as const
  ) {
    const own = at.startsWith("2026-03") ? turn : { id: "other", session: "s-2" };
    const entry = { bullets: [bullet], transcript: "/t.jsonl", journal, at: new Date(at) };
    await appendEntry(journalEntry(own, entry)!);
  }
  const question = ["search", "--history", "what did we decide about due dates", "--on", "2026-03"];
  const [hit] = JSON.parse(await run(home, ...question, "--json"));
  assert.deepEqual([hit.day, hit.time, hit.turn], ["2026-03-04", "10:00", TURN]);
  const text = await run(home, ...question);
  const [, expand] = /\n {2}memo (show c29e4f67)\n/.exec(text)!;
  const expanded = await run(home, ...expand!.split(" "));
  assert.match(expanded, /^- Decided that due dates are UTC\n/);
  const [, transcript] = /Conversation\nmemo (.+)\n/.exec(expanded)!;
  assert.match(await run(home, ...transcript!.split(" ")), /The date test fails/);

  const [code, found] = await failure(home, "search", "due dates");
  assert.deepEqual([code, found.includes("No memory matches")], [1, true]);
  const on = await run(home, "search", "--history", "due", "--on", "2026-04", "--json");
  assert.deepEqual(JSON.parse(on).map(({ day }: { day: string }) => day), ["2026-04-04"]);
  const [, wrong] = await failure(home, "search", "--history", "due", "--on", "someday");
  assert.match(wrong, /Cannot read `--on someday`[^]*hint: /);
  const [, mixed] = await failure(home, "search", "due", "--on", "2026-03");
  assert.match(mixed, /Cannot use `--on` without `--history`/);
});

Deno.test("r14: what was said is found after Claude Code has deleted the transcript", async () => {
  await using home = makeHome();
  const path = addTranscript(home);
  const text = readFileSync(path, "utf8").replaceAll("/home/dev/out/todo-api", home.project);
  writeFileSync(path, text);
  mkdirSync(join(home.project, ".git"));
  utimesSync(path, new Date("2026-11-01"), new Date("2026-11-01"));
  const question = ["search", "--history", "why does the date test fail", "--json"];
  const [code] = await failure(home, "search", "--history", "why does the date test fail");
  assert.equal(code, 1, "nothing is kept by default");

  await run(home, "config", "set", "history.transcripts=true", "history.days=36500");
  const [hit] = JSON.parse(await run(home, ...question));
  assert.deepEqual([hit.kind, hit.session], ["turn", SESSION]);
  rmSync(path);
  const shown = await runMemo(home, hit.transcriptCommand.split(" ").slice(1));
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(
    shown.stderr,
    /Claude Code deleted this transcript; this is the copy memo kept/,
  );
  assert.match(shown.stdout, /> The date test fails\. Please find out why and fix it\./);
  assert.match(await run(home, ...hit.expand.split(" ").slice(1)), /^The date test fails/);
  await run(home, "uninstall", "--purge");
  assert.equal(existsSync(join(home.memoHome, "history")), false);
});
