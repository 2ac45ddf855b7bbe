import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder } from "../../src/embed/mod.ts";
import { outsideOf } from "../../src/embed/files.ts";
import { pathsFor } from "../../src/paths.ts";
import { splitModel } from "../../tools/model/outside.ts";
import { WEIGHTS } from "../../tools/model/sources.ts";
import { MINILM } from "../support/minilm.ts";
import { temporaryFolder } from "../support/temp.ts";

Deno.test("splitModel() moves the large constants to places that any system can map", () => {
  const whole = readFileSync(join(MINILM, WEIGHTS));
  const { graph, outside } = splitModel(whole, "beside");
  assert.ok(graph.length < whole.length / 20, `${graph.length} of ${whole.length} bytes are left`);
  const offsets = [...new TextDecoder("latin1").decode(graph).matchAll(/offset\W{2}(\d+)/g)];
  assert.ok(offsets.length > 20);
  for (const [, offset] of offsets) assert.equal(Number(offset) % 65_536, 0);
  assert.ok(Math.abs(graph.length + outside.length - whole.length) < offsets.length * 66_000);
});

Deno.test("a model in two files gives the vectors of the one, to the last bit", async () => {
  using folder = temporaryFolder();
  const split = join(folder.path, "split");
  cpSync(MINILM, split, { recursive: true });
  const { graph, outside } = splitModel(
    readFileSync(join(MINILM, WEIGHTS)),
    `model_quantized.onnx_data`,
  );
  writeFileSync(join(split, WEIGHTS), graph);
  writeFileSync(join(split, outsideOf(WEIGHTS)), outside);
  writeFileSync(join(split, "memo.json"), "{}"); // the record is of the one file
  const paths = pathsFor({ MEMO_HOME: "/nowhere" });
  const vectors: Float32Array[] = [];
  for (const path of [MINILM, split]) {
    const embedder = await openEmbedder(path, paths);
    vectors.push(await embedder.embed("The staging database is on port 5433 and needs the VPN"));
    await embedder.close();
  }
  assert.deepEqual(vectors[1], vectors[0]);
});

Deno.test("where the built-in model is in two files, it is called as the one was", async () => {
  const folder = new URL("../../dist/model/", import.meta.url);
  const record = JSON.parse(readFileSync(new URL("memo.json", folder), "utf8"));
  const isSplit = existsSync(new URL(outsideOf(WEIGHTS), folder));
  assert.equal(record.weights !== undefined, isSplit);
  if (!isSplit) return; // MiniLM is built in
  assert.ok(statSync(new URL(WEIGHTS, folder)).size < 1e6);
  const embedder = await openEmbedder("builtin", pathsFor({ MEMO_HOME: "/nowhere" }));
  assert.match(embedder.id, new RegExp(`@q8-${record.weights.slice(0, 8)}`));
  await embedder.close();
});
