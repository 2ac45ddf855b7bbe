// A prompt with a paste of megabytes: the real executable, in a session of its own beside others.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { MAX_PROMPT } from "../../src/core/link/protocol.ts";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { readFixture } from "../support/fixtures.ts";
import { daemonPid, type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import { askHook } from "../support/send_hook.ts";
import { until } from "../support/until.ts";

const KILN = `---
name: Kiln
description: The kiln service
type: tool
---
The kiln service bakes images; it listens on port 7070.
`;
const QUESTION = "Which port does the kiln service listen on?";

const MEGABYTES = 20;
const full = (paste: string) => paste.repeat(Math.ceil(MEGABYTES * 1_000_000 / paste.length));
const PASTES: Readonly<Record<string, () => string>> = {
  "a log": () => full('2026-11-21T07:00:00 INFO [worker-7] finished "job" 55433 in 7 ms\n'),
  prose: () => full("Many words of a long specification that a person wrote about it.\n"),
  base64: () => full("TWFueSB3b3JkcyBvZiBhIGxvbmcgc3BlY2lmaWNhdGlvbiB0aGF0IGEgcGVyc29u"),
  Chinese: () => full("为什么在预发布环境导出发票会失败？"),
};

/** What the question is told from; prose is searched for together with it. */
const MADE_BY_PROGRAMS = ["a log", "base64"];
/** How a prompt ends that the daemon has answered in time. */
const OF_THE_DAEMON: readonly string[] = ["hit", "no hit", "below threshold"];

async function warmHome(): Promise<Home> {
  const home = makeHome(PATIENCE, { hasModel: true });
  home.write("tool_kiln.md", KILN);
  await succeed(home, ["index"]);
  await warmUp(home);
  return home;
}

const ask = (home: Home, session: string, prompt: string) => askHook(home, prompt, session);

const receipts = (home: Home) => readReceipts(join(home.memoHome, "receipts.jsonl"), 100);
const outcomes = (home: Home) => receipts(home).map(({ outcome }) => outcome);

for (const [what, paste] of Object.entries(PASTES)) {
  Deno.test(`a prompt with 20 MB of ${what} is answered by the daemon`, async () => {
    await using home = await warmHome();
    const pid = daemonPid(home.memoHome);
    const below = await ask(home, "below", `${paste()}\n${QUESTION}\n`);
    const above = await ask(home, "above", `${QUESTION}\n${paste()}`);
    if (MADE_BY_PROGRAMS.includes(what)) {
      for (const block of [below, above]) assert.match(block, /7070/);
    }
    await until("both receipts are there", () => outcomes(home).length === 2);
    assert.deepEqual(outcomes(home).filter((outcome) => !OF_THE_DAEMON.includes(outcome)), []);
    assert.equal(daemonPid(home.memoHome), pid);
  });
}

Deno.test("the daemon is sent head and tail of a paste, and the session's transcript as ever", async () => {
  await using home = makeHome({}, { hasModel: true });
  let received = "";
  mkdirSync(join(home.memoHome, "run"), { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("data", (bytes) => {
      received += bytes;
      if (received.endsWith("\n")) socket.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(join(home.memoHome, "run", "memo.sock"), done));
  await ask(home, "s1", `${PASTES["a log"]!()}\n${QUESTION}`);
  await new Promise((done) => server.close(done));
  const [request] = received.split("\n"); // after it a daemon looks whether this one serves
  const { input } = JSON.parse(request!).params;
  assert.equal(input.prompt.length, MAX_PROMPT);
  assert.ok(input.prompt.endsWith(QUESTION));
  assert.equal(input.transcript_path, readFixture("UserPromptSubmit")["transcript_path"]);
  assert.ok(request!.length < 1.5 * MAX_PROMPT, String(request!.length));
});

Deno.test("while pastes of 20 MB are handled, other sessions have their answers from the one daemon", async () => {
  await using home = await warmHome();
  const pid = daemonPid(home.memoHome);
  const texts = Object.values(PASTES).map((paste) => `${paste()}\n${QUESTION}`);
  const others: string[] = [];
  for (const [i, text] of texts.entries()) {
    const paste = ask(home, `paste ${i}`, text);
    for (let k = 0; k < 3; k++) others.push(await ask(home, `other ${i}-${k}`, QUESTION));
    await paste;
  }
  for (const block of others) assert.match(block, /7070/);
  await until("a receipt of each other session is there", () => {
    const sessions = receipts(home).map(({ session }) => session);
    return others.every((_, i) => sessions.includes(`other ${Math.trunc(i / 3)}-${i % 3}`));
  });
  // Where one was late, because the machine is busy with more than this, the hook has answered by words.
  const late = receipts(home).filter(({ outcome }) => !OF_THE_DAEMON.includes(outcome));
  assert.ok(late.length < others.length, JSON.stringify(late));
  assert.equal(daemonPid(home.memoHome), pid);
  const log = readFileSync(join(home.memoHome, "logs", "daemon.log"), "utf8");
  assert.deepEqual(log.match(/"started"|not needed/g), ['"started"']);
});
