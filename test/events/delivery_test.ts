// A daemon that is stopped for two seconds: the hook answers by itself, and what the daemon then says to nobody is late.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { noteInJournal } from "../support/journal.ts";
import { daemonPid, type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const NOTE = (name: string, type: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: ${type}\n---\n${body}\n`;

async function begun(): Promise<Home> {
  const home = makeHome(PATIENCE);
  home.write("user_me.md", NOTE("Me", "user", "Writes Go."));
  home.write("tool_kiln.md", NOTE("Kiln", "tool", "The kiln service listens on port 7070."));
  await succeed(home, ["index"]);
  await warmUp(home);
  return home;
}

const ASKED = "which port does the kiln service listen on";

async function say(home: Home, fixture: string, fields: object): Promise<string> {
  return (await sendHook(home, fixture, fields)).block;
}
const prompt = (home: Home, session_id: string, text = ASKED) =>
  say(home, "UserPromptSubmit", { session_id, prompt: text });

const receiptsOf = (home: Home, session: string) =>
  readReceipts(join(home.memoHome, "receipts.jsonl"), 50)
    .filter((receipt) => receipt.session === session);

Deno.test("r11: while the daemon is stopped a session begins, a prompt is answered by words, and the daemon's answer is late", async () => {
  await using home = await begun();
  const pid = daemonPid(home.memoHome)!;
  process.kill(pid, "SIGSTOP");
  const quick = { ...home, env: { ...home.env, MEMO_HOOK_DEADLINE_MS: "1200" } };
  const [start, answer] = await Promise.all([
    say(quick, "SessionStart.startup", { session_id: "s2" }),
    prompt(quick, "s1"),
  ]).finally(() => process.kill(pid, "SIGCONT"));
  assert.match(start, /Writes Go/);
  assert.match(answer, /7070/);
  await until("both receipts are there", () => receiptsOf(home, "s1").length === 2);
  assert.deepEqual(receiptsOf(home, "s1").map(({ outcome }) => outcome).sort(), [
    "busy",
    "late",
  ]);
  // What the hook has given itself stands; what the daemon said to nobody does not.
  assert.equal(await prompt(home, "s1"), "");
});

Deno.test("r11: a memory that changed since it was shown is given again, and says so", async () => {
  await using home = await begun();
  assert.match(await prompt(home, "s3"), /7070/);
  assert.equal(await prompt(home, "s3"), "");
  home.write("tool_kiln.md", NOTE("Kiln", "tool", "The kiln service listens on port 8080 now."));
  assert.match(await prompt(home, "s3"), /changed since it was shown[^]*8080/);
  assert.equal(await prompt(home, "s3"), "");
});

Deno.test("a memory that went with a prompt which another hook has blocked sooner is given to the next", async () => {
  await using home = await begun();
  // As the client writes it: before memo has answered, and without the prompt's id.
  const transcript_path = fileURLToPath(
    new URL("../fixtures/transcripts/blocked.jsonl", import.meta.url),
  );
  const ask = (prompt_id: string) =>
    say(home, "UserPromptSubmit", { session_id: "s4", prompt: ASKED, prompt_id, transcript_path });
  assert.match(await ask("blocked"), /7070/);
  assert.match(await ask("reworded"), /7070/);
});

Deno.test("r11: a session state that cannot be written costs neither block nor receipt", async () => {
  await using home = await begun();
  const sessions = join(home.memoHome, "sessions");
  rmSync(sessions, { recursive: true, force: true });
  writeFileSync(sessions, ""); // nothing can be written below it, whoever runs this
  assert.match(await prompt(home, "s6"), /7070/);
  const receipts = () => receiptsOf(home, "s6");
  await until("the receipt is there", () => receipts().length === 1);
  assert.equal(receipts()[0]!.outcome, "hit");
});

Deno.test("r11: every prompt leaves a receipt with its first words and the nearest misses, the first one too", async () => {
  await using home = makeHome(PATIENCE);
  await prompt(home, "s0", "where is the kiln documented");
  await until("the first receipt is there", () => receiptsOf(home, "s0").length === 1);
  const [first] = receiptsOf(home, "s0");
  assert.deepEqual(
    [first!.outcome, first!.why, first!.prompt],
    ["gated", "no memories", "where is the kiln documented"],
  );
  home.write("tool_kiln.md", NOTE("Kiln", "tool", "The kiln service listens on port 7070."));
  await warmUp(home);
  await succeed(home, ["index"]);
  const key = `sk-ant-api03-${"ab12".repeat(10)}`;
  await prompt(home, "s7", `what about the weather, my key is ${key}`);
  await until("the receipt is there", () => receiptsOf(home, "s7").length === 1);
  const [receipt] = receiptsOf(home, "s7");
  assert.match(receipt!.prompt!, /^what about the weather/);
  const written = readFileSync(join(home.memoHome, "receipts.jsonl"), "utf8");
  assert.ok(!written.includes(key));
  await prompt(home, "s8", "does the kiln have anything to do with the weather in Lisbon today");
  await prompt(home, "s8", ASKED);
  await prompt(home, "s8", ASKED);
  await until("the receipts are there", () => receiptsOf(home, "s8").length === 3);
  const [again] = receiptsOf(home, "s8");
  assert.equal(again!.outcome, "nothing new");
  assert.match(again!.misses![0]!.path, /tool_kiln/);
  assert.equal(again!.misses![0]!.because, "seen in this session");
});

Deno.test("r11: what a process has cleared does not come back as journal", async () => {
  await using home = await begun();
  const transcript = (id: string) => join(home.claude, "projects", "p", `${id}.jsonl`);
  mkdirSync(dirname(transcript("old")), { recursive: true });
  const start = (id: string, source: string) =>
    say(
      { ...home, env: { ...home.env, CLAUDE_PID: String(process.pid) } },
      `SessionStart.${source}`,
      {
        session_id: id,
        transcript_path: transcript(id),
      },
    );
  await start("old", "startup");
  await noteInJournal(home, { session: "old", transcript: transcript("old") }, "Painted the shed");
  await noteInJournal(home, { session: "other", transcript: "/t/other.jsonl" }, "Fixed the gutter");
  const begunAnew = await start("new", "clear");
  assert.match(begunAnew, /Fixed the gutter/);
  assert.doesNotMatch(begunAnew, /Painted the shed/);
  assert.match(await start("elsewhere", "startup"), /Painted the shed/);
});
