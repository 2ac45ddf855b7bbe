import assert from "node:assert/strict";
import { pool, vectorOf } from "../../src/core/embed/pooling.ts";

const TOKENS = Float32Array.of(3, 0, 0, 4); // two tokens of two dimensions

Deno.test("pool() makes one unit vector of the tokens' mean, of the first, or of the last", () => {
  assert.deepEqual(pool(TOKENS, 2, "mean"), Float32Array.of(0.6, 0.8));
  assert.deepEqual(pool(TOKENS, 2, "cls"), Float32Array.of(1, 0));
  assert.deepEqual(pool(TOKENS, 2, "last"), Float32Array.of(0, 1));
  assert.deepEqual(pool(new Float32Array(4), 2, "mean"), Float32Array.of(0, 0));
});

Deno.test("vectorOf() prefers the model's own pooling, and refuses an answer without any vector", () => {
  const tokens = { data: TOKENS, dims: [1, 2, 2] };
  const own = { data: Float32Array.of(0, 2), dims: [1, 2] };
  const both = { last_hidden_state: tokens, sentence_embedding: own };
  assert.deepEqual(vectorOf(both, "mean"), Float32Array.of(0, 1));
  assert.deepEqual(vectorOf({ last_hidden_state: tokens }, "mean"), Float32Array.of(0.6, 0.8));
  assert.throws(() => vectorOf({ logits: tokens }, "mean"), /last_hidden_state/);
});
