import assert from "node:assert/strict";
import { calibrationOf } from "../../src/core/embed/mod.ts";
import { BUILTIN_MODEL, cosinesInId, prefixesOf, profileOf } from "../../src/core/embed/models.ts";

const BUILTIN = BUILTIN_MODEL["multilingual-e5-small"].calibration.nearness;
const PLAIN = calibrationOf("local/mine@q8-1234");

Deno.test("profileOf() knows a model by its name, and takes what a folder declares of another", () => {
  assert.equal(profileOf("all-MiniLM-L6-v2", { pooling: "cls" }).pooling, "mean");
  const declared = { pooling: "cls", prefixes: { query: "q: " }, max_tokens: 512 } as const;
  const { pooling, prefixes, maxTokens } = profileOf("mine", declared);
  assert.deepEqual([pooling, prefixes, maxTokens], ["cls", { query: "q: ", passage: "" }, 512]);
  assert.throws(() => profileOf("mine", { pooling: "most" as "mean" }), /mean, cls, last/);
});

Deno.test("calibrationOf() follows from the id of the embedder", () => {
  for (
    const [id, nearness] of [
      ["builtin/multilingual-e5-small@q8-1234+5678", BUILTIN],
      ["local/multilingual-e5-small@q8-1234", BUILTIN],
      [`local/mine@q8-1234${cosinesInId({ cosines: { floor: 0.4, gain: 2 } })}+5678`, {
        floor: 0.4 + PLAIN.nearness.floor / 2,
        gain: 2 * PLAIN.nearness.gain,
      }],
      // An endpoint's vectors are as they come: what they have in common is not removed.
      ["endpoint/multilingual-e5-small@1234", PLAIN.nearness],
      [undefined, PLAIN.nearness],
    ] as const
  ) {
    assert.deepEqual(calibrationOf(id).nearness, nearness, String(id));
  }
  const { retold } = calibrationOf("local/mine@q8-1~0.4~2");
  assert.equal(retold, 0.4 + PLAIN.retold / 2);
  assert.throws(() => cosinesInId({ cosines: { floor: 2, gain: 1 } }), /cosines/);
});

Deno.test("prefixesOf() knows a model at an endpoint by its name, whatever its tag", () => {
  assert.equal(prefixesOf("nomic-embed-text:latest").query, "search_query: ");
  assert.equal(prefixesOf("Qwen3-Embedding:0.6b").passage, "");
  assert.equal(prefixesOf("constructor").query, "");
});
