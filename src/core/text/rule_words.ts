// The words of rules, in one table: a row for each language, a column for what its words do in a sentence. Who reads rules
// takes the columns that it needs.

import table from "./rule_words.json" with { type: "json" };

/** What words do in a rule; of each language a regular expression, without boundaries. */
interface Words {
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

type Column = keyof Words;

/** `spaced`: languages that put spaces between words; `glued`: those that do not, or glue endings to the word. */
const LANGUAGES: Readonly<Record<"spaced" | "glued", Readonly<Record<string, Words>>>> = table;

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
  languages: Readonly<Record<string, Words>>,
  columns: readonly Column[],
): string {
  const words = Object.values(languages).flatMap((row) => columns.map((column) => row[column]));
  return words.filter((word) => word !== undefined).join("|");
}
