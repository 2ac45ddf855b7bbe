import assert from "node:assert/strict";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { Strategy } from "../../strategies/strategy.ts";
import { makeIndex } from "../support/index.ts";
import { corpusOf, options, QUERIES, query } from "./notes.ts";

/** Registers the tests of what `Strategy` promises, whatever a strategy ranks by. */
export function testContract(strategy: Strategy): void {
  const { name } = strategy;

  Deno.test(`${name} ranks best first, none twice, within 0 and 1, the same every time`, async () => {
    await using made = await corpusOf();
    let found = 0;
    for (const text of QUERIES) {
      const hits = await strategy.rank(query(text), made.corpus, options(10));
      found += hits.length;
      assert.deepEqual(await strategy.rank(query(text), made.corpus, options(10)), hits);
      assert.equal(new Set(hits.map((hit) => hit.memory)).size, hits.length);
      hits.forEach((hit, i) => {
        assert.ok(hit.score >= 0 && hit.score <= 1, `${hit.score}`);
        if (i > 0) assert.ok(hits[i - 1]!.score >= hit.score);
      });
      const memories = await made.corpus.memories(hits.map((hit) => hit.memory));
      assert.equal(memories.length, hits.length);
    }
    assert.ok(found > 0, "it finds something");
  });

  Deno.test(`${name} returns at most as many hits as it is asked for`, async () => {
    await using made = await corpusOf(30);
    for (const text of QUERIES) {
      const hits = await strategy.rank(query(text), made.corpus, options(3));
      assert.ok(hits.length <= 3, `${hits.length} for ${text.slice(0, 40)}`);
    }
  });

  Deno.test(`${name} ranks only memories of the corpus it is given`, async () => {
    await using made = await corpusOf();
    const none = made.corpus.of({ types: ["feedback"] });
    for (const text of QUERIES) {
      assert.deepEqual(await strategy.rank(query(text), none, options(10)), []);
    }
  });

  Deno.test(`${name} finds nothing in an empty corpus`, async () => {
    await using made = await makeIndex();
    const corpus = await made.index.corpus([made.folder]);
    assert.deepEqual(await strategy.rank(query("anything at all"), corpus, options(5)), []);
  });

  Deno.test(`${name} describes itself, and its fallback exists`, () => {
    assert.match(name, /^[a-z][a-z_]*$/);
    assert.ok(strategy.summary.length > 0 && strategy.summary.length <= 80);
    assert.ok(strategy.needsMs > 0);
    const fallback = STRATEGIES.find((row) => row.name === strategy.fallback);
    if (strategy.fallback !== undefined) assert.equal(fallback?.cost, "local");
  });

  if (strategy.cost === "api") {
    Deno.test(`${name} refuses to rank where no language model may be asked`, async () => {
      await using made = await corpusOf();
      const ranked = strategy.rank(query("refresh token"), made.corpus, {
        ...options(5),
        ask: undefined,
      });
      await assert.rejects(ranked);
    });
  }
}
