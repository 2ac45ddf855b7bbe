import { anyOf, spaced, WORD_END } from "./rule_words.ts";

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
