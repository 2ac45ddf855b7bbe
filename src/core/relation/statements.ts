// Whether one memory says nothing beyond another. Alike is not the same: "never restart worker-a" and "never restart
// worker-b" share nearly all of their words, and so do "do log" and "do not log". Two texts say the same only where each
// sentence of one is in the other word for word, but for what changes nothing: case, punctuation, markup, articles,
// politeness, the wording of a negation, and whether "to install packages" comes first or last. Everything else that
// differs (a name, a number, a unit, a condition, a synonym) makes two memories, because one that is kept beside its twin
// costs a line, and one that takes another's place costs a rule.

import { wordList } from "../text/tables.ts";
import { once, remembering } from "../text/remembered.ts";
import { turnsIn, valuesIn } from "../text/language/stopwords.ts";
import type { Memory, MemoryFile } from "../memory/memory.ts";

/** The compared parts of a memory. */
export type Text =
  & Pick<Memory, "name" | "body">
  & Partial<Pick<MemoryFile, "description" | "path" | "tags">>;

/** What a memory says, in a form that is compared. */
export interface Statements {
  /** The sentences of the body, in a form without what changes nothing; those of the name without a body. */
  readonly said: readonly string[];
  /** Those of name, description and body. */
  readonly all: readonly string[];
  /** The words of `all`, and those of the name alone. */
  readonly words: ReadonlySet<string>;
  readonly nameWords: readonly string[];
  /** How identifiers and quotations are spelled, by their lower case. */
  readonly spelled: ReadonlyMap<string, string>;
  /** What the description and the whole hold of values and of words that turn or limit. */
  readonly about: () => ReadonlySet<string>;
  readonly facts: () => ReadonlySet<string>;
}

/** The sentences of a text, in a form without what changes nothing. */
export const sentences = remembering(({ name, description = "", body }: Text): Statements => {
  const spelled = new Map<string, string>();
  const read = (text: string) => sentencesOf(text, spelled);
  const named = read(name);
  const described = read(description);
  const written = read(body);
  const titles = [...named, ...described].filter((sentence) => !written.includes(sentence));
  const all = [...titles, ...written];
  return {
    said: written.length === 0 ? named : written,
    all,
    words: new Set(all.flatMap(wordsOf)),
    nameWords: named.flatMap(wordsOf),
    spelled,
    about: once(() => factsIn(description)),
    facts: once(() => factsIn(`${name}\n${description}\n${body}`)),
  };
});

/** Whether a memory says nothing beyond another, which limits what it says by nothing. */
export function isSubsumedBy(one: Statements, other: Statements): boolean {
  return one.said.length > 0 && isWithin(one.said, other.all) &&
    one.nameWords.every((word) => other.words.has(word)) &&
    [...one.about()].every((fact) => other.facts().has(fact) || other.words.has(fact)) &&
    [...one.spelled].every(([word, spelling]) =>
      (other.spelled.get(word) ?? spelling) === spelling
    ) &&
    other.all.every((sentence) =>
      one.all.includes(sentence) || !LIMITS.has(wordsOf(sentence)[0] ?? "")
    );
}

/** Whether all sentences are among others, in their order: it may be that of steps. */
function isWithin(sentences: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const other of others) if (other === sentences[at]) at++;
  return at === sentences.length;
}

/** A sentence that begins with one of these limits the one before it. */
const LIMITS = new Set(wordList("limiting"));
/** What begins with one of these, up to a comma, may as well stand behind the rest of the sentence. */
const FRONTED = new Set(wordList("fronted"));
/** Conditions of their own, which may belong to what is before them. */
const CLAUSES = new Set(wordList("clauses"));
const ARTICLES = new Set(wordList("articles"));
const ALWAYS = new Set(wordList("always"));
/** With a comma, they answer what was said before. */
const ANSWERS = new Set(wordList("answers"));
const NEGATIONS = new Set(wordList("negations"));

/** Words before an order that change nothing. */
const LEAD =
  /^(?:(?:please|just|also|simply|remember(?: to| that)?|make sure (?:to|that|you)|be sure to|ensure(?: that)?|note(?: that)?|(?:we|you) (?:must|need to|have to)|we|you|bitte|wir|denk daran|por favor|recuerda(?: que)?|asegúrate de) )+/u;
/** The most words of one of them. */
const LEAD_WORDS = 3;
/** Other words for the same. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\S)(?:do|does) not(?!\S)/gu, "not"],
  [/(?<!\S)(?:never|instead of|rather than|(?:and|but) not)(?!\S)/gu, "not"],
  [/(?<!\S)(?:nie|niemals|statt|anstatt)(?!\S)/gu, "nicht"],
  [/(?<!\S)(?:nunca|jamás|en vez de|en lugar de|y no)(?!\S)/gu, "no"],
];
const HAN_WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/请勿|不要|切勿|不得(?!不)|绝不|从不|永远不|而不是/gu, "不"],
  [/总是|始终|务必|(?<![申邀])请|的/gu, ""],
];
/** Scripts without spaces, character by character. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/gu;
const MARKER = /^\s*(?:(?:#{1,6}|[-*+>](?=\s+\D)|\d+[.)])\s+)+/u;
const EMPHASIS = /(?<![\p{L}\p{N}*/])(\*\*?)(?=[^\s*])([^*\n]+)(?<=\S)\1(?![\p{L}\p{N}*/])/gu;
/** A comma, or a dash that is not that of a range. */
const COMMA = /[，、,](?=\s|$)|(?<=[^\d\s])\s+[-–—]+\s+(?=\D)/gu;
const SENTENCE_END = /[.!;](?=["”»')]*(?:\s|$))|[。！；]/u;
const QUOTATION =
  /`([^`\n]+)`|(?<![\p{L}\p{N}])["'“”‘«„]([^\n"'“”‘’«»„]{1,60})["'“”’»](?![\p{L}\p{N}])/gu;
/** Marks a word of a quotation while sentences are cut; a control character, which no memory has. */
const QUOTED = "\u0001";

function sentencesOf(text: string, spelled: Map<string, string>): string[] {
  const plain = HAN_WORDINGS.reduce(
    (said, [from, to]) => said.replace(from, to),
    text.normalize("NFC"),
  )
    .replaceAll(QUOTED, "").replaceAll(/(?<=\p{L})’(?=\p{L})/gu, "'");
  return plain.split("\n").flatMap((line) =>
    line.replace(MARKER, "").replace(EMPHASIS, "$2")
      .replace(QUOTATION, (_, code, quote) => (code ?? quote).replace(/(?<!\S)(?=\S)/gu, QUOTED))
      .split(SENTENCE_END)
  ).map((sentence) => canonical(sentence, spelled)).filter((sentence) => sentence !== "");
}

function canonical(sentence: string, spelled: Map<string, string>): string {
  const words = wordsIn(sentence, spelled);
  const led = withoutLead(words[1] === "," && ANSWERS.has(words[0]!) ? words.slice(2) : words);
  const comma = led.indexOf(",");
  const rest = led.slice(comma + 1);
  const isFronted = comma > 0 && FRONTED.has(led[0]!) && !rest.some((word) => CLAUSES.has(word));
  const order = isFronted ? [...withoutLead(rest), ...led.slice(0, comma)] : led;
  const said = order.filter((word) => word !== ",");
  const content = said.filter((word, i) =>
    !(ALWAYS.has(word) && !NEGATIONS.has(said[i - 1] ?? "")) &&
    !(ARTICLES.has(word) && i + 1 < said.length)
  );
  return WORDINGS.reduce((text, [from, to]) => text.replace(from, to), content.join(" "));
}

function withoutLead(words: readonly string[]): readonly string[] {
  // Most sentences have none, which their first words say in a fraction of the time.
  if (!LEAD.test(words.slice(0, LEAD_WORDS).join(" ") + " ")) return words;
  return words.join(" ").replace(LEAD, "").split(" ").filter((word) => word !== "");
}

/** A word that is as it stands, which most are: no name, and no negation in short. */
const PLAIN = /^(?!cannot$)[a-z]{4,}(?<!nt)$/i;

/** The words of a sentence in lower case, and its commas; enters the spelling of what is no ordinary word. */
function wordsIn(sentence: string, spelled: Map<string, string>): string[] {
  const words: string[] = [];
  const pieces = sentence.replace(UNSPACED, " $& ").replaceAll(COMMA, " , ").split(/\s+/u);
  for (const piece of pieces) {
    if (PLAIN.test(piece)) {
      words.push(piece.toLowerCase());
      continue;
    }
    if (piece === ",") words.push(",");
    const isQuoted = piece.startsWith(QUOTED);
    const bare = isQuoted
      ? piece.slice(1).replace(/[,:]+$/u, "")
      : piece.replace(/^[("“”'‘«„[]+|[)"“”'’»\]:…]+$/gu, "").replace(/,+$/u, "");
    for (const word of isQuoted ? [bare] : partsOf(bare)) {
      if (word === "") continue;
      const isMarked = isQuoted || !/^\p{L}[\p{L}\p{M}'-]+$/u.test(word) ||
        (word.length <= 3 && /\d$/.test(words.at(-1) ?? ""));
      const lower = word.toLowerCase();
      if (isMarked && lower !== word.toUpperCase() && !ARTICLES.has(lower)) {
        spelled.set(lower, word);
      }
      // "Client A" is a name, "a client" is not.
      words.push(word === "A" && words.length > 0 ? "A" : lower);
    }
  }
  return words;
}

/** `10MB` in two words, and negations without their short forms. */
function partsOf(word: string): string[] {
  const [, figure, unit] = /^(\d[\d.,]*)(\p{L}{1,4}|%)$/u.exec(word) ?? [];
  if (figure !== undefined) return [figure, unit!];
  const lower = word.toLowerCase();
  const [, verb] = /^(ca|wo|do|does|is|are|was|were|should|must|has|have|would|could|did|need)n'?t$/
    .exec(lower) ?? [];
  if (verb !== undefined) return [{ ca: "can", wo: "will" }[verb] ?? verb, "not"];
  return lower === "cannot" ? ["can", "not"] : [word];
}

function wordsOf(sentence: string): string[] {
  return sentence.split(" ");
}

function factsIn(text: string): Set<string> {
  const names = text.match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*/gu) ?? [];
  const turns = turnsIn(text).split(" ").filter((word) => word !== "");
  return new Set([...valuesIn(text), ...turns, ...names.map((name) => name.toLowerCase())]);
}
