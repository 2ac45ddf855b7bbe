import COSINES from "./spaces/cosines.json" with { type: "json" };

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

/** What a model's cosines mean: `tools/train/need.ts` measures it on `bench/suites/coding-agent`. */
export interface Calibration {
  /** A cosine counts as its excess over `floor`, times `gain`: on one scale for all models. */
  readonly nearness: { readonly floor: number; readonly gain: number };
  /** Paraphrases: the cosine of a text with a memory of the same content is above this. */
  readonly retold: number;
}

/** Without a profile of its own: MiniLM's calibration fits models whose cosines are spread from 0 to 1. */
const PLAIN: ModelProfile = {
  pooling: "mean",
  maxTokens: 256,
  prefixes: { query: "", passage: "" },
  calibration: { nearness: COSINES["all-MiniLM-L6-v2"], retold: 0.76 },
};

/** The models that memo may be built with, by name: `tools/model/sources.ts` makes them. */
export const BUILTIN_MODEL = {
  "multilingual-e5-small": {
    maxTokens: 512,
    pooling: "mean",
    prefixes: { query: "query: ", passage: "passage: " },
    hasCommonPart: true,
    calibration: { nearness: COSINES["multilingual-e5-small"], retold: 0.8 },
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
    throw new Error(`\`pooling\` in its memo.json must be one of ${POOLINGS.join(", ")}`);
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
  if (floor === undefined) return PLAIN.calibration;
  const own = { floor: Number(floor), gain: Number(gain) };
  const { nearness: plain, retold } = PLAIN.calibration;
  const from = (cosine: number) => own.floor + cosine / own.gain; // what MiniLM's is in this one
  const nearness = { floor: from(plain.floor), gain: own.gain * plain.gain };
  return { nearness, retold: from(retold) };
}

/** A nearness on the scale that all models share: mostly 0 to 1. */
export function scaled(nearness: number, { nearness: { floor, gain } }: Calibration): number {
  return Math.min(1, Math.max(0, (nearness - floor) * gain));
}

/** The id of an embedder whose model is in a folder. */
const ID = /^(?:builtin|local)\/(?<name>[^@]*)@[^~+]*(?:~(?<floor>[\d.]+)~(?<gain>[\d.]+))?/;

/** The declared cosines as the part of an embedder's id that `calibrationOf` reads. */
export function cosinesInId({ cosines }: ModelManifest): string {
  if (cosines === undefined) return "";
  const { floor, gain } = cosines;
  if (!(floor >= 0 && floor < 1 && gain > 0)) {
    throw new Error(
      "`cosines` in its memo.json must have a `floor` from 0 to 1 and a positive `gain`",
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
