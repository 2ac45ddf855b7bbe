// A model in a folder: text to tokens in this thread, tokens to a vector in this one or another.

import GLOSSARY from "../text/language/glossary.txt" with { type: "text" };
import SPACE from "./spaces/multilingual_e5_small.json" with { type: "json" };
import { availableParallelism } from "node:os";
import { isCompiled } from "../link/self.ts";
import { shortHash } from "../../paths.ts";
import { inEnglish } from "../text/language/english.ts";
import { dot, type Embedder, unit } from "./embedder.ts";
import type { Weights } from "./files.ts";
import type { ModelProfile, Role } from "./models.ts";
import { openProcess, startRuntime } from "./off_loop.ts";
import { loadTokenizer } from "./unigram.ts";
import { wordsIn } from "./word_states.ts";
import type { ModelRuntime, RuntimeSource } from "./transformers.ts";

/**
 * Maximum tokens of a query, for which someone waits: 512 take five times as long as 256. Measured on the 24 long
 * prompts of the suite coding-agent: of their answers 92 % are served with 256, 75 % with 128, 88 % without a limit.
 */
const QUERY_TOKENS = 256;
/** The same of a query that does not fit the context window: most of it is pasted. */
const PASTE_TOKENS = 64;

/** Maximum tokens of a text whose words are compared one by one with another's. */
const STATES = 64;

/** At most `count` tokens: a person asks above or below what was pasted. The last ones close the text. */
function headAndTail(tokens: readonly number[], count: number): number[] {
  if (tokens.length <= count) return [...tokens];
  const half = Math.floor(count / 2);
  return [...tokens.slice(0, count - half), ...tokens.slice(-half)];
}

const AS_IT_IS: CenterVector = (vector) => vector;

/** An English-only model gets a text's English translation, as far as the glossary has one. */
const translated = (text: string) => inEnglish(text)?.text ?? text;

/** Loads a model from a folder with the layout of transformers.js. */
export async function loadModel(
  folder: string,
  profile: ModelProfile,
  { id, weights, isOffLoop = false }: {
    readonly id: string;
    readonly weights: Weights;
    readonly isOffLoop?: boolean | undefined;
  },
): Promise<Embedder> {
  const { prefixes, pooling, maxTokens, hasCommonPart = false, isEnglish = false } = profile;
  const source: RuntimeSource = { folder, weights, pooling };
  const { runtime, tokenizer } = await loadBoth(source, isOffLoop);
  const place = hasCommonPart ? placeIn(SPACE) : AS_IT_IS;
  // Another glossary is another model, as other vectors are.
  const made = [hasCommonPart && JSON.stringify(SPACE), isEnglish && GLOSSARY].filter(Boolean);
  const closing = tokenizer.encode("").slice(-1);

  /** Cut at the context window; transformers.js itself would cut off the closing token, which changes the vector. */
  function tokenize(text: string, role: Role): number[] {
    const tokens = tokenizer.encode(prefixes[role] + (isEnglish ? translated(text) : text));
    const isLong = tokens.length > maxTokens;
    if (role === "query") return headAndTail(tokens, isLong ? PASTE_TOKENS : QUERY_TOKENS);
    if (!isLong) return tokens;
    return [...tokens.slice(0, maxTokens - closing.length), ...closing];
  }

  const embedWith =
    ({ vectorOf }: Pick<ModelRuntime, "vectorOf">) =>
    async (text: string, role: Role = "passage") =>
      place(await vectorOf(tokenize(text, role)), role);
  const embed = embedWith(runtime);
  const wordsWith = ({ statesOf }: Pick<ModelRuntime, "statesOf">) => {
    const { pieceOf } = tokenizer;
    return pieceOf && (async (text: string) => {
      const tokens = headAndTail(tokenizer.encode(prefixes.query + text), STATES);
      return wordsIn(tokens.map(pieceOf), await statesOf(tokens), tokenizer.count(prefixes.query));
    });
  };

  const embedder: Embedder = {
    id: [id, ...made.map((what) => shortHash(String(what)))].join("+"),
    dimensions: (await embed("")).length,
    countTokens: (text) => tokenizer.count(text),
    embed,
    wordStates: wordsWith(runtime),
    close: () => runtime.close(),
  };
  if (!isCompiled) return embedder;
  return {
    ...embedder,
    async inBulk(options) {
      const count = Math.min(options.isUrgent ? MOST_CORES : FEWER_CORES, availableParallelism());
      const runtimes = await startRuntime({ ...source, threads: 1 }, {
        count,
        open: () => openProcess(options),
      });
      const bulk = {
        ...embedder,
        embed: embedWith(runtimes),
        wordStates: wordsWith(runtimes),
        close: () => runtimes.close(),
      };
      return { embedder: bulk, atOnce: TEXTS_PER_CORE * count };
    },
  };
}

/** Cores for embedding if the user waits for it, and if not; texts for each: while one is computed, the next is cut. */
const MOST_CORES = 4, FEWER_CORES = 2, TEXTS_PER_CORE = 2;

/** The runtime is begun first: where it has a thread of its own, that loads while this one makes the tokenizer. */
async function loadBoth(source: RuntimeSource, isOffLoop: boolean) {
  const [runtime, tokenizer] = await Promise.allSettled([
    runtimeOf(source, isOffLoop),
    loadTokenizer(source.folder),
  ]);
  if (runtime.status === "rejected") throw runtime.reason;
  if (tokenizer.status === "fulfilled") {
    return { runtime: runtime.value, tokenizer: tokenizer.value };
  }
  await runtime.value.close();
  throw tokenizer.reason;
}

async function runtimeOf(source: RuntimeSource, isOffLoop: boolean): Promise<ModelRuntime> {
  // transformers.js takes a worker of Deno's for one of a browser's.
  if (isOffLoop && isCompiled) return await startRuntime(source);
  return await (await import("./transformers.ts")).loadRuntime(source);
}

/**
 * The components common to all vectors of a model: the mean of each role, and the directions in which
 * languages differ. Made by `tools/model/space.ts`; 32-bit floats in base64.
 */
export interface SpaceFile {
  readonly query: string;
  readonly passage: string;
  readonly directions: readonly string[];
}

/** Removes the common components from a unit vector. */
export type CenterVector = (vector: Float32Array, role: Role) => Float32Array;

/** Makes a function that removes the common parts: with them E5's cosines lie between .75 and .9 for any two texts. */
export function placeIn(file: SpaceFile): CenterVector {
  const averages = { query: floatsOf(file.query), passage: floatsOf(file.passage) };
  const directions = file.directions.map(floatsOf);
  return (vector, role) => {
    const average = averages[role];
    const rest = vector.map((value, i) => value - average[i]!);
    for (const direction of directions) {
      const along = dot(rest, direction);
      for (let i = 0; i < rest.length; i++) rest[i]! -= along * direction[i]!;
    }
    return unit(rest);
  };
}

function floatsOf(base64: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer);
}
