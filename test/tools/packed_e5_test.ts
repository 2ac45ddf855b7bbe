// The converter of packed models on one that is made here: two layers, random weights, a vocabulary of a few words.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UNSIGNED, WORDS } from "../../src/core/embed/files.ts";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { seededRandom } from "../../bench/random.ts";
import { readPackedModel } from "../../tools/model/packed_e5.ts";
import { type Converted, filesOfE5, WEIGHTS } from "../../tools/model/sources.ts";
import { temporaryFolder } from "../support/temp.ts";

const HIDDEN = 64, HEADS = 4, LAYERS = 2, INNER = 128, POSITIONS = 32, BLOCK = 32;
const PIECES = "<s> <pad> </s> <unk> ▁ ▁deploy ▁de ploy ▁tests s é 日".split(" ");
/** Texts, their tokens, and the vectors that a BERT in plain loops over the same floats gave. */
const EXPECTED: readonly (readonly [text: string, tokens: number, vector: readonly number[]])[] =
  JSON.parse(readFileSync(new URL("../fixtures/packed_e5.json", import.meta.url), "utf8"));
const SCORES = [0, 0, 0, 0, -3, -9, -5, -6, -8, -4, -9, -9];

Deno.test("A packed model gives, converted, the vectors that its weights stand for", async () => {
  using folder = temporaryFolder();
  layOut(folder.path, filesOfE5(readPackedModel(packedModel())).files);
  const embedder = await openEmbedder(folder.path, pathsFor({ MEMO_HOME: "/nowhere" }));
  for (const [text, tokens, expected] of EXPECTED) {
    const vector = await embedder.embed(text);
    const cosine = vector.reduce((all, value, i) => all + value * expected[i]!, 0);
    assert.ok(cosine > 0.999, `${JSON.stringify(text)}: ${cosine}`);
    assert.equal(embedder.countTokens(text), tokens, text);
  }
  await embedder.close();
});

Deno.test("A packed model gives, with its table of words beside its graph, the vectors of one file", async () => {
  using folder = temporaryFolder();
  const { files, whole } = filesOfE5(readPackedModel(packedModel()));
  const { [UNSIGNED.path]: _, [WORDS.place]: __, [WORDS.rows]: ___, ...others } = files;
  const texts = ["deploy", "deploys tests 日", "qqq é", "", "tests ".repeat(POSITIONS - 2)];
  const vectors: Float32Array[][] = [];
  for (const [name, given] of Object.entries({ files, one: { ...others, [WEIGHTS]: whole } })) {
    layOut(join(folder.path, name), given);
    const embedder = await openEmbedder(
      join(folder.path, name),
      pathsFor({ MEMO_HOME: "/nowhere" }),
    );
    vectors.push(await Promise.all(texts.map((text) => embedder.embed(text))));
    await embedder.close();
  }
  assert.notDeepEqual(vectors[0]![0], vectors[0]![1]);
  assert.deepEqual(vectors[0], vectors[1]);
});

Deno.test("readPackedModel() refuses what is no packed model, or cut short", () => {
  const file = packedModel();
  assert.throws(() => readPackedModel(new Uint8Array(100)), /begin with E5S1/);
  assert.throws(() => readPackedModel(file.subarray(0, file.length - 100)), /takes \d+ bytes/);
});

function layOut(folder: string, files: Converted["files"]): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A packed file. */
function packedModel(): Uint8Array {
  const next = seededRandom(7);
  const tensors: { name: string; kind: number; count: number; data: Uint8Array }[] = [];
  const floats = (name: string, count: number, around = 0) => {
    const values = Float32Array.from({ length: count }, () => around + 0.2 * (next() - 0.5));
    tensors.push({ name, kind: 0, count, data: new Uint8Array(values.buffer) });
  };
  const blocks = (name: string, count: number) => {
    const data = new Uint8Array(count / BLOCK * 18);
    for (let block = 0; block < count / BLOCK; block++) {
      data.set([0x00, 0x2c + block % 3], block * 18); // 1/16, 5/64 and 3/32 as 16-bit floats
      for (let i = 0; i < 16; i++) {
        const low = Math.floor(16 * next()), high = Math.floor(16 * next());
        data[block * 18 + 2 + i] = low | high << 4;
      }
    }
    tensors.push({ name, kind: 1, count, data });
  };
  const dense = (name: string, inputs: number, outputs: number) => {
    blocks(`${name}.w`, inputs * outputs);
    floats(`${name}.b`, outputs);
  };
  const norm = (name: string) => {
    floats(`${name}.w`, HIDDEN, 1);
    floats(`${name}.b`, HIDDEN);
  };
  blocks("emb.word", PIECES.length * HIDDEN);
  floats("emb.pos", POSITIONS * HIDDEN);
  floats("emb.type", 2 * HIDDEN);
  norm("emb.ln");
  for (let i = 0; i < LAYERS; i++) {
    for (const name of ["q", "k", "v", "ao"]) dense(`l${i}.${name}`, HIDDEN, HIDDEN);
    norm(`l${i}.aln`);
    dense(`l${i}.fi`, HIDDEN, INNER);
    dense(`l${i}.fo`, INNER, HIDDEN);
    norm(`l${i}.oln`);
  }
  return fileOf(tensors);
}

function fileOf(
  tensors: readonly { name: string; kind: number; count: number; data: Uint8Array }[],
): Uint8Array {
  const integers = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);
  const long = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
  const floats = (values: number[]) => Buffer.from(Float32Array.from(values).buffer);
  const pieces = PIECES.map((piece) => Buffer.from(piece));
  const offsets = pieces.reduce((all, piece) => [...all, all.at(-1)! + piece.length], [0]);
  const head = Buffer.concat([
    Buffer.from("E5S1"),
    integers(1, HIDDEN, LAYERS, HEADS, INNER, PIECES.length, POSITIONS, 2),
    floats([1e-12]),
    integers(BLOCK, PIECES.length, 0, 2, 1, 3),
    long(offsets.at(-1)!),
    integers(...offsets),
    floats(SCORES),
    ...pieces,
    integers(1, 9), // a table of normalisation, which is passed over
    Buffer.alloc(9),
    integers(tensors.length),
  ]);
  const entrySize = (name: string) => 2 + name.length + 1 + 4 + 16;
  let at = head.length + tensors.reduce((all, { name }) => all + entrySize(name), 0);
  const entries = tensors.map(({ name, kind, count, data }) => {
    const entry = Buffer.concat([
      Buffer.from(Uint16Array.of(name.length).buffer),
      Buffer.from(name),
      Buffer.of(kind),
      integers(count),
      long(at),
      long(data.length),
    ]);
    at += data.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...tensors.map(({ data }) => data)]);
}
