import { basename, isAbsolute, join } from "node:path";
import { MemoError } from "../errors.ts";
import type { Paths } from "../paths.ts";

/** What a text is to a search; some models want to be told. */
export type Role = "query" | "passage";

/** How the vectors of the tokens become the vector of the text: their average, or the first one. */
export type Pooling = "mean" | "cls";

/** What has to be known about a model besides its files. */
export interface ModelProfile {
  /** The window in tokens for which the model was trained. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** What is put in front of a text of each role. */
  readonly prefixes: Readonly<Record<Role, string>>;
}

/** One row of the table of models. */
export interface ModelRow extends ModelProfile {
  /** What the setting `model` says. */
  readonly name: string;
  readonly dimensions: number;
  readonly languages: string;
  /** How much is fetched, in bytes, roughly; 0: it is part of memo. */
  readonly download: number;
}

const plain = { pooling: "mean", prefixes: { query: "", passage: "" } } as const;

/** The models that memo knows, in display order; any other feature-extraction model can be pulled too. */
export const MODELS = [
  {
    ...plain,
    name: "builtin",
    dimensions: 384,
    maxTokens: 256,
    languages: "English",
    download: 0,
  },
  {
    ...plain,
    name: "Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    dimensions: 384,
    maxTokens: 128,
    languages: "50 languages",
    download: 135_000_000,
  },
  {
    name: "Xenova/multilingual-e5-small",
    dimensions: 384,
    maxTokens: 512,
    pooling: "mean",
    prefixes: { query: "query: ", passage: "passage: " },
    languages: "94 languages",
    download: 135_000_000,
  },
] as const satisfies readonly ModelRow[];

/** A model without a row: what most sentence-embedding models are. */
const UNKNOWN: ModelProfile = { ...plain, maxTokens: 256 };

/** Owner of the models that were copied from a folder. */
export const LOCAL = "local";

/** The row of a model; undefined for one that the table does not know. */
export function rowOf(name: string): ModelRow | undefined {
  return MODELS.find((row) => row.name === name);
}

/** How a model wants to be used. */
export function profileOf(name: string): ModelProfile {
  return rowOf(name) ?? UNKNOWN;
}

/**
 * The full name of what a person wrote: `builtin`, `owner/name`, the `name` alone of a row of the
 * table, or an absolute path. Throws a `usage` MemoError for anything else.
 */
export function modelName(text: string): string {
  const row = MODELS.find(({ name }) => name === text || name.endsWith(`/${text}`));
  if (row !== undefined) return row.name;
  if (isAbsolute(text) || isRepository(text)) return text;
  throw new MemoError("usage", `Invalid model name \`${text}\`: expected \`owner/name\``, {
    hint: "Run `memo model list` to see all models",
  });
}

/** The name under which a model from a folder is kept: `local/` and the folder's own, as far as a name allows. */
export function localName(folder: string): string {
  const plain = basename(folder).replace(/[^\w.]+/g, "-").replace(/\.{2,}/g, ".");
  return `${LOCAL}/${plain.replace(/^\W+|\W+$/g, "") || "model"}`;
}

/** The folder of a pulled model; the name was checked by `modelName`, so it has no way out of `paths.models`. */
export function pulledFolder(name: string, paths: Paths): string {
  return join(paths.models, name.replace("/", "--"));
}

/** The name of the model in a folder of `paths.models`; undefined when it is none of memo's. */
export function nameOfFolder(folder: string): string | undefined {
  const name = folder.replace("--", "/");
  return isRepository(name) ? name : undefined;
}

/** `owner/name`, of letters, digits, `-`, `_` and `.`; `--` and `..` are not allowed in a name on Hugging Face either. */
function isRepository(text: string): boolean {
  return /^\w[\w.-]{0,95}\/\w[\w.-]{0,95}$/.test(text) && !/\.\.|--|[.-]$|[.-]\//.test(text);
}
