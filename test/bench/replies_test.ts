// A language model in the bench: what it costs is said first, nothing is spent without a yes, and recorded replies give
// the same ranking without anybody being asked.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { estimate, sayEstimate } from "../../bench/estimate.ts";
import type { RecallReport } from "../../bench/recall_report.ts";
import { asking, keyOf, readRecording, readReplies, replaying } from "../../bench/replies.ts";
import type { Question } from "../../strategies/strategy.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { type MessagesRequest, serveMessagesApi, textOf } from "../support/messages_api.ts";
import { temporaryFolder } from "../support/temp.ts";

const question: Question = {
  purpose: "sidequery",
  system: "Pick.",
  prompt: "Notes:\n- a.md\n\nRequest:\nwhich",
  schema: { type: "object" },
  maxTokens: 256,
};

Deno.test("A question's key changes with whatever the model gets to see, and with nothing else", () => {
  assert.equal(keyOf({ ...question, purpose: "other", maxTokens: 1 }), keyOf(question));
  for (const change of [{ system: "x" }, { prompt: "x" }, { schema: {} }]) {
    assert.notEqual(keyOf({ ...question, ...change }), keyOf(question));
  }
});

Deno.test("What was recorded is replayed with its time and price, and is not asked again", async () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "recorded", "toy.jsonl");
  let asked = 0;
  const complete = () => {
    asked++;
    const completed = {
      text: "",
      json: { n: asked },
      model: "m",
      inputTokens: 10,
      outputTokens: 2,
    };
    return Promise.resolve({ ...completed, costUsd: 0.5 });
  };
  const live = asking(complete, path);
  assert.deepEqual(await live.ask(question, undefined), { n: 1 });
  assert.deepEqual(live.settle(), { calls: 1, usd: 0.5, recordedMs: 0, recorded: 0, tokens: 12 });
  assert.deepEqual(await asking(complete, path).ask(question, undefined), { n: 1 });
  assert.equal(asked, 1);

  const replayed = replaying(readRecording(path));
  assert.deepEqual(await replayed.ask(question, undefined), { n: 1 });
  assert.equal(replayed.settle().usd, 0.5);
  assert.deepEqual(replayed.settle(), { calls: 0, usd: 0, recordedMs: 0, recorded: 0, tokens: 0 });
  await assert.rejects(replayed.ask({ ...question, prompt: "new" }, undefined), /recorded/);
});

Deno.test("An estimate names questions, tokens and dollars, or that the price is not known", () => {
  const many = Array<Question>(100).fill({ ...question, prompt: "x".repeat(35_000) });
  const cost = estimate(many, "claude-haiku-4-5");
  assert.ok(cost.usd! > 1 && cost.usd! < 2, String(cost.usd));
  assert.match(
    sayEstimate(cost, "m"),
    /^100 questions to m, some 1\.0 million tokens, about \$1\.\d\d$/,
  );
  assert.match(
    sayEstimate(estimate([question], "local"), "local"),
    /price that memo does not know/,
  );
});

const MEMORIES = { pnpm: "Package manager", vpn: "Staging database", ci: "Nightly build" };

/** A suite of three memories and two prompts in a home. */
function writeSuite(home: Home): string {
  const lines = (rows: readonly unknown[]) =>
    rows.map((row) => JSON.stringify(row) + "\n").join("");
  const titles = Object.entries(MEMORIES);
  home.write(
    "suite/corpus.jsonl",
    lines(titles.map(([id, title]) => ({ id, title, text: `All about it, ${id}.`, type: "tool" }))),
  );
  home.write(
    "suite/queries.jsonl",
    lines([
      { id: "q1", text: "how do I install things here" },
      { id: "q2", text: "where does the data of the test system live" },
    ]),
  );
  home.write(
    "suite/qrels.jsonl",
    lines([{ qid: "q1", docid: "pnpm", grade: 1 }, { qid: "q2", docid: "vpn", grade: 1 }]),
  );
  return join(home.root, "suite");
}

/** Picks the memory whose title belongs to the request. */
function pick(request: MessagesRequest): string {
  const text = textOf(request, "user");
  const title = text.includes("install things") ? "package-manager" : "staging-database";
  return text.split("\n").map((line) => /^- (\S+) /.exec(line)?.[1]).find((name) =>
    name?.includes(title)
  )!;
}

Deno.test("memo bench says what sidequery costs, asks after --yes alone, and replays what it recorded", async () => {
  await using api = await serveMessagesApi((request) => {
    return [{ type: "text", text: JSON.stringify({ selected_memories: [pick(request)] }) }];
  });
  await using home = makeHome();
  const recorded = join(home.root, "recorded.jsonl");
  const json = join(home.root, "report.json");
  const suite = ["bench", "recall", "--suite", writeSuite(home), "--json", json].concat(
    ["--strategy", "hybrid,sidequery"],
  );
  const report = (): RecallReport => JSON.parse(readFileSync(json, "utf8"));
  const sidequery = () => report().strategies.find(({ strategy }) => strategy === "sidequery");
  writeFileSync(
    join(home.memoHome, "config.yaml"),
    `llm.base_url: ${api.url}\nllm.provider: anthropic\n`,
  );

  const before = await runMemo(home, [...suite, "--record", recorded]);
  assert.equal(before.code, 0, before.stderr);
  assert.match(
    before.stdout,
    /sidequery is left out: 2 questions to claude-haiku-5-5.*\$0\.01; pass `--yes`/,
  );
  assert.equal(sidequery(), undefined);
  assert.equal(api.requests.length, 0);
  assert.ok(!existsSync(recorded));

  const live = await runMemo(home, [...suite, "--record", recorded, "--yes"]);
  assert.equal(live.code, 0, live.stderr);
  assert.match(live.stderr, /Asking 2 questions/);
  assert.equal(api.requests.length, 2);
  assert.deepEqual(report().ranks["q2"]!["sidequery"], { vpn: 1 });
  assert.equal(sidequery()!.callsPerPrompt, 1);
  assert.equal(sidequery()!.replies, "live");
  assert.equal(readReplies(recorded).size, 2);

  const replayed = await runMemo(home, [...suite, "--replay", recorded]);
  assert.equal(replayed.code, 0, replayed.stderr);
  assert.match(replayed.stdout, /sidequery \(recorded\)/);
  assert.equal(sidequery()!.measures["MRR@10"], 1);
  assert.equal(sidequery()!.replies, "recorded");
  assert.equal(api.requests.length, 2);
});

Deno.test("memo bench does not begin what the day's cap would cut short", async () => {
  await using api = await serveMessagesApi(() => [{ type: "text", text: "{}" }]);
  await using home = makeHome();
  writeFileSync(
    join(home.memoHome, "config.yaml"),
    `llm.base_url: ${api.url}\nllm.provider: anthropic\nllm.daily_calls: 1\n`,
  );
  const { stdout } = await runMemo(home, ["bench", "--suite", writeSuite(home), "--yes"]);
  assert.match(stdout, /over today's `llm\.daily_calls`/);
  assert.equal(api.requests.length, 0);
});
