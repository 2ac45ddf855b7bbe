// The converter of packed models on one that is made here: two layers, random weights, a vocabulary of a few words.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UNSIGNED, WORDS } from "../../src/core/embed/files.ts";
import { openEmbedder } from "../../src/core/embed/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { seededRandom } from "../../bench/random.ts";
import { readPackedModel } from "../../tools/model/packed_e5.ts";
import { type Converted, filesOfE5, WEIGHTS } from "../../tools/model/sources.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type Dense, encode, type Norm, type ReferenceBert } from "./reference_bert.ts";

const HIDDEN = 64, HEADS = 4, LAYERS = 2, INNER = 128, POSITIONS = 32, BLOCK = 32;
const PIECES = "<s> <pad> </s> <unk> ▁ ▁deploy ▁de ploy ▁tests s é 日".split(" ");
const SCORES = [0, 0, 0, 0, -3, -9, -5, -6, -8, -4, -9, -9];

Deno.test("A packed model gives, converted, the vectors that its weights stand for", async () => {
  using folder = temporaryFolder();
  const { file, reference } = packedModel();
  layOut(folder.path, filesOfE5(readPackedModel(file)).files);
  const embedder = await openEmbedder(folder.path, pathsFor({ MEMO_HOME: "/nowhere" }));
  const [bos, eos, unknown] = [0, 2, 3];
  const cases: [string, number[]][] = [
    ["deploy", [5]],
    ["  deploy\n tests ", [5, 8]],
    ["deploys", [5, 9]],
    ["日 é", [4, 11, 4, 10]],
    ["qqq tests", [4, unknown, 8]],
    ["<s>", [4, unknown, 9, unknown]],
  ];
  for (const [text, tokens] of cases) {
    const rows = encode(reference, [bos, ...tokens, eos]);
    const mean = Float64Array.from(
      { length: HIDDEN },
      (_, i) => rows.reduce((all, row) => all + row[i]!, 0),
    );
    const length = Math.hypot(...mean);
    const vector = await embedder.embed(text);
    const cosine = vector.reduce((all, value, i) => all + value * mean[i]! / length, 0);
    assert.ok(cosine > 0.999, `${JSON.stringify(text)}: ${cosine}`);
    assert.equal(embedder.countTokens(text), tokens.length, text);
  }
  await embedder.close();
});

Deno.test("A packed model gives, with its table of words beside its graph, the vectors of one file", async () => {
  using folder = temporaryFolder();
  const { files, whole } = filesOfE5(readPackedModel(packedModel().file));
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
  const { file } = packedModel();
  assert.throws(() => readPackedModel(new Uint8Array(100)), /begin with E5S1/);
  assert.throws(() => readPackedModel(file.subarray(0, file.length - 100)), /takes \d+ bytes/);
});

function layOut(folder: string, files: Converted["files"]): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A packed file, and the floats that it stands for. */
function packedModel(): { file: Uint8Array; reference: ReferenceBert } {
  const next = seededRandom(7);
  const centred = () => next() - 0.5;
  const tensors: { name: string; kind: number; count: number; data: Uint8Array }[] = [];
  const floats = (name: string, count: number, around = 0): Float32Array => {
    const values = Float32Array.from({ length: count }, () => around + 0.2 * centred());
    tensors.push({ name, kind: 0, count, data: new Uint8Array(values.buffer) });
    return values;
  };
  const blocks = (name: string, count: number): Float32Array => {
    const data = new Uint8Array(count / BLOCK * 18), values = new Float32Array(count);
    for (let block = 0; block < count / BLOCK; block++) {
      data.set([0x00, 0x2c + block % 3], block * 18); // 1/16, 5/64 and 3/32 as 16-bit floats
      const scale = [1 / 16, 5 / 64, 3 / 32][block % 3]!;
      for (let i = 0; i < 16; i++) {
        const low = Math.floor(16 * next()), high = Math.floor(16 * next());
        data[block * 18 + 2 + i] = low | high << 4;
        values[block * BLOCK + i] = (low - 8) * scale;
        values[block * BLOCK + 16 + i] = (high - 8) * scale;
      }
    }
    tensors.push({ name, kind: 1, count, data });
    return values;
  };
  const dense = (name: string, inputs: number, outputs: number): Dense => ({
    weights: blocks(`${name}.w`, inputs * outputs),
    bias: floats(`${name}.b`, outputs),
  });
  const norm = (name: string): Norm => ({
    scale: floats(`${name}.w`, HIDDEN, 1),
    shift: floats(`${name}.b`, HIDDEN),
  });
  const reference: ReferenceBert = {
    hidden: HIDDEN,
    heads: HEADS,
    epsilon: 1e-12,
    word: blocks("emb.word", PIECES.length * HIDDEN),
    position: floats("emb.pos", POSITIONS * HIDDEN),
    type: floats("emb.type", 2 * HIDDEN).slice(0, HIDDEN),
    embeddingNorm: norm("emb.ln"),
    layers: Array.from({ length: LAYERS }, (_, i) => ({
      query: dense(`l${i}.q`, HIDDEN, HIDDEN),
      key: dense(`l${i}.k`, HIDDEN, HIDDEN),
      value: dense(`l${i}.v`, HIDDEN, HIDDEN),
      attended: dense(`l${i}.ao`, HIDDEN, HIDDEN),
      attentionNorm: norm(`l${i}.aln`),
      inner: dense(`l${i}.fi`, HIDDEN, INNER),
      outer: dense(`l${i}.fo`, INNER, HIDDEN),
      outputNorm: norm(`l${i}.oln`),
    })),
  };
  return { file: fileOf(tensors), reference };
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
