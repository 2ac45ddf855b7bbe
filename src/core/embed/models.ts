/** The role of a text in retrieval; some models need to know it. */
export type Role = "query" | "passage";

/** How token vectors are pooled into the vector of the text: their mean, the first one, or the last one. */
export type Pooling = typeof POOLINGS[number];
const POOLINGS = ["mean", "cls", "last"] as const;

/** The properties of a model that its weights and its tokenizer do not state. */
export interface ModelProfile {
  /** The context window in tokens for which the model was trained. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** The prefix of a text of each role. */
  readonly prefixes: Readonly<Record<Role, string>>;
  /** The model's vectors have components in common, which `space.ts` removes. */
  readonly hasCommonPart?: boolean;
  /** An English-only model: texts in other languages are translated as far as the glossary goes. */
  readonly isEnglish?: boolean;
  readonly calibration: Calibration;
}

/**
 * How a model's cosines are weighted against words, and what they mean: measured for each model on
 * `bench/suites/coding-agent` and on external suites, see bench/README.md.
 */
export interface Calibration {
  /** A cosine counts as its excess over `floor`, times `gain`. */
  readonly nearness: { readonly floor: number; readonly gain: number };
  /** In English: the cosine's share of a rank, and how much it falls as one memory has all the prompt's words. */
  readonly english: Mixture;
  /** In other languages: its share, and how much it falls as the memories have the prompt's own words. */
  readonly foreign: Mixture;
  readonly relevance: {
    /** The score of a cosine of 1, … */
    readonly cosine: number;
    /** … times this if the prompt is not in English, … */
    readonly foreign: number;
    /** … the score of having all the words of a prompt, … */
    readonly words: number;
    /** … and that of having many rare words. */
    readonly plenty: number;
  };
  /** The amount subtracted from a score so that 2 of 100 off-topic prompts reach the threshold, … */
  readonly handicap: number;
  /** … its growth with every tenfold of memories, and the number of memories below which it stops shrinking. */
  readonly chance: { readonly perTenfold: number; readonly fewest: number };
  /** Paraphrases: the cosine of a text with a memory of the same content is above this. */
  readonly retold: number;
}

/** How keyword and vector scores are mixed to rank memories. */
export interface Mixture {
  /** The cosine's share, 0–1; the rest is BM25's. */
  readonly cosine: number;
  /** The part of that share that words take. */
  readonly words: number;
  /** BM25 is divided by the best hit's score plus this: without it a lone weak match would count as a full one. */
  readonly damping: number;
}

/** Without a profile of its own: MiniLM's calibration fits models whose cosines are spread from 0 to 1. */
const PLAIN: ModelProfile = {
  pooling: "mean",
  maxTokens: 256,
  prefixes: { query: "", passage: "" },
  calibration: {
    nearness: { floor: 0, gain: 1 },
    english: { cosine: 0.75, words: 0.15, damping: 0.5 },
    foreign: { cosine: 0.65, words: 0.55, damping: 0.2 },
    relevance: { cosine: 0.7, foreign: 0.75, words: 0.2, plenty: 0.12 },
    handicap: 0.03,
    chance: { perTenfold: 0.09, fewest: 4 },
    retold: 0.76,
  },
};

/** The models that memo may be built with, by name: `tools/model/sources.ts` makes them. */
export const BUILTIN_MODEL = {
  "multilingual-e5-small": {
    maxTokens: 512,
    pooling: "mean",
    prefixes: { query: "query: ", passage: "passage: " },
    hasCommonPart: true,
    calibration: {
      nearness: { floor: 0.19, gain: 1.45 },
      english: { cosine: 0.885, words: 0.2, damping: 0.32 },
      foreign: { cosine: 0.73, words: 0.24, damping: 1.36 },
      relevance: { cosine: 0.577, foreign: 1.3, words: 0.131, plenty: 0.093 },
      handicap: 0.015,
      chance: { perTenfold: 0.055, fewest: 8 },
      retold: 0.8,
    },
  },
  "all-MiniLM-L6-v2": { ...PLAIN, isEnglish: true },
} as const satisfies Readonly<Record<string, ModelProfile>>;

/** The value of the setting `model` for the built-in model. */
export const BUILTIN = "builtin";

/** What `memo.json` in the folder of another model may say about it. */
export interface ModelManifest {
  readonly pooling?: Pooling;
  readonly prefixes?: Partial<Record<Role, string>>;
  readonly max_tokens?: number;
  /** Two numbers that put the best and the middle cosine of a prompt on MiniLM's scale. */
  readonly cosines?: Calibration["nearness"];
}

/** The profile of a model in a folder: by its name if memo knows it, else as declared, with defaults. */
export function profileOf(name: string, declared: ModelManifest = {}): ModelProfile {
  if (isBuiltIn(name)) return BUILTIN_MODEL[name];
  const { pooling = PLAIN.pooling, prefixes, max_tokens: maxTokens = PLAIN.maxTokens } = declared;
  if (!POOLINGS.includes(pooling)) {
    throw new Error(`\`pooling\` in its memo.json is none of ${POOLINGS.join(", ")}`);
  }
  return { ...PLAIN, pooling, maxTokens, prefixes: { ...PLAIN.prefixes, ...prefixes } };
}

/** The prefixes of models at endpoints, by their names at Ollama; under another name, and BGE-M3, they go without. */
const SERVED: Readonly<Record<string, ModelProfile["prefixes"]>> = {
  "embeddinggemma": { query: "task: search result | query: ", passage: "title: none | text: " },
  "qwen3-embedding": {
    query: "Instruct: Given a prompt, retrieve notes that help to answer it\nQuery:",
    passage: "",
  },
  "nomic-embed-text": { query: "search_query: ", passage: "search_document: " },
  "mxbai-embed-large": {
    query: "Represent this sentence for searching relevant passages: ",
    passage: "",
  },
};
/** What an endpoint's model is to be given before a text; its tag (`:latest`, `:0.6b`) says its size alone. */
export function prefixesOf(model: string): ModelProfile["prefixes"] {
  const [name = ""] = model.toLowerCase().split(":", 1);
  return Object.hasOwn(SERVED, name) ? SERVED[name]! : PLAIN.prefixes;
}

/** The calibration of the model that made an index's vectors, by the `id` of its embedder. */
export function calibrationOf(id: string | undefined): Calibration {
  const { name = "", floor, gain } = ID.exec(id ?? "")?.groups ?? {};
  if (isBuiltIn(name)) return BUILTIN_MODEL[name].calibration;
  const { calibration } = PLAIN;
  if (floor === undefined) return calibration;
  const nearness = { floor: Number(floor), gain: Number(gain) };
  return { ...calibration, nearness, retold: nearness.floor + calibration.retold / nearness.gain };
}

/** The id of an embedder whose model is in a folder. */
const ID = /^(?:builtin|local)\/(?<name>[^@]*)@[^~+]*(?:~(?<floor>[\d.]+)~(?<gain>[\d.]+))?/;

/** The declared cosines as the part of an embedder's id that `calibrationOf` reads. */
export function cosinesInId({ cosines }: ModelManifest): string {
  if (cosines === undefined) return "";
  const { floor, gain } = cosines;
  if (!(floor >= 0 && floor < 1 && gain > 0)) {
    throw new Error(
      "`cosines` in its memo.json are not a `floor` from 0 to 1 and a positive `gain`",
    );
  }
  return `~${floor.toFixed(4)}~${gain.toFixed(4)}`;
}

/** Whether the setting `model` is the address of an endpoint and a model there: `http://127.0.0.1:11434/v1#bge-m3`. */
export function isEndpoint(model: string): boolean {
  return /^https?:\/\/[^#]+#./.test(model);
}

/** Whether an address is plain http on this machine. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function isBuiltIn(name: string): name is keyof typeof BUILTIN_MODEL {
  return Object.hasOwn(BUILTIN_MODEL, name);
}
