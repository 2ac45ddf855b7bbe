// Whose words a text has, by the whole conversation: what its transcript shows that the user typed, and that tools showed.
// A text is the user's where its telling words were typed. What cannot be proven to be the user's is not taken for it:
// text that was read can be cut, reworded or translated until no comparison finds where it was read.

import { CUTOFFS } from "../relation/relate.ts";
import { MemoError } from "../../errors.ts";
import type { ReadMark } from "../memory/provenance.ts";
import { contentTerms, isNegated, valuesIn } from "../text/language/stopwords.ts";
import { calibrationOf, dot, type Embedder } from "../embed/mod.ts";
import { ConversationProof, type Excerpt, hasReadOutside, type Spoken } from "./conversation.ts";
import { inEnglish, isForeign } from "../text/language/english.ts";

/** The user's word has at least this share of its telling words typed by the user … */
const TYPED = 0.3, TYPED_BESIDE_READING = 0.5;
/** … unless one excerpt has so many of them, untyped ones or this share more than was typed. */
const FOREIGN = 0.6, MORE = 0.25;
/** With this share of what the whole needs, one sentence that was typed is enough. */
const SOME = 2 / 3;
/** A sentence with fewer telling words is no proof; and one typed word makes nobody's choice of a command. */
const FEW = 3, SOME_TYPED = 2;
const IN_BRACKETS = /\([^()]*\)/g, SENTENCE_END = /[.!?。！？;](?=\s|$)/;

interface About {
  readonly turn?: Spoken | undefined;
  /** The user's note that it is to replace. */
  readonly replaced?: string | undefined;
}

const NO_TERMS: ReadonlySet<string> = new Set();

/** What a conversation shows of who has said what. */
export class Evidence {
  readonly typed: string;
  readonly #typed: ReadonlySet<string>;
  /** Words of commands that the model ran and the user did not type: "take that one" means them. */
  readonly #run: ReadonlySet<string>;
  readonly #excerpts: readonly Excerpt[];
  /** There is no conversation to look at: another client keeps none, or it has only begun. What is asked for counts. */
  readonly #isBlind: boolean;
  readonly #embedder: (() => Promise<Embedder>) | undefined;
  /** Of sentences that other claims were compared with. */
  readonly #vectors = new Map<string, Float32Array>();

  constructor(
    shown: readonly ConversationProof[],
    isBlind: boolean,
    embedder: (() => Promise<Embedder>) | undefined,
  ) {
    this.#isBlind = isBlind;
    this.#embedder = embedder;
    this.typed = shown.flatMap(({ typed }) => typed).join("\n");
    this.#typed = contentTerms(this.typed);
    const run = shown.flatMap(({ run }) => run).join("\n");
    this.#run = contentTerms(run).difference(this.#typed);
    this.#excerpts = shown.flatMap(({ excerpts }) => excerpts);
  }

  /**
   * Whether a text is the user's word: by its telling words, by those of its first sentence, which the model may explain,
   * or by those that are new in it where it replaces a note of the user's. In a turn that has read from outside, more of
   * them must be typed.
   */
  hasSaid(text: string, { turn, replaced }: About = {}): boolean {
    if (this.#isBlind) return true;
    const least = turn !== undefined && hasReadOutside(turn) ? TYPED_BESIDE_READING : TYPED;
    const words = this.#withoutCommands(tellingIn(text)), typed = shareIn(words, this.#typed);
    const [heart = NO_TERMS, ...others] = text.replace(IN_BRACKETS, " ").split(SENTENCE_END)
      .map(tellingIn).filter(({ size }) => size >= FEW).map((each) => this.#withoutCommands(each));
    const fresh = replaced === undefined ? NO_TERMS : words.difference(contentTerms(replaced));
    return typed >= least || shareIn(heart, this.#typed) >= least ||
      shareIn(fresh, this.#typed) >= least ||
      (typed >= SOME * least &&
        others.some((sentence) => shareIn(sentence, this.#typed) >= TYPED_BESIDE_READING));
  }

  /** The same, or what the text says was typed in another language, if a model is at hand that knows both. */
  async hasMeant(text: string, about: About = {}): Promise<boolean> {
    if (this.hasSaid(text, about)) return true;
    if (this.#embedder === undefined) return false;
    const claim = text.replace(IN_BRACKETS, " ").split(SENTENCE_END)
      .find((each) => tellingIn(each).size >= FEW) ?? text;
    try {
      const isBesideReading = about.turn !== undefined && hasReadOutside(about.turn);
      return await this.#isTranslated(claim, this.#embedder, isBesideReading);
    } catch (error) {
      if (error instanceof MemoError && error.kind === "model") return false;
      throw error;
    }
  }

  /**
   * Whether a claim is what was typed in another language: no words tell, its meaning does. A question claims nothing,
   * and figures and negation are the same. Of 44 pairs in eight languages 34 pass, and of 11,583 published attacks none.
   */
  async #isTranslated(
    claim: string,
    load: () => Promise<Embedder>,
    isBesideReading: boolean,
  ): Promise<boolean> {
    const figures = claim.match(FIGURES) ?? [];
    const [isOther, isDenial] = [isForeign(claim), isNegated(claim)];
    const sentences = (this.typed.match(SENTENCE) ?? []).map((text) => text.trim())
      .filter((text) =>
        !QUESTION.test(text) && figures.every((figure) => text.match(FIGURES)?.includes(figure)) &&
        isNegated(text) === isDenial && isForeign(text) !== isOther
      ).slice(-MOST);
    if (sentences.length === 0) return false;
    const model = await load();
    const { near, byWords, words: half, besideReading } = CUTOFFS.translated;
    const vector = await model.embed(claim);
    const words = contentTerms(isOther ? inEnglish(claim)?.words.join(" ") ?? claim : claim);
    for (const text of sentences) {
      const spoken = contentTerms(`${text} ${inEnglish(text)?.words.join(" ") ?? ""}`);
      const isInWords = words.intersection(spoken).size >= half * Math.max(1, words.size);
      const least = isBesideReading ? besideReading : isInWords ? byWords : near;
      const said = this.#vectors.get(text) ?? await model.embed(text);
      this.#vectors.set(text, said);
      if (dot(vector, said) >= least * calibrationOf(model.id).retold) return true;
    }
    return false;
  }

  /** Words without those of commands that the model ran, where some of the others were typed. */
  #withoutCommands(words: ReadonlySet<string>): ReadonlySet<string> {
    const left = words.difference(this.#run);
    return left.intersection(this.#typed).size >= SOME_TYPED ? left : words;
  }

  /** Where a text's content was read and not typed: most of its words, much more than the user typed, or a fact's value. */
  readingOf(
    text: string,
    { isFact = false, replaced = "" }: About & { isFact?: boolean } = {},
  ): ReadMark | undefined {
    const words = tellingIn(text), fresh = words.difference(contentTerms(replaced));
    const typed = shareIn(words, this.#typed), unsaid = fresh.difference(this.#typed);
    const values = isFact ? contentTerms([...valuesIn(text)].join(" ")) : new Set<string>();
    const news = values.difference(this.#typed);
    return this.#excerpts.findLast(({ terms }) => {
      const share = shareIn(words, terms);
      return (fresh.size > 0 && unsaid.intersection(terms).size / fresh.size >= FOREIGN) ||
        (share >= FOREIGN && (share - typed >= MORE || !news.isDisjointFrom(terms)));
    })?.reading;
  }

  /** Whether nothing shows that a text is from something that was read. */
  isUnread(text: string, turn: Spoken): boolean {
    return this.readingOf(text) === undefined &&
      (this.hasSaid(text, { turn }) || !hasReadOutside(turn));
  }
}

/** What a conversation shows: some turns, and all of its transcript, if it is there. */
export async function evidenceOf(
  turns: readonly Spoken[],
  conversation?: ConversationProof,
  embedder?: () => Promise<Embedder>,
): Promise<Evidence> {
  const own = new ConversationProof();
  for (const turn of turns) await own.add(turn);
  const isThere = await conversation?.read() ?? false;
  return new Evidence(
    isThere ? [own, conversation!] : [own],
    !isThere && turns.length === 0,
    embedder,
  );
}

/** The words of a text that tell it from others; a date is the model's, who was told to make a day of "tomorrow". */
function tellingIn(text: string): Set<string> {
  return contentTerms(text.replace(DATE, " "));
}

const DATE = /\b\d{4}-\d\d-\d\d\b/g;

function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : words.intersection(others).size / words.size;
}

const MOST = 100;
const SENTENCE = /[^.!?。！？;\n]+[.!?。！？;]*/gu;
const QUESTION = /[?？]$|^¿/;
const FIGURES = /\p{N}+/gu;
