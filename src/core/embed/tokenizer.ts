import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UNIGRAM } from "./files.ts";
import { readUnigram } from "./unigram.ts";

/** Converts text to the token ids of one model. */
export interface Tokenizer {
  /** Includes the tokens that open and close a text. */
  encode(text: string): number[];
  /** Tokens of a text, without those that open and close it. */
  count(text: string): number;
}

/** The tokenizer in a model's folder: memo's own if the folder has its file, else that of transformers.js. */
export async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const own = join(folder, UNIGRAM);
  if (statSync(own, { throwIfNoEntry: false })?.isFile()) {
    const { tokens, opening, closing } = readUnigram(readFileSync(own));
    return {
      encode: (text) => [opening, ...tokens(text), closing],
      count: (text) => tokens(text).length,
    };
  }
  const { AutoTokenizer } = await import("@huggingface/transformers");
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  return {
    encode: (text) => tokenizer.encode(text),
    count: (text) => tokenizer.encode(text, { add_special_tokens: false }).length,
  };
}
