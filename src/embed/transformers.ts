// The only file that loads transformers.js, and with it ONNX Runtime; always imported dynamically.

import { AutoModel, env, Tensor } from "@huggingface/transformers";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { addsBytesExactly } from "./cpu.ts";
import type { Embedder } from "./embedder.ts";
import { shortHash } from "../paths.ts";
import { outsideOf, type Weights } from "./files.ts";
import type { ModelProfile, Role, Space } from "./models.ts";
import { vectorOf } from "./pooling.ts";
import { type Place, placeIn } from "./space.ts";
import multilingualE5Small from "./spaces/multilingual_e5_small.json" with { type: "json" };
import { loadTokenizer } from "./tokenizer.ts";

/** A file with weights, or with more of them beside it. */
const WEIGHTS = /\.onnx(_data(_\d+)?)?$/;

// Texts never leave the machine and there are no implicit downloads: only `memo config model pull` downloads.
env.allowRemoteModels = false;
env.useFSCache = false;
env.fetch = () => Promise.reject(new Error("Nothing is fetched while a model is used"));

// ONNX Runtime reads the weights by their path. transformers.js reads them all the same, for nobody: that is as much
// garbage as they are large, unless its cache has the path. It asks for the path and then for the address, which is
// made the same here; on Windows a slash comes before it.
env.remoteHost = "";
env.remotePathTemplate = "{model}";
env.useCustomCache = true;
env.customCache = {
  match: (name: string) => {
    const path = name.replace(/^\/(?=[a-z]:)/i, "");
    return Promise.resolve(WEIGHTS.test(path) ? path : undefined);
  },
  put: () => Promise.resolve(),
};

/** Two threads halve the time of a passage; more would slow down the user's other programs. */
const MAX_THREADS = 2;

const SESSION_OPTIONS = {
  intraOpNumThreads: Math.min(MAX_THREADS, availableParallelism()),
  // Texts differ in length, so the arena would only grow: without it, memory stays at the need of one text.
  enableCpuMemArena: false,
  enableMemPattern: false,
  // Spinning threads take CPU time from everything else, and on a busy machine they made queries slower.
  extra: {
    session: {
      intra_op: { allow_spinning: "0" },
      // "1" adds products exactly where the quick instruction for them would cut sums off at 16 bits.
      x64quantprecision: addsBytesExactly() ? "0" : "1",
    },
  },
};

/** The numbers beside the weights: a native library finds them by itself, WebAssembly has no files. */
function outside(folder: string, { path }: Weights): object {
  const data = join(folder, outsideOf(path));
  if ("node" in env.backends.onnx.versions! || !existsSync(data)) return {};
  return { externalData: [{ path: basename(data), data: readFileSync(data) }] };
}

const SPACES = { multilingual_e5_small: multilingualE5Small } as const satisfies Record<
  Space,
  unknown
>;
const AS_IT_IS: Place = (vector) => vector;

/** Loads a model from a folder with the layout of transformers.js. */
export async function loadModel(
  folder: string,
  profile: ModelProfile,
  { id, weights }: { readonly id: string; readonly weights: Weights },
): Promise<Embedder> {
  const tokenizer = await loadTokenizer(folder);
  const model = await AutoModel.from_pretrained(folder, {
    dtype: weights.dtype,
    device: "cpu",
    local_files_only: true,
    session_options: { ...SESSION_OPTIONS, ...outside(folder, weights) },
  });
  const { prefixes, pooling, maxTokens, space } = profile;
  const place = space === undefined ? AS_IT_IS : placeIn(SPACES[space]);
  const closing = tokenizer.encode("").slice(-1);

  /** Cut at the context window; transformers.js itself would cut off the closing token, which changes the vector. */
  function tokenize(text: string): number[] {
    const tokens = tokenizer.encode(text);
    if (tokens.length <= maxTokens) return tokens;
    return [...tokens.slice(0, maxTokens - closing.length), ...closing];
  }

  async function embed(text: string, role: Role = "passage"): Promise<Float32Array> {
    const tokens = BigInt64Array.from(tokenize(prefixes[role] + text), BigInt);
    const shape = [1, tokens.length];
    const outputs = await model({
      input_ids: new Tensor("int64", tokens, shape),
      attention_mask: new Tensor("int64", tokens.map(() => 1n), shape),
    });
    const vector = vectorOf(outputs, pooling);
    for (const output of Object.values(outputs)) if (output instanceof Tensor) output.dispose();
    return place(vector, role);
  }

  const overhead = tokenizer.encode(prefixes.passage).length; // with the special tokens
  return {
    id: space === undefined ? id : `${id}+${shortHash(JSON.stringify(SPACES[space]))}`,
    maxTokens: maxTokens - overhead,
    dimensions: (await embed("")).length,
    countTokens: (text) => tokenizer.count(text),
    embed,
    close: async () => {
      await model.dispose();
    },
  };
}
