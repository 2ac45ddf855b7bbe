import { basename, isAbsolute, join } from "node:path";
import type { Calibration } from "./calibration.ts";
import { MemoError } from "../../errors.ts";
import type { Paths } from "../../paths.ts";
import measured from "./measured.json" with { type: "json" };

/** The role of a text in retrieval; some models need to know it. */
export type Role = "query" | "passage";

/** How token vectors are pooled into the vector of the text: their mean, the first one, or the last one. */
export type Pooling = "mean" | "cls" | "last";

/** The properties of a model that its files do not state. */
export interface ModelProfile {
  /** The context window in tokens for which the model was trained. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** The prefix of a text of each role. */
  readonly prefixes: Readonly<Record<Role, string>>;
  /** The components common to all its vectors, which are removed; undefined for none. */
  readonly space?: Space | undefined;
  /** An English-only model: texts in other languages are translated as far as the glossary goes. */
  readonly isEnglish?: boolean;
  /** The calibration of its cosines. */
  readonly calibration: Calibration;
}

/** A file of `spaces/`. */
export type Space = "multilingual_e5_small";

/** One row of the table of models. */
export interface ModelRow extends ModelProfile {
  /** The value of the setting `model`. */
  readonly name: string;
  readonly dimensions: number;
  readonly languages: string;
  /** Approximate size of its files in bytes. */
  readonly bytes: number;
  readonly measured?: Measured | undefined;
}

/** The results of `memo bench` for a model, with `hybrid`; bench/README.md has the conditions and more suites. */
export interface Measured {
  /** MRR@10 on the suite coding-agent. */
  readonly mrr: number;
  /** The share of its answerable prompts that get the answer at the default thresholds. */
  readonly served: number;
  /** MRR@10 of Spanish questions about English texts. */
  readonly spanishToEnglish: number;
  /** Time to embed a prompt, relative to all-MiniLM-L6-v2. */
  readonly time: number;
}

/** The calibration of MiniLM, which fits similar models: their cosines are spread from 0 to 1. */
const SPREAD: Calibration = {
  nearness: { floor: 0, gain: 1 },
  english: { cosine: 0.75, words: 0.15, damping: 0.5 },
  foreign: { cosine: 0.65, words: 0.55, damping: 0.2 },
  relevance: { cosine: 0.7, foreign: 0.75, words: 0.2, plenty: 0.12 },
  handicap: 0.03,
  chance: { perTenfold: 0.09, fewest: 4 },
  retold: 0.76,
};

/**
 * MiniLM's calibration for cosines that lie elsewhere: two numbers put the best and the middle cosine of a prompt,
 * averaged over the development half of coding-agent, on its scale.
 */
function asMiniLm(nearness: Calibration["nearness"]): Calibration {
  return { ...SPREAD, nearness, retold: nearness.floor + SPREAD.retold / nearness.gain };
}

const plain = {
  pooling: "mean",
  prefixes: { query: "", passage: "" },
  calibration: SPREAD,
} as const;

/** multilingual-e5-small, from any source of its weights. */
export const E5 = {
  maxTokens: 512,
  pooling: "mean",
  prefixes: { query: "query: ", passage: "passage: " },
  space: "multilingual_e5_small",
  calibration: {
    nearness: { floor: 0.19, gain: 1.45 },
    english: { cosine: 0.885, words: 0.2, damping: 0.32 },
    foreign: { cosine: 0.73, words: 0.24, damping: 1.36 },
    relevance: { cosine: 0.577, foreign: 1.3, words: 0.131, plenty: 0.093 },
    handicap: 0.015,
    chance: { perTenfold: 0.055, fewest: 8 },
    retold: 0.8,
  },
} as const satisfies ModelProfile;

/**
 * What was measured of models, by the name alone: the models as memo converts them, where the files that
 * `memo config model pull` downloads are quantised differently.
 */
export const MEASURED: Readonly<Record<string, Measured>> = measured;

const MULTILINGUAL_E5_SMALL = {
  ...E5,
  dimensions: 384,
  languages: "94 languages",
  measured: MEASURED["multilingual-e5-small"],
} as const;

const ALL_MINILM_L6 = {
  ...plain,
  dimensions: 384,
  maxTokens: 256,
  isEnglish: true,
  languages: "English",
  measured: MEASURED["all-MiniLM-L6-v2"],
} as const;

/** What the queries of BAAI's English models, and of those made after them, begin with. */
const BGE_PREFIXES = {
  query: "Represent this sentence for searching relevant passages: ",
  passage: "",
} as const;

const BGE_SMALL_EN = {
  pooling: "cls",
  maxTokens: 512,
  prefixes: BGE_PREFIXES,
  isEnglish: true,
  calibration: asMiniLm({ floor: 0.465, gain: 2.09 }),
  dimensions: 384,
  languages: "English",
  measured: MEASURED["bge-small-en-v1.5"],
} as const;

const E5_SMALL_V2 = {
  pooling: "mean",
  maxTokens: 512,
  prefixes: E5.prefixes,
  isEnglish: true,
  calibration: asMiniLm({ floor: 0.764, gain: 5.69 }),
  dimensions: 384,
  languages: "English",
  measured: MEASURED["e5-small-v2"],
} as const;

/** BGE-M3, which needs no prefixes (BAAI, MIT); passages are kept at 512 tokens, because attention costs their square. */
const BGE_M3 = { ...plain, pooling: "cls", maxTokens: 512 } as const satisfies ModelProfile;

/** EmbeddingGemma, with the prefixes of its model card for retrieval (Google, Gemma Terms of Use). */
const EMBEDDING_GEMMA = {
  ...plain,
  maxTokens: 512,
  prefixes: { query: "task: search result | query: ", passage: "title: none | text: " },
} as const satisfies ModelProfile;

/** Qwen3-Embedding, which wants its task with each query (Alibaba, Apache-2.0). */
const QWEN3 = {
  ...plain,
  pooling: "last",
  maxTokens: 512,
  prefixes: {
    query: "Instruct: Given a prompt, retrieve notes that help to answer it\nQuery:",
    passage: "",
  },
} as const satisfies ModelProfile;

/** The models that memo may be built with, by the name in the model's record: `tools/model/sources.ts` makes them. */
export const BUILT_IN = [
  { ...MULTILINGUAL_E5_SMALL, name: "multilingual-e5-small", bytes: 82_000_000 },
  { ...ALL_MINILM_L6, name: "all-MiniLM-L6-v2", bytes: 23_000_000 },
] as const satisfies readonly ModelRow[];

/** The value of the setting `model` for the built-in model. */
export const BUILTIN = "builtin";

/** The models that memo can pull by name, in display order; any other feature-extraction model can be pulled too. */
export const MODELS = [
  { ...ALL_MINILM_L6, name: "Xenova/all-MiniLM-L6-v2", bytes: 24_000_000 },
  {
    ...plain,
    name: "Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    dimensions: 384,
    maxTokens: 128,
    languages: "50 languages",
    bytes: 135_000_000,
  },
  { ...MULTILINGUAL_E5_SMALL, name: "Xenova/multilingual-e5-small", bytes: 135_000_000 },
  { ...BGE_SMALL_EN, name: "Xenova/bge-small-en-v1.5", bytes: 35_000_000 },
  { ...E5_SMALL_V2, name: "Xenova/e5-small-v2", bytes: 35_000_000 },
  {
    ...EMBEDDING_GEMMA,
    name: "onnx-community/embeddinggemma-300m-ONNX",
    dimensions: 768,
    languages: "100 languages",
    bytes: 330_000_000,
  },
  {
    ...BGE_M3,
    name: "Xenova/bge-m3",
    dimensions: 1024,
    languages: "100 languages",
    bytes: 590_000_000,
  },
  {
    ...QWEN3,
    name: "onnx-community/Qwen3-Embedding-0.6B-ONNX",
    dimensions: 1024,
    languages: "100 languages",
    bytes: 620_000_000,
  },
] as const satisfies readonly ModelRow[];

/** The models of endpoints, by their names at Ollama; another name for one of them goes without its prefixes. */
const SERVED: Readonly<Record<string, ModelProfile>> = {
  "bge-m3": BGE_M3,
  "embeddinggemma": EMBEDDING_GEMMA,
  "qwen3-embedding": QWEN3,
  "nomic-embed-text": {
    ...plain,
    maxTokens: 512,
    prefixes: { query: "search_query: ", passage: "search_document: " },
  },
  "mxbai-embed-large": {
    ...plain,
    pooling: "cls",
    maxTokens: 512,
    prefixes: BGE_PREFIXES,
  },
};

/** The defaults for a model without a row, true of most sentence-embedding models. */
const UNKNOWN: ModelProfile = { ...plain, maxTokens: 256 };

/** Owner of the models that were copied from a folder. */
export const LOCAL = "local";

/** The row of a model, built in or to pull; undefined for a model in no table. */
export function rowOf(name: string): ModelRow | undefined {
  return [...BUILT_IN, ...MODELS].find((row) => row.name === name);
}

/** The row of a model, or the defaults. */
export function profileOf(name: string): ModelProfile {
  return rowOf(name) ?? UNKNOWN;
}

/** The profile of an endpoint's model, whose tag (`:latest`, `:0.6b`) says its size alone. */
export function servedProfileOf(model: string): ModelProfile {
  const [name = ""] = model.toLowerCase().split(":", 1);
  return Object.hasOwn(SERVED, name) ? SERVED[name]! : profileOf(model);
}

/** The calibration of the model that made an index's vectors, by the `id` of its embedder. */
export function calibrationOf(id: string | undefined): Calibration {
  const [name = ""] = (id ?? "").split("@", 1);
  return profileOf(name.replace(`${BUILTIN}/`, "")).calibration;
}

/**
 * The full name for the user's input: `builtin`, the address of an endpoint, `owner/name`, the `name` alone of a row of
 * the table, or an absolute path. Throws a `usage` MemoError for anything else.
 */
export function modelName(text: string): string {
  if (text === BUILTIN) return BUILTIN;
  const row = MODELS.find(({ name }) => name === text || name.endsWith(`/${text}`));
  if (row !== undefined) return row.name;
  if (isAbsolute(text) || isRepository(text) || isEndpoint(text)) return text;
  throw new MemoError("usage", `Invalid model name \`${text}\`: expected \`owner/name\``, {
    hint: "Run `memo config model list` to see all models",
  });
}

/** Whether a name is the address of an endpoint and a model there: `http://127.0.0.1:11434/v1#bge-m3`. */
export function isEndpoint(name: string): boolean {
  return /^https?:\/\/[^#]+#./.test(name);
}

/** The name for a model from a folder: `local/` and the folder's own, as far as the characters are allowed. */
export function localName(folder: string): string {
  const plain = basename(folder).replace(/[^\w.]+/g, "-").replace(/\.{2,}/g, ".");
  return `${LOCAL}/${plain.replace(/^\W+|\W+$/g, "") || "model"}`;
}

/** The folder of a pulled model; `modelName` has checked the name, so it cannot lead out of `paths.models`. */
export function pulledFolder(name: string, paths: Paths): string {
  return join(paths.models, name.replace("/", "--"));
}

/** The name of the model in a folder of `paths.models`; undefined if the folder is not named as memo does. */
export function nameOfFolder(folder: string): string | undefined {
  const name = folder.replace("--", "/");
  return isRepository(name) ? name : undefined;
}

/** `owner/name`, of letters, digits, `-`, `_` and `.`; Hugging Face does not allow `--` and `..` in a name either. */
function isRepository(text: string): boolean {
  return /^\w[\w.-]{0,95}\/\w[\w.-]{0,95}$/.test(text) && !/\.\.|--|[.-]$|[.-]\//.test(text);
}
