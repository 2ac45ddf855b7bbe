// Whether a text is a rule, by the words of rules in one table: a row for each language, a column for what its words do in
// a sentence.

import table from "./rule_words.json" with { type: "json" };

/** What words do in a rule; of each language a regular expression, without boundaries. */
interface RuleWords {
  /** Forbid, by which a text is a rule … */
  readonly never?: string;
  /** … and do so in a rule alone: elsewhere they say too little. */
  readonly not?: string;
  /** Oblige, and say that something is wanted. */
  readonly always?: string;
  /** Oblige alone. */
  readonly must?: string;
  /** Begin an order, and say that something is wanted. */
  readonly use?: string;
  /** Begin an order alone. */
  readonly order?: string;
  /** Say that something is wanted, and oblige to nothing. */
  readonly wanted?: string;
  /** Say what holds in every case, or where something ends or begins. */
  readonly every: string;
}

type Column = keyof RuleWords;

/** `spaced`: languages that put spaces between words; `glued`: those that do not, or glue endings to the word. */
const LANGUAGES: Readonly<Record<"spaced" | "glued", Readonly<Record<string, RuleWords>>>> = table;

/** What stands where no word goes on. */
export const WORD_END = "(?![\\p{L}\\p{N}_-])";

/** The words of some columns in all languages with spaces, without boundaries. */
export function spaced(...columns: readonly Column[]): string {
  return alternatives(LANGUAGES.spaced, columns);
}

/** Whole words of some columns in any language, as a regular expression. */
export function anyOf(...columns: readonly Column[]): string {
  const words = `(?<![\\p{L}\\p{N}_-])(?:${spaced(...columns)})${WORD_END}`;
  const glued = alternatives(LANGUAGES.glued, columns);
  return glued === "" ? words : `${words}|${glued}`;
}

function alternatives(
  languages: Readonly<Record<string, RuleWords>>,
  columns: readonly Column[],
): string {
  const words = Object.values(languages).flatMap((row) => columns.map((column) => row[column]));
  return words.filter((word) => word !== undefined).join("|");
}

/** What obliges, or begins an order. A later prompt may need a rule without resembling it. */
const RULE = new RegExp(
  `${anyOf("never", "always", "must")}|` +
    `^[^\\p{L}\\p{N}]*(?:please |please, )?(?:${spaced("use", "order")})(?<=['’]|${WORD_END})`,
  "iu",
);
/** What forbids; in languages without spaces at the end of the sentence, else before or behind what is forbidden. */
export const FORBIDS = new RegExp(anyOf("never", "not"), "iu");
const HOLDS_ALWAYS = new RegExp(anyOf("every"), "iu");
/** A rule says so at its beginning. */
const READ_CHARS = 300;

/** Whether a text obliges or orders ("never …", "use …"), in any of the languages of the table. */
export function isRule(text: string): boolean {
  return RULE.test(text.trimStart().slice(0, READ_CHARS));
}

/** Whether a text has a word that forbids, in any of the languages of the table. */
export function isForbidding(text: string): boolean {
  return FORBIDS.test(text);
}

/** Whether a text says what holds in every case, or within which limits ("every …", "… before …"): often a rule. */
export function isGeneral(text: string): boolean {
  return HOLDS_ALWAYS.test(text.trimStart().slice(0, READ_CHARS));
}
