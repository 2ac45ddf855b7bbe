import assert from "node:assert/strict";
import { type Embedder, withQueryCache } from "../../src/core/embed/mod.ts";

/** An embedder with a cache, and what passes that; `fails` rejects the first time. */
function noting() {
  const asked: string[] = [];
  const embedder: Embedder = {
    id: "noting",
    dimensions: 1,
    countTokens: (text) => text.length,
    embed: (text, role = "passage") => {
      asked.push(`${role} ${text}`);
      return text === "fails" && asked.length === 1
        ? Promise.reject(new Error("no"))
        : Promise.resolve(Float32Array.of(text.length));
    },
    close: () => Promise.resolve(),
  };
  return { asked, embedder: withQueryCache(embedder) };
}

Deno.test("a query that is asked again, even before it is answered, is embedded once", async () => {
  const { asked, embedder } = noting();
  const [one, other] = await Promise.all([
    embedder.embed("twice", "query"),
    embedder.embed("twice", "query"),
  ]);
  assert.deepEqual([one, other], [Float32Array.of(5), Float32Array.of(5)]);
  await embedder.embed("other", "query");
  await embedder.embed("twice", "query");
  assert.deepEqual(asked, ["query twice", "query other"]);
});

Deno.test("passages and failures are not kept", async () => {
  const { asked, embedder } = noting();
  await assert.rejects(embedder.embed("fails", "query"));
  await embedder.embed("fails", "query");
  await embedder.embed("text");
  await embedder.embed("text");
  assert.deepEqual(asked, ["query fails", "query fails", "passage text", "passage text"]);
});

Deno.test("of many queries the latest are kept", async () => {
  const { asked, embedder } = noting();
  for (let i = 0; i < 100; i++) await embedder.embed(`${i}`, "query");
  await embedder.embed("99", "query");
  assert.equal(asked.length, 100);
  await embedder.embed("0", "query");
  assert.equal(asked.length, 101);
});
