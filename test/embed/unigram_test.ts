import fc from "fast-check";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AutoTokenizer, env } from "@huggingface/transformers";
import { loadTokenizer, readUnigram } from "../../src/core/embed/unigram.ts";
import { MemoError } from "../../src/errors.ts";
import { writeUnigram } from "../../tools/model/unigram.ts";
import { temporaryFolder } from "../support/temp.ts";

/** Pieces of one to four letters. */
const LETTERS = ["a", "b", "c", "é", "日", "🙂", "."];
const WORDS = "ab abc bc ca aa aab éa 日a 🙂. cab abca ▁a ▁ab ▁日 ▁".split(" ");
const SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"];
const PIECES = [...SPECIAL, ...WORDS, ...LETTERS.filter((letter) => letter !== "c")];
/** Multiples of 1/64: sums are exact in 32 bits as in 64, so two splits of one weight tie in both. */
const SCORES = PIECES.map((_, i) =>
  i < 4 ? 0 : -3 - Math.round(64 * (Math.sqrt(i * 17 + 3) % 7)) / 64
);

const VOCABULARY = {
  pieces: PIECES.map((piece, i) => i < 4 ? "" : piece),
  scores: Float32Array.from(SCORES),
  opening: 0,
  closing: 2,
  unknown: 3,
};

Deno.test("A vocabulary splits texts as the tokenizer of transformers.js does", async () => {
  using own = temporaryFolder();
  using theirs = temporaryFolder();
  writeFileSync(join(own.path, "unigram.bin"), writeUnigram(VOCABULARY));
  writeTokenizerJson(theirs.path);
  const mine = await loadTokenizer(own.path);
  env.allowRemoteModels = false;
  const reference = await AutoTokenizer.from_pretrained(theirs.path, { local_files_only: true });
  const text = fc.array(
    fc.constantFrom(...LETTERS, " ", "  ", "\n", "ﬁ", "\u00a0", "x", "～", "\u0007"),
  )
    .map((parts) => parts.join("").trim());
  fc.assert(
    fc.property(text, (text) => {
      assert.deepEqual(mine.encode(text), reference.encode(text), JSON.stringify(text));
      assert.equal(mine.count(text), mine.encode(text).length - 2);
    }),
    { numRuns: 500 },
  );
});

Deno.test("A vocabulary that is cut short or something else is a model error", () => {
  const whole = writeUnigram(VOCABULARY);
  for (
    const file of [whole.subarray(0, whole.length - 1), whole.subarray(0, 10), Buffer.alloc(200)]
  ) {
    assert.throws(
      () => readUnigram(file),
      (error) => error instanceof MemoError && error.kind === "model" && error.hint !== undefined,
    );
  }
});

/** A tokenizer as Hugging Face has them, with these pieces. */
function writeTokenizerJson(folder: string): void {
  for (const name of ["tokenizer.json", "tokenizer_config.json"]) {
    const file = new URL(`../fixtures/embed/${name}`, import.meta.url);
    const json = JSON.parse(readFileSync(file, "utf8"));
    if (name === "tokenizer.json") json.model.vocab = PIECES.map((piece, i) => [piece, SCORES[i]]);
    writeFileSync(join(folder, name), JSON.stringify(json));
  }
}
