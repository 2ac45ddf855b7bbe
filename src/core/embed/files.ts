// The files of a model's folder.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { parsed, textAt } from "../files/there.ts";
import type { ModelManifest } from "./models.ts";

/** The file names of a model's weights, by precision, the preferred one first. */
export const WEIGHTS = [
  { path: "onnx/model_quantized.onnx", dtype: "q8" },
  { path: "onnx/model_q4.onnx", dtype: "q4" },
  { path: "onnx/model.onnx", dtype: "fp32" },
] as const;

/** A file of weights, and its precision as transformers.js calls it. */
export type Weights = typeof WEIGHTS[number];

/** A second graph with the same vectors, for processors that multiply bytes exactly only where none has a sign. */
export const UNSIGNED = { path: "onnx/model_uint8.onnx", dtype: "uint8" } as const;

/** The tokenizer of a built-in model, in memo's own format, in place of the two files that transformers.js reads. */
export const UNIGRAM = "unigram.bin";

/** The table of words of a built-in model, where it is not in the graph: where its rows are, and the rows. */
export const WORDS = { place: "words.json", rows: "words.bin" } as const;

/** What a folder says about its model; of a model that memo converts, `tools/convert_model.ts` writes it. */
export const RECORD = "memo.json";

/** The content of `memo.json` of a model that memo converts. */
export interface ModelRecord {
  /** The model's name. */
  readonly repo: string;
  /** Identifies the package and the converter that the files are from. */
  readonly revision: string;
  /** The SHA-256 of the weights while they were one file, if they are two: it names the vectors, which are the same. */
  readonly weights?: string;
  readonly files: readonly ModelFile[];
}

/** One file of a model. */
export interface ModelFile {
  /** Relative to the model's folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The file beside the weights into which an export of a large model puts their numbers. */
export function outsideOf(weights: string): string {
  return `${weights}_data`;
}

/** The weights to load from a folder; undefined if it has none. */
export function weightsIn(folder: string): Weights | undefined {
  return WEIGHTS.find(({ path }) => existsSync(join(folder, path)));
}

/** What `memo.json` in a model's folder says; nothing if it is missing or unreadable. */
export function readRecord(folder: string): Partial<ModelRecord> & ModelManifest {
  return parsed(textAt(join(folder, RECORD)) ?? "") ?? {};
}
