// With the real Claude Code: what memo says that it has cost a session is what the session costs less without memo.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { billed, billOf } from "../../src/statistics/bill.ts";
import { runClaude } from "../support/claude.ts";
import { type Home, makeHome, PATIENCE, runMemo, succeed, warmUp } from "../support/home.ts";
import { isMemos, type MessagesRequest, serveMessagesApi } from "../support/messages_api.ts";

const MODEL = "claude-sonnet-5-5";
const PROMPTS = [
  "how do I authenticate against the API?",
  "and where does the log of the billing service go?",
  "thanks, write that down in the readme",
  "what is the port of the billing service on my machine?",
];
/** What this provider takes for a token. */
const TOKEN_CHARS = 3.3;

const NOTES = [
  ["API authentication uses JWT", "Every call carries a JWT in the Authorization header."],
  ["The billing service logs to journald", "Look with `journalctl -u billing`, there is no file."],
  ["Billing listens on port 7011 here", "7010 is taken by the emulator on this machine."],
] as const;

/** What a request has, in tokens. */
function inputTokens({ system, tools = [], messages }: MessagesRequest): number {
  const length = (value: unknown): number =>
    typeof value === "string"
      ? value.length
      : Array.isArray(value)
      ? value.reduce((sum, { text, content }) => sum + length(text ?? content ?? ""), 0)
      : 0;
  const chars = length(system) + tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0) +
    length(messages);
  return Math.round(chars / TOKEN_CHARS);
}

/** Holds the session, and returns the input tokens that Claude Code itself has counted, and its transcript. */
async function hold(home: Home): Promise<{ counted: number; transcript: string }> {
  await using api = await serveMessagesApi(
    (request) => [{ type: "text", text: isMemos(request) ? "{}" : "The scripted answer." }],
    { inputTokens },
  );
  const { session } = await runClaude(home, PROMPTS, { api: api.url, model: MODEL });
  const folder = join(home.claude, "projects");
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .find((name) => name.endsWith(`${session}.jsonl`))!;
  const transcript = join(folder, file);
  const last = readFileSync(transcript, "utf8").split("\n")
    .filter((line) => line.startsWith('{"type":"cost-state"')).at(-1)!;
  return { counted: JSON.parse(last).modelUsage[MODEL].inputTokens, transcript };
}

Deno.test("a session's bill is within 5 % of what Claude Code counts more with memo than without", async () => {
  await using bare = makeHome(PATIENCE, { hasModel: true });
  const without = await hold(bare);
  await using home = makeHome(PATIENCE, { hasModel: true });
  for (const [i, [name, text]] of NOTES.entries()) {
    home.write(`reference_${i}.md`, `---\nname: ${name}\ntype: reference\n---\n${text}\n`);
  }
  await succeed(home, ["init"]);
  await warmUp(home);
  const { counted, transcript } = await hold(home);
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
