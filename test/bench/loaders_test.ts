import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LOADERS, openSuite, suitesIn } from "../../bench/loaders/mod.ts";
import type { Suite } from "../../bench/suite.ts";
import { MemoError } from "../../src/errors.ts";
import { temporaryFolder } from "../support/temp.ts";

/** For each form: a small collection, and what must come out of it. */
const SAMPLES: Readonly<
  Record<string, { path: string; files: Record<string, string>; suite: Suite }>
> = {
  memo: {
    path: "mine",
    files: {
      "mine/corpus.jsonl": '{"id":"d1","title":"T","text":"body","type":"tool","scope":"s"}\n\n',
      "mine/queries.jsonl":
        '{"id":"q1","text":"?","split":"dev"}\n{"id":"q2","text":"!","no_answer":true}',
      "mine/qrels.jsonl": '{"qid":"q1","docid":"d1","grade":2}\n',
    },
    suite: {
      documents: [{ id: "d1", title: "T", text: "body", type: "tool", scope: "s" }],
      queries: [{ id: "q1", text: "?", split: "dev" }, { id: "q2", text: "!", no_answer: true }],
      qrels: new Map([["q1", new Map([["d1", 2]])]]),
    },
  },
  beir: {
    path: "scifact",
    files: {
      "scifact/corpus.jsonl":
        '{"_id":"1","title":"","text":"no title","metadata":{}}\n{"_id":"2","title":"T","text":"x"}',
      "scifact/queries.jsonl":
        '{"_id":"7","text":"asked"}\n{"_id":"8","text":"of the train split"}',
      "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\n7\t2\t1\n7\t1\t0\n",
    },
    suite: {
      documents: [{ id: "1", text: "no title" }, { id: "2", title: "T", text: "x" }],
      queries: [{ id: "7", text: "asked" }],
      qrels: new Map([["7", new Map([["2", 1], ["1", 0]])]]),
    },
  },
  locomo: {
    path: "locomo10.json",
    files: {
      "locomo10.json": JSON.stringify([{
        sample_id: "conv-1",
        qa: [
          { question: "When?", answer: "May", category: 2, evidence: ["D1:1", "D1:2"] },
          { question: "Both?", answer: "yes", category: 1, evidence: ["D1:1; D2:1", "D:2:1"] },
          { question: "Nowhere?", answer: "no", category: 3, evidence: [] },
          { question: "Mistyped?", answer: "no", category: 3, evidence: ["D", "D9:1"] },
        ],
        conversation: {
          speaker_a: "Ann",
          session_1_date_time: "1:56 pm on 8 May, 2023",
          session_1: [
            { speaker: "Ann", dia_id: "D1:1", text: "Look!", blip_caption: "a dog" },
            { speaker: "Bob", dia_id: "D1:2", text: "Nice" },
          ],
          session_2: [{ speaker: "Ann", dia_id: "D2:1", text: "Hi" }],
          session_3: [],
        },
      }]),
    },
    suite: {
      documents: [
        {
          id: "conv-1/s1",
          title: "1:56 pm on 8 May, 2023",
          text: "Ann: Look! [shares a dog]\nBob: Nice",
          ts: "2023-05-08T13:56:00.000Z",
          scope: "conv-1",
        },
        { id: "conv-1/s2", title: "session_2", text: "Ann: Hi", scope: "conv-1" },
      ],
      queries: [
        { id: "conv-1/q0", text: "When?", category: "temporal", scope: "conv-1" },
        { id: "conv-1/q1", text: "Both?", category: "multi-hop", scope: "conv-1" },
      ],
      qrels: new Map([
        ["conv-1/q0", new Map([["conv-1/s1", 1]])],
        ["conv-1/q1", new Map([["conv-1/s1", 1], ["conv-1/s2", 1]])],
      ]),
    },
  },
  longmemeval: {
    path: "longmemeval_s_cleaned.json",
    files: {
      "longmemeval_s_cleaned.json": JSON.stringify([
        {
          question_id: "a1",
          question_type: "multi-session",
          question: "What degree?",
          answer: "Biology",
          question_date: "2023/05/30 (Tue) 23:40",
          haystack_dates: ["2023/05/20 (Sat) 02:21"],
          haystack_session_ids: ["answer_1"],
          haystack_sessions: [[
            { role: "user", content: "I studied biology", has_answer: true },
            { role: "assistant", content: "Great" },
          ]],
          answer_session_ids: ["answer_1"],
        },
        {
          question_id: "a2_abs",
          question_type: "knowledge-update",
          question: "Which car?",
          answer: "You did not say",
          haystack_dates: [],
          haystack_session_ids: ["answer_1"],
          haystack_sessions: [[{ role: "user", content: "Hello" }]],
          answer_session_ids: ["answer_1"],
        },
      ]),
    },
    suite: {
      documents: [
        {
          id: "a1/answer_1",
          title: "2023/05/20 (Sat) 02:21",
          text: "user: I studied biology\nassistant: Great",
          ts: "2023-05-20T02:21:00Z",
          scope: "a1",
        },
        { id: "a2_abs/answer_1", text: "user: Hello", scope: "a2_abs" },
      ],
      queries: [
        { id: "a1", text: "What degree?", category: "multi-session", scope: "a1" },
        {
          id: "a2_abs",
          text: "Which car?",
          category: "abstention",
          scope: "a2_abs",
          no_answer: true,
        },
      ],
      qrels: new Map([["a1", new Map([["a1/answer_1", 1]])]]),
    },
  },
};

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

for (const { kind } of LOADERS) {
  Deno.test(`openSuite() reads the form ${kind}`, () => {
    const sample = SAMPLES[kind]!;
    using temp = temporaryFolder();
    writeFiles(temp.path, sample.files);
    const opened = openSuite(join(temp.path, sample.path));
    assert.equal(opened.kind, kind);
    assert.deepEqual(opened.suite, sample.suite);
  });
}

Deno.test("openSuite() says what it takes when it is given something else", () => {
  using temp = temporaryFolder();
  const isMemoError = (kind: string) => (error: unknown) =>
    error instanceof MemoError && error.kind === kind && error.hint !== undefined;
  assert.throws(() => openSuite(temp.path), isMemoError("usage"));
  assert.throws(() => openSuite(join(temp.path, "nowhere")), isMemoError("not-found"));
});

Deno.test("openSuite() names file and line of what is not JSON", () => {
  using temp = temporaryFolder();
  const { files } = SAMPLES["memo"]!;
  writeFiles(temp.path, { ...files, "mine/queries.jsonl": '{"id":"q1","text":"?"}\n{oops\n' });
  assert.throws(() => openSuite(join(temp.path, "mine")), /queries\.jsonl`: line 2 is not JSON/);
});

Deno.test("suitesIn() lists the suites of a folder, and nothing else in it", () => {
  using temp = temporaryFolder();
  writeFiles(temp.path, { ...SAMPLES["memo"]!.files, "README.md": "", "notes/a.txt": "" });
  assert.deepEqual(suitesIn(temp.path), ["mine"]);
  assert.deepEqual(suitesIn(join(temp.path, "nowhere")), []);
});
