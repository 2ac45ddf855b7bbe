import assert from "node:assert/strict";
import { appendFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Considered,
  formatNothing,
  readReceipts,
  reasonOf,
  type Receipt,
  writeReceipt,
} from "../../src/core/recall/receipts.ts";
import { temporaryFolder } from "../support/temp.ts";

const receipt = (session: string): Receipt => ({
  at: "2026-11-21T12:00:00.000Z",
  session,
  outcome: "no hit",
  memories: [],
  chars: 0,
  ms: { gate: 1 },
});

Deno.test("receipts come back newest first, and half a line is passed over", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "state", "receipts.jsonl");
  assert.deepEqual(readReceipts(path, 10), []);
  writeReceipt(path, receipt("a"));
  appendFileSync(path, '{"at":"2026\n');
  writeReceipt(path, receipt("b"));
  assert.deepEqual(readReceipts(path, 10).map(({ session }) => session), ["b", "a"]);
  assert.deepEqual(readReceipts(path, 1).map(({ session }) => session), ["b"]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

Deno.test("a long file of receipts is turned over, and both are read", () => {
  using temp = temporaryFolder();
  const path = join(temp.path, "receipts.jsonl");
  writeFileSync(path, (JSON.stringify(receipt("old")) + "\n").repeat(40_000));
  writeReceipt(path, receipt("new"));
  assert.ok(existsSync(`${path}.1`));
  assert.deepEqual(readReceipts(path, 2).map(({ session }) => session), ["new", "old"]);
});

const BEFORE = "which port?";
const WORDS = { strategy: "keyword", reasons: ["words"] };
const REASONS: readonly (readonly [reason: string, Considered, before?: string])[] = [
  ["matched on meaning and words", { strategy: "hybrid", reasons: ["meaning", "words"] }],
  [
    "matched the previous prompt: “which port?”",
    { strategy: "hybrid", reasons: ["meaning"] },
    BEFORE,
  ],
  ["matched on words and meaning", { strategy: "hybrid" }],
  ["matched on words; possibly relevant, title only", { ...WORDS, form: "title" }],
  ["matched on words; title and path only", { ...WORDS, form: "line" }],
  ["exact match for its name or trigger", { strategy: "trigger" }, BEFORE],
  ["by ./mine.ts", { strategy: "./mine.ts" }],
  ["given", {}],
  ["excluded by `never`", { strategy: "hybrid", because: "not for such prompts" }, BEFORE],
  ["replaced by a newer one", { strategy: "hybrid", because: "overtaken" }],
  ["replaced by “Port”", { strategy: "hybrid", because: "overtaken", by: "Port" }],
];

Deno.test("why a memory came or stayed out is said in words", () => {
  for (const [reason, ...considered] of REASONS) assert.equal(reasonOf(...considered), reason);
});

Deno.test("that nothing comes is said with what is nearest, what it needs and where its title is", () => {
  const nearest = { title: "“Use pnpm”", score: 0.263, threshold: 0.35, isAtStart: true };
  const below = { ...nearest, because: "below threshold" };
  const outcome = "below threshold";
  for (
    const [nothing, text] of [
      [
        { outcome, nearest: below },
        ". Nearest: “Use pnpm” 0.26, needs 0.35; its title is shown at session start.",
      ],
      [
        { outcome, nearest: { ...below, isAtStart: false } },
        ". Nearest: “Use pnpm” 0.26, needs 0.35.",
      ],
      [
        {
          outcome: "withheld",
          nearest: { ...nearest, because: "not for such prompts", isAtStart: false },
        },
        ". Nearest: “Use pnpm” 0.26, excluded by `never`.",
      ],
      [{ outcome: "gated", why: "too short" }, ": too short"],
      [{ outcome: "no hit", why: "no model" }, ": no hit"],
    ] as const
  ) assert.equal(formatNothing(nothing), `Nothing recalled${text}`);
});
