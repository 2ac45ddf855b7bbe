import { existsSync } from "node:fs";
import { join } from "node:path";

/** The file names of a model's weights, by precision, the preferred one first. */
export const WEIGHTS = [
  { path: "onnx/model_quantized.onnx", dtype: "q8" },
  { path: "onnx/model_q4.onnx", dtype: "q4" },
  { path: "onnx/model.onnx", dtype: "fp32" },
] as const;

/** A file of weights, and its precision as transformers.js calls it. */
export type Weights = typeof WEIGHTS[number];

/**
 * A second graph of a built-in model, for a processor that multiplies bytes exactly only where none has a sign. It makes
 * the others' so when it is loaded, and gives the same vectors.
 */
export const UNSIGNED = { path: "onnx/model_uint8.onnx", dtype: "uint8" } as const;

/** The files besides the weights. */
export const REQUIRED = ["config.json", "tokenizer.json", "tokenizer_config.json"] as const;

/** The tokenizer of a built-in model, in memo's own format, in place of the two files that transformers.js reads. */
export const UNIGRAM = "unigram.bin";

/** The table of words of a built-in model, where it is not in the graph: where its rows are, and the rows. */
export const WORDS = { place: "words.json", rows: "words.bin" } as const;

/** Files that only some models have. */
export const OPTIONAL = ["special_tokens_map.json"] as const;

/** The file beside the weights into which an export of a large model puts their numbers. */
export function outsideOf(weights: string): string {
  return `${weights}_data`;
}

/** The weights to load from a folder; undefined if it has none. */
export function weightsIn(folder: string): Weights | undefined {
  return WEIGHTS.find(({ path }) => existsSync(join(folder, path)));
}
