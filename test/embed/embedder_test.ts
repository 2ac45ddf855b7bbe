import assert from "node:assert/strict";
import { cpSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dot, openEmbedder } from "../../src/core/embed/mod.ts";
import { MemoError } from "../../src/errors.ts";
import { pathsFor } from "../../src/paths.ts";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

const WEIGHTS = "onnx/model_quantized.onnx";
const paths = pathsFor({ MEMO_HOME: "/nowhere" });
/** Tokens of a passage that the built-in model takes, without the prefix and the special ones. */
const WINDOW = 508;

/** A model that is closed with the test. */
async function opened(model = "builtin") {
  const embedder = await openEmbedder(model, paths);
  return { ...embedder, [Symbol.asyncDispose]: () => embedder.close() };
}

function isModelError(error: unknown): boolean {
  return error instanceof MemoError && error.kind === "model" && error.hint !== undefined;
}

Deno.test("The built-in model gives the same unit vector each time it is loaded", async () => {
  const vectors: Float32Array[] = [];
  for (let load = 0; load < 2; load++) {
    await using embedder = await opened();
    assert.equal(embedder.dimensions, 384);
    vectors.push(await embedder.embed("How do I run the tests?", "query"));
  }
  assert.deepEqual(vectors[0], vectors[1]);
  assert.ok(Math.abs(Math.hypot(...vectors[0]!) - 1) < 1e-5);
});

Deno.test("A text's vector does not depend on what else is embedded at the time", async () => {
  await using embedder = await opened();
  const texts = [
    "Use pnpm",
    "The staging database is on port 5433 and needs the VPN",
    "é漢字 🙂",
    "",
  ];
  const together = await Promise.all(texts.map((text) => embedder.embed(text)));
  for (const [i, text] of texts.entries()) {
    assert.deepEqual(await embedder.embed(text), together[i]);
  }
});

Deno.test("What is longer than the window is cut, and all that fits counts", async () => {
  await using embedder = await opened();
  const words = (count: number) => Array(count).fill("word").join(" ");
  assert.equal(embedder.countTokens(words(10)), 10);
  const full = words(WINDOW);
  assert.equal(embedder.countTokens(full), WINDOW);
  const vector = await embedder.embed(full);
  assert.deepEqual(await embedder.embed(full + " something quite different at the end"), vector);
  assert.notDeepEqual(await embedder.embed(words(WINDOW - 1)), vector);
});

for (
  const [damage, apply] of [
    ["cut weights", (folder: string) => truncateSync(join(folder, WEIGHTS), 1000)],
    ["no tokenizer", (folder: string) => rmSync(join(folder, "tokenizer.json"))],
    ["foreign weights", (folder: string) => writeFileSync(join(folder, WEIGHTS), "something else")],
    ["no weights", (folder: string) => rmSync(join(folder, WEIGHTS))],
  ] as const
) {
  Deno.test(`A folder with ${damage} is a model error, and loads again once mended`, async () => {
    using copy = temporaryFolder();
    cpSync(MINILM, copy.path, { recursive: true });
    apply(copy.path);
    await assert.rejects(openEmbedder(copy.path, paths), isModelError);
    cpSync(MINILM, copy.path, { recursive: true });
    await (await openEmbedder(copy.path, paths)).close();
  });
}

Deno.test("a query that is longer than the context window is embedded by its head and its tail", async () => {
  await using embedder = await opened();
  const paste = "many words of a long specification ".repeat(120);
  assert.ok(embedder.countTokens(paste) > WINDOW);
  const vectors = await Promise.all([
    `${paste}\nWhich port does the kiln listen on?`,
    `${paste}\nHow often does the ficus need water?`,
    `Which port does the kiln listen on?\n${paste}`,
  ].map((text) => embedder.embed(text, "query")));
  const port = await embedder.embed("the kiln listens on port 7070");
  const [below, other, above] = vectors.map((vector) => dot(vector, port));
  assert.ok(below! > other!, `${below} ${other}`);
  assert.ok(above! > other!, `${above} ${other}`);
});

Deno.test("An English model is given in English what the glossary knows of another language", async () => {
  await using embedder = await opened(MINILM);
  const asked = await embedder.embed("borrar la rama remota", "query");
  assert.deepEqual(asked, await embedder.embed("delete branch remote", "query"));
  const near = await embedder.embed("How to delete a branch on the remote");
  const far = await embedder.embed("Where the printer of the second floor is");
  assert.ok(dot(asked, near) > dot(asked, far) + 0.3);
  assert.match(embedder.id, /^local\/all-MiniLM-L6-v2@q8-[0-9a-f]{8}\+[0-9a-f]{8}$/);
});

Deno.test("What memo.json in a folder declares makes other vectors, under another id", async () => {
  using copy = temporaryFolder();
  cpSync(MINILM, copy.path, { recursive: true });
  const declaring = async (said: object) => {
    writeFileSync(join(copy.path, "memo.json"), JSON.stringify(said));
    await using embedder = await opened(copy.path);
    return { id: embedder.id, vector: await embedder.embed("pnpm") };
  };
  const plain = await declaring({}), declared = await declaring({ pooling: "cls" });
  assert.notDeepEqual(declared.vector, plain.vector);
  assert.notEqual(declared.id, plain.id);
  assert.match((await declaring({ cosines: { floor: 0.4, gain: 2 } })).id, /~0\.4000~2\.0000/);
});
