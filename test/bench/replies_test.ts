// A language model in the bench: what it costs is said first, and nothing is spent without a yes.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { estimate, formatEstimate } from "../../bench/estimate.ts";
import type { RecallReport } from "../../bench/recall_report.ts";
import type { Question } from "../../strategies/strategy.ts";
import { makeHome, runMemo } from "../support/home.ts";
import { QUESTION } from "../support/memory.ts";
import { type MessagesRequest, serveMessagesApi, textOf } from "../support/messages_api.ts";

Deno.test("An estimate names questions, tokens and dollars, or that the price is not known", () => {
  const many = Array<Question>(100).fill({ ...QUESTION, prompt: "x".repeat(35_000) });
  const cost = estimate(many, "claude-haiku-4-5");
  assert.ok(cost.usd! > 1 && cost.usd! < 2, String(cost.usd));
  assert.match(
    formatEstimate(cost, "m"),
    /^100 questions to m, about 1\.0 million tokens, about \$1\.\d\d$/,
  );
  assert.match(
    formatEstimate(estimate([QUESTION], "local"), "local"),
    /price unknown/,
  );
});

/** A suite of three memories and two prompts. */
const SUITE = fileURLToPath(new URL("../fixtures/suites/memo/priced", import.meta.url));

/** Picks the memory whose title belongs to the request. */
function pick(request: MessagesRequest): string {
  const text = textOf(request, "user");
  const title = text.includes("install things") ? "package-manager" : "staging-database";
  return text.split("\n").map((line) => /^- (\S+) /.exec(line)?.[1]).find((name) =>
    name?.includes(title)
  )!;
}

Deno.test("memo bench says what sidequery costs, and asks after --yes alone", async () => {
  await using api = await serveMessagesApi((request) => {
    return [{ type: "text", text: JSON.stringify({ selected_memories: [pick(request)] }) }];
  });
  await using home = makeHome({}, { hasModel: true });
  const json = join(home.root, "report.json");
  const suite = ["bench", "recall", "--suite", SUITE, "--json", json].concat(
    ["--strategy", "hybrid,sidequery"],
  );
  const report = (): RecallReport => JSON.parse(readFileSync(json, "utf8"));
  const sidequery = () => report().strategies.find(({ strategy }) => strategy === "sidequery");
  appendFileSync(
    join(home.memoHome, "config.yaml"),
    `llm.base_url: ${api.url}\nllm.provider: anthropic\n`,
  );

  const before = await runMemo(home, suite);
  assert.equal(before.code, 0, before.stderr);
  assert.match(
    before.stdout,
    /sidequery is left out: 2 questions to claude-haiku-5-5.*\$0\.01; pass `--yes`/,
  );
  assert.equal(sidequery(), undefined);
  assert.equal(api.requests.length, 0);

  const live = await runMemo(home, [...suite, "--yes"]);
  assert.equal(live.code, 0, live.stderr);
  assert.match(live.stderr, /Asking 2 questions/);
  assert.equal(api.requests.length, 2);
  assert.deepEqual(report().ranks["q2"]!["sidequery"], { vpn: 1 });
  assert.equal(sidequery()!.callsPerPrompt, 1);
  assert.equal(sidequery()!.replies, "live");
});

Deno.test("memo bench does not begin what the day's cap would cut short", async () => {
  await using api = await serveMessagesApi(() => [{ type: "text", text: "{}" }]);
  await using home = makeHome({}, { hasModel: true });
  appendFileSync(
    join(home.memoHome, "config.yaml"),
    `llm.base_url: ${api.url}\nllm.provider: anthropic\nllm.daily_calls: 1\n`,
  );
  const { stdout } = await runMemo(home, ["bench", "recall", "--suite", SUITE, "--yes"]);
  assert.match(
    stdout,
    /exceeds today's `llm\.daily_calls`; allow it: `memo config set llm\.daily_calls=\d+`/,
  );
  assert.equal(api.requests.length, 0);
});
