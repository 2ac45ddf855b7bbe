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

Deno.test("pastes of 20 MB are answered by the daemon, and other sessions meanwhile too", async () => {
  await using home = await warmHome();
  const pid = daemonPid(home.memoHome);
  const others: string[] = [];
  for (const [what, paste] of Object.entries(PASTES)) {
    const below = await ask(home, `alone ${what}`, `${paste()}\n${QUESTION}\n`);
    const above = ask(home, `beside ${what}`, `${QUESTION}\n${paste()}`);
    for (let k = 0; k < 3; k++) others.push(await ask(home, `other ${what} ${k}`, QUESTION));
    const found = [below, await above];
    if (MADE_BY_PROGRAMS.includes(what)) { for (const block of found) assert.match(block, /7070/); }
  }
  for (const block of others) assert.match(block, /7070/);
  const all = others.length + 2 * Object.keys(PASTES).length;
  await until("a receipt of each is there", () => receipts(home).length >= all);
  // Where one was late, because the machine is busy with more than this, the hook has answered by words.
  const late = receipts(home).filter(({ outcome }) => !OF_THE_DAEMON.includes(outcome));
  assert.ok(late.length < others.length, JSON.stringify(late));
  assert.deepEqual(late.filter(({ session }) => session?.startsWith("alone")), []);
  assert.equal(daemonPid(home.memoHome), pid);
  const log = readFileSync(join(home.memoHome, "logs", "daemon.log"), "utf8");
  assert.deepEqual(log.match(/"started"|not needed/g), ['"started"']);
});
