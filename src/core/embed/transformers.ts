// Loads transformers.js, and with it ONNX Runtime; always imported dynamically.

import { AutoModel, env, Tensor } from "@huggingface/transformers";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { addsBytesExactly } from "./cpu.ts";
import { outsideOf, UNSIGNED, type Weights } from "./files.ts";
import type { Pooling } from "./models.ts";
import { type Output, statesIn, vectorOf } from "./pooling.ts";
import { openWords } from "./words.ts";

/** A file with weights, or with more of them beside it. */
const WEIGHTS = /\.onnx(_data(_\d+)?)?$/;

// Texts never leave the machine, and nothing is downloaded.
env.allowRemoteModels = false;
env.useFSCache = false;
env.fetch = () => Promise.reject(new Error("memo does not download model files"));

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

const isNative = () => "node" in env.backends.onnx.versions!;

/** The graph to load: where ONNX Runtime would have to take the signs of the weights away, one that does so itself. */
function graphIn(folder: string, weights: Weights): Weights | typeof UNSIGNED {
  const isSigned = addsBytesExactly() || process.arch !== "x64" || !isNative();
  return isSigned || !existsSync(join(folder, UNSIGNED.path)) ? weights : UNSIGNED;
}

/** The numbers beside the weights: a native library finds them by itself, WebAssembly has no files. */
function outside(folder: string, { path }: Weights): object {
  const data = join(folder, outsideOf(path));
  if (isNative() || !existsSync(data)) return {};
  return { externalData: [{ path: basename(data), data: readFileSync(data) }] };
}

/** Computes vectors of token ids with the weights of one model. */
export interface ModelRuntime {
  /** The unit vector of one text's tokens. */
  vectorOf(tokens: readonly number[]): Promise<Float32Array>;
  /** The state of each token, one after the other. */
  statesOf(tokens: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** What a runtime is loaded from; it goes to a worker as it is. */
export interface RuntimeSource {
  /** A folder with the layout of transformers.js. */
  readonly folder: string;
  readonly weights: Weights;
  readonly pooling: Pooling;
  /** Threads of one computation; default: two. */
  readonly threads?: number;
}

/** Loads the weights into this thread, which stands still while it computes. */
export async function loadRuntime(
  { folder, weights, pooling, threads = SESSION_OPTIONS.intraOpNumThreads }: RuntimeSource,
): Promise<ModelRuntime> {
  const model = await AutoModel.from_pretrained(folder, {
    dtype: graphIn(folder, weights).dtype,
    device: "cpu",
    local_files_only: true,
    session_options: {
      ...SESSION_OPTIONS,
      intraOpNumThreads: threads,
      ...outside(folder, weights),
    },
  });
  const words = openWords(folder);
  const inputsOf = words === undefined ? idsOf : (tokens: readonly number[]) => ({
    inputs_embeds: new Tensor("float32", words.rowsOf(tokens), [1, tokens.length, words.width]),
  });
  const run = async (
    tokens: readonly number[],
    read: (outputs: Readonly<Record<string, Output>>) => Float32Array,
  ) => {
    const inputs = inputsOf(tokens);
    const outputs = await model(inputs);
    const found = read(outputs);
    for (const tensor of Object.values({ ...inputs, ...outputs })) release(tensor);
    return found;
  };
  return {
    vectorOf: (tokens) => run(tokens, (outputs) => vectorOf(outputs, pooling)),
    statesOf: (tokens) => run(tokens, statesIn),
    async close() {
      words?.close();
      await model.dispose();
    },
  };
}

/** Gives a tensor's numbers back at once: in so small a heap the garbage of hundreds of prompts would lie there. */
function release(tensor: unknown): void {
  if (!(tensor instanceof Tensor)) return;
  const { buffer } = tensor.data as Float32Array<ArrayBuffer>;
  tensor.dispose();
  buffer.transfer(0);
}

/** What a model is given that looks words up by itself. */
function idsOf(tokens: readonly number[]) {
  const ids = BigInt64Array.from(tokens, BigInt);
  const shape = [1, ids.length];
  return {
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", ids.map(() => 1n), shape),
  };
}
