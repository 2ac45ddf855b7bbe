import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeSpending } from "../../src/core/llm/ledger.ts";
import { pathsFor } from "../../src/paths.ts";
import { type Receipt, writeReceipt } from "../../src/core/recall/receipts.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { Bills } from "../../src/features/statistics/bills.ts";
import { latencyOf } from "../../src/features/statistics/latency.ts";
import { type Proof, proofOf } from "../../src/features/statistics/proof.ts";
import { temporaryFolder } from "../support/temp.ts";

const CONFIG = loadConfig("/nowhere/config.yaml", {});
const NOW = new Date("2026-11-23T12:00:00Z");
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

function receipt(fields: Partial<Receipt>): Receipt {
  return { at: ago(0), outcome: "no hit", memories: [], chars: 0, ms: { all: 1 }, ...fields };
}

/** A transcript with one request that had a block of memo's. */
function transcript(path: string, chars: number): void {
  const block = `<auto-loaded-memory>\n${"x".repeat(chars)}</auto-loaded-memory>`;
  const lines = [
    {
      ...{ uuid: "u0", parentUuid: null, type: "attachment", rendered: [{ content: block }] },
      attachment: {
        ...{ type: "hook_additional_context", content: [block] },
        hookEvent: "SessionStart",
      },
    },
    {
      ...{ uuid: "u1", parentUuid: "u0", type: "assistant" },
      message: { id: "m1", model: "claude-sonnet-5-5", usage: { input_tokens: 500 }, content: [] },
    },
  ];
  writeFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
}

function home(folder: string) {
  const paths = pathsFor({ HOME: folder, MEMO_HOME: join(folder, "state") }, "linux");
  const proof = async (options: { days?: number; bills?: Bills } = {}): Promise<Proof> =>
    await proofOf({
      ...{ paths, config: CONFIG, now: NOW, days: 30, bills: new Bills(), ...options },
      saved: () => Promise.resolve([]),
    });
  return { paths, proof };
}

Deno.test("the proof of a new home is empty, with the caps of its settings", async () => {
  using folder = temporaryFolder();
  const { sessions, unread, llm, latency, use } = await home(folder.path).proof();
  assert.deepEqual([sessions, unread, use], [[], 0, []]);
  assert.deepEqual(latency, { hooks: [], events: [] });
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = CONFIG;
  assert.deepEqual(llm.caps, { calls, usd });
  assert.deepEqual(llm.today, { calls: 0, input: 0, output: 0, usd: 0 });
});

Deno.test("a session's tokens are those of its transcript, read once while it stays the same", async () => {
  using folder = temporaryFolder();
  const { paths, proof } = home(folder.path);
  const path = join(folder.path, "s1.jsonl");
  transcript(path, 359);
  for (const [session, days] of [["s1", 1], ["s2", 0], ["old", 50]] as const) {
    writeReceipt(
      paths.receipts,
      receipt({
        ...{ at: ago(days), session, cwd: "/src/shop", outcome: "hit", chars: 400 },
        ...session === "s1" ? { transcript: path } : {},
        memories: [{ path: "/m.md" }],
      }),
    );
  }
  const bills = new Bills();
  const { sessions, unread, use } = await proof({ bills });
  assert.equal(unread, 0);
  assert.deepEqual(sessions.map(({ session, project }) => [session, project]), [
    ["s2", "shop"],
    ["s1", "shop"],
  ]);
  assert.equal(sessions[0]!.bill, undefined);
  assert.deepEqual(sessions[1]!.bill?.tokens.titles, 100);
  assert.deepEqual(use.map(({ day, answered, memories }) => [day, answered, memories]), [
    ["2026-11-22", 1, 1],
    ["2026-11-23", 1, 1],
  ]);

  const before = bills.of(path);
  await proof({ bills });
  assert.equal(bills.of(path), before);
  transcript(path, 759);
  const { sessions: [, again] } = await proof({ bills });
  assert.equal(again!.bill?.tokens.titles, 200);
});

Deno.test("a bill is there once it has been read, whoever waited for it", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "s.jsonl");
  transcript(path, 100);
  const bills = new Bills();
  const first = bills.read([path], 0);
  assert.equal(bills.of(path), undefined);
  await first;
  assert.equal(await bills.read([path], 10_000), 0);
  assert.equal(bills.of(path)?.requests, 1);
});

Deno.test("the ledger is by day and purpose, and today counts against the caps", async () => {
  using folder = temporaryFolder();
  const { paths, proof } = home(folder.path);
  for (
    const [days, purpose] of [[0, "extract"], [0, "extract"], [3, "dream"], [90, "dream"]] as const
  ) {
    writeSpending(paths.spending, {
      ...{ at: ago(days), purpose, provider: "anthropic", model: "claude-haiku-5-5" },
      ...{ input: 1000, output: 10, usd: 0.25, ms: 5, outcome: "ok", redacted: 0 },
    });
  }
  const { llm } = await proof();
  assert.deepEqual(llm.days.map(({ day, purpose, calls, usd }) => [day, purpose, calls, usd]), [
    ["2026-11-20", "dream", 1, 0.25],
    ["2026-11-23", "extract", 2, 0.5],
  ]);
  assert.equal(llm.total.calls, 3);
  assert.equal(llm.today.usd, 0.5);
});

Deno.test("latency is the time of a hook's steps together, by nearest rank, without hooks that have none", () => {
  const times = Array.from({ length: 100 }, (_, i) => i + 1);
  const receipts = [
    ...times.map((ms) => receipt({ ms: { words: ms - 0.5, rest: 0.5 } })),
    receipt({ event: "SessionStart", ms: { all: 1000 }, at: ago(1) }),
    receipt({ event: "PreToolUse", ms: {} }),
    receipt({ at: "never" }),
  ];
  const { hooks, events } = latencyOf(receipts);
  assert.deepEqual(events, [
    { event: undefined, count: 101, p50: 51, p95: 96, p99: 100, most: 1000 },
    { event: "UserPromptSubmit", count: 100, p50: 50, p95: 95, p99: 99, most: 100 },
    { event: "SessionStart", count: 1, p50: 1000, p95: 1000, p99: 1000, most: 1000 },
  ]);
  assert.equal(hooks[0]!.event, "SessionStart");
  assert.equal(hooks.at(-1)!.ms, 1);
});
