// With the real Claude Code: what memo says that it has cost a session is what the session costs less without memo.

import assert from "node:assert/strict";
import { billed, billOf } from "../../src/features/statistics/bill.ts";
import { holdSession } from "../support/held_session.ts";
import { makeHome, PATIENCE, runMemo, succeed, warmUp } from "../support/home.ts";

const PROMPTS = [
  "how do I authenticate against the API?",
  "and where does the log of the billing service go?",
  "thanks, write that down in the readme",
  "what is the port of the billing service on my machine?",
];
const NOTES = [
  ["API authentication uses JWT", "Every call carries a JWT in the Authorization header."],
  ["The billing service logs to journald", "Look with `journalctl -u billing`, there is no file."],
  ["Billing listens on port 7011 here", "7010 is taken by the emulator on this machine."],
] as const;

Deno.test("a session's bill is within 5 % of what Claude Code counts more with memo than without", async () => {
  await using bare = makeHome(PATIENCE, { hasModel: true });
  const without = await holdSession(bare, PROMPTS);
  await using home = makeHome(PATIENCE, { hasModel: true });
  for (const [i, [name, text]] of NOTES.entries()) {
    home.write(`reference_${i}.md`, `---\nname: ${name}\ntype: reference\n---\n${text}\n`);
  }
  await succeed(home, ["init"]);
  await warmUp(home);
  const { counted, transcript } = await holdSession(home, PROMPTS);
  const bill = (await billOf(transcript))!;
  const more = counted - without.counted;
  assert.deepEqual([bill.requests, bill.isMeasured, bill.input], [PROMPTS.length, true, counted]);
  for (const part of ["titles", "blocks", "tools", "instructions"] as const) {
    assert.ok(bill.tokens[part] > 0, part);
  }
  const share = billed(bill) / more;
  assert.ok(share > 0.95 && share < 1.05, `${billed(bill)} of ${more}: ${JSON.stringify(bill)}`);
  const { stdout } = await runMemo(home, ["stats", "--json"]);
  assert.deepEqual(JSON.parse(stdout).sessions[0].bill, JSON.parse(JSON.stringify(bill)));
  const { stdout: charts } = await runMemo(home, ["stats"]);
  assert.match(
    charts,
    / of [\d,]+ tokens \(\d+\.\d %\), 4 requests\n {2}titles \d+, blocks [\d,]+, tools/,
  );
  const { session } = JSON.parse(stdout).sessions[0];
  const { stderr } = await runMemo(home, ["recall", "--log", "--session", session]);
  assert.match(stderr, /^memo's input: [\d,]+ of [\d,]+ tokens .*: titles \d+, blocks/m);
  const stdin = JSON.stringify({
    session_id: session,
    cwd: home.project,
    transcript_path: transcript,
  });
  const line = await runMemo(home, ["statusline"], { stdin });
  assert.match(line.stdout, /^memo .*recalled · \d+\.\d % of input, \d+ % of it cached\n$/);
});
