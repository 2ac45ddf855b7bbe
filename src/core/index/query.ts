import { inEnglish, isForeign } from "../text/language/english.ts";
import { identifiersIn, joinedWords, queryTerms } from "../text/analyze.ts";
import { shortFormsOf } from "../text/language/short_forms.ts";
import { isStopword, namesIn } from "../text/language/stopwords.ts";

/** The English terms for a text in another language. */
export interface Translation {
  /** The English ones, without those that stand in the text itself. */
  readonly terms: readonly string[];
  /** Those of the text that the glossary does not know. */
  readonly unknown: ReadonlySet<string>;
}

/** A query: a text, its terms and its vector, each computed at most once and only on demand. */
export class Query {
  readonly text: string;
  /** What the user typed; `text` may be more, with what it refers to. */
  readonly request: string;
  readonly #words: string;
  readonly #embed: ((text: string) => Promise<Float32Array>) | undefined;
  #terms: readonly string[] | undefined;
  #translation: Translation | null | undefined;
  #identifiers: ReadonlySet<string> | undefined;
  #isForeign: boolean | undefined;
  #joined: ReadonlyMap<string, readonly string[]> | undefined;
  #names: ReadonlySet<string> | undefined;
  #vector: Promise<Float32Array> | undefined;

  /** Without `embed` the query has no vector, and strategies that need one fall back. */
  constructor(
    text: string,
    embed?: (text: string) => Promise<Float32Array>,
    { request = text, words = "" }: {
      readonly request?: string;
      /** The user's own short forms: the text of `recall.words`. */
      readonly words?: string;
    } = {},
  ) {
    this.text = text;
    this.request = request;
    this.#words = words;
    this.#embed = embed;
  }

  /** Distinct terms in order of appearance. */
  get terms(): readonly string[] {
    return this.#terms ??= queryTerms(this.text);
  }

  /** The glossary's translation, if the text is not in English. */
  get translation(): Translation | undefined {
    if (this.#translation === undefined) this.#translation = translate(this.text, this.terms);
    return this.#translation ?? undefined;
  }

  /** Whether the text is in another language than English. */
  get isForeign(): boolean {
    return this.#isForeign ??= isForeign(this.text);
  }

  /** Those of the terms that a person does not use by chance: names of code, files, errors. */
  get identifiers(): ReadonlySet<string> {
    return this.#identifiers ??= identifiersIn(this.text);
  }

  /** Other terms for what stands in the text, with those that they are for: two words in a row as one, and short forms. */
  get joined(): ReadonlyMap<string, readonly string[]> {
    if (this.#joined !== undefined) return this.#joined;
    const joined = joinedWords(this.text);
    for (const term of this.terms) {
      for (const other of shortFormsOf(term, this.#words)) {
        if (!this.terms.includes(other)) joined.set(other, [...joined.get(other) ?? [], term]);
      }
    }
    return this.#joined = joined;
  }

  /** Whether a term of the text says nothing about its subject. */
  isFunctionWord(term: string): boolean {
    if (!isStopword(term)) return false;
    this.#names ??= new Set([...namesIn(this.text)].flatMap((name) => queryTerms(name)));
    return !this.#names.has(term);
  }

  /** The unit vector of the text; rejects without a model. */
  vector(): Promise<Float32Array> {
    if (this.#embed === undefined) return Promise.reject(new Error("No embedding model is loaded"));
    return this.#vector ??= this.#embed(this.text);
  }
}

function translate(text: string, terms: readonly string[]): Translation | null {
  const english = inEnglish(text);
  if (english === undefined) return null;
  const own = new Set(terms);
  return {
    terms: queryTerms(english.words.join(" ")).filter((term) => !own.has(term)),
    // The glossary knows no word with a digit, and cuts it at the digit.
    unknown: new Set([
      ...queryTerms(english.unknown.join(" ")),
      ...terms.filter((term) => /\p{N}/u.test(term)),
    ]),
  };
}
