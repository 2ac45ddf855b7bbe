// Replies of a language model that were recorded give the same ranking without anybody being asked.

import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecallReport } from "../../../bench/recall_report.ts";
import { contextIn } from "../../../src/cli/shared/command.ts";
import {
  keyOf,
  readRecording,
  readReplies,
  recordingTo,
  replaying,
} from "../../../bench/recording.ts";
import { runRecall } from "../../../tools/bench/run_recall.ts";
import { makeHome } from "../../support/home.ts";
import { serveMessagesApi, textOf } from "../../support/messages_api.ts";
import { QUESTION } from "../../support/memory.ts";
import { temporaryFolder } from "../../support/temp.ts";

Deno.test("A question's key changes with whatever the model gets to see, and with nothing else", () => {
  assert.equal(keyOf({ ...QUESTION, purpose: "summary", maxTokens: 1 }), keyOf(QUESTION));
  for (const change of [{ system: "x" }, { prompt: "x" }, { schema: {} }]) {
    assert.notEqual(keyOf({ ...QUESTION, ...change }), keyOf(QUESTION));
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
  const live = recordingTo(path, complete);
  assert.deepEqual(await live.ask(QUESTION, undefined), { n: 1 });
  assert.deepEqual(live.settle(), { calls: 1, usd: 0.5, recordedMs: 0, recorded: 0, tokens: 12 });
  assert.deepEqual(await recordingTo(path, complete).ask(QUESTION, undefined), { n: 1 });
  assert.equal(asked, 1);

  const replayed = replaying(readRecording(path));
  assert.deepEqual(await replayed.ask(QUESTION, undefined), { n: 1 });
  assert.equal(replayed.settle().usd, 0.5);
  assert.deepEqual(replayed.settle(), { calls: 0, usd: 0, recordedMs: 0, recorded: 0, tokens: 0 });
  await assert.rejects(replayed.ask({ ...QUESTION, prompt: "new" }, undefined), /recorded/);
});

Deno.test("an experiment records the replies that it is given, and replays them", async () => {
  await using api = await serveMessagesApi((request) => {
    const name = /^- (\S+) /m.exec(textOf(request, "user"))![1]!;
    return [{ type: "text", text: JSON.stringify({ selected_memories: [name] }) }];
  });
  await using home = makeHome();
  const [recorded, json] = [join(home.root, "recorded.jsonl"), join(home.root, "report.json")];
  const suite = join(home.root, "suite");
  home.write("suite/corpus.jsonl", '{"id":"vpn","title":"Staging database","text":"Behind it."}\n');
  home.write("suite/queries.jsonl", '{"id":"q","text":"where does the test system live"}\n');
  home.write("suite/qrels.jsonl", '{"qid":"q","docid":"vpn","grade":1}\n');
  appendFileSync(
    join(home.memoHome, "config.yaml"),
    `llm.base_url: ${api.url}\nllm.provider: anthropic\n`,
  );
  const env = { ...home.env, ANTHROPIC_API_KEY: "test" };
  const context = contextIn(env, home.project);
  const options = { split: "all", triggers: "own" as const, suite, json };
  const strategy = ["hybrid", "sidequery"];
  const measured = () => {
    const { strategies }: RecallReport = JSON.parse(readFileSync(json, "utf8"));
    return strategies.find(({ strategy }) => strategy === "sidequery");
  };

  await runRecall({ ...options, strategy, record: recorded }, context);
  assert.deepEqual([measured(), api.requests.length, existsSync(recorded)], [undefined, 0, false]);
  await runRecall({ ...options, strategy, record: recorded, yes: true }, context);
  assert.deepEqual([measured()?.replies, readReplies(recorded).size], ["live", 1]);
  await runRecall({ ...options, strategy, replay: recorded }, context);
  assert.deepEqual([measured()?.replies, measured()?.measures["MRR@10"]], ["recorded", 1]);
  assert.equal(api.requests.length, 1);
});
