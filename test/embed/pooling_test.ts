import assert from "node:assert/strict";
import { pool } from "../../src/embed/pooling.ts";

const TOKENS = Float32Array.of(3, 0, 0, 4); // two tokens of two dimensions

Deno.test("pool() averages the tokens and keeps the direction", () => {
  assert.deepEqual(pool(TOKENS, 2, "mean"), Float32Array.of(0.6, 0.8));
});

Deno.test("pool() takes the first token where a model was trained so", () => {
  assert.deepEqual(pool(TOKENS, 2, "cls"), Float32Array.of(1, 0));
});

Deno.test("pool() leaves nothing as nothing", () => {
  assert.deepEqual(pool(new Float32Array(4), 2, "mean"), Float32Array.of(0, 0));
});
