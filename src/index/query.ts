import { identifiersIn, queryTerms } from "./analyze.ts";

/** What is looked for: a text, its terms and its vector, each made at most once and only when asked for. */
export class Query {
  readonly text: string;
  readonly #embed: ((text: string) => Promise<Float32Array>) | undefined;
  #terms: readonly string[] | undefined;
  #identifiers: ReadonlySet<string> | undefined;
  #vector: Promise<Float32Array> | undefined;

  /** Without `embed` the query has no vector, and strategies that need one fall back. */
  constructor(text: string, embed?: (text: string) => Promise<Float32Array>) {
    this.text = text;
    this.#embed = embed;
  }

  /** Distinct terms in order of appearance. */
  get terms(): readonly string[] {
    return this.#terms ??= queryTerms(this.text);
  }

  /** Those of the terms that a person does not use by chance: names of code, files, errors. */
  get identifiers(): ReadonlySet<string> {
    return this.#identifiers ??= identifiersIn(this.text);
  }

  /** The unit vector of the text; rejects when there is no model to make it. */
  vector(): Promise<Float32Array> {
    if (this.#embed === undefined) return Promise.reject(new Error("No embedding model is loaded"));
    return this.#vector ??= this.#embed(this.text);
  }
}
