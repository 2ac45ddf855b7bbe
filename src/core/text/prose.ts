/** Starts of lines that programs write: times, levels, markup, quotes, stack frames, shell prompts, diffs, indents. */
const MADE_BY_PROGRAM =
  /^(?:\s{4}|\t|\s*(?:[[{<>|$#%@+}\])"'`]|\d{1,4}[-/:.]\d|at\s+\S+\s*[(:]|(?:\S+\s+){0,3}(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b))/;
/** Base64, a hash, a token: no word of a person's is as long. */
const DATA = /[A-Za-z0-9+/=_-]{65}/;
const WORD = /[\p{L}\p{M}'’]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Characters that sentences are not made of. */
const ODD = /[^\p{L}\p{M}\s.,;:!?'"’“”()¿¡…—–\-`、。，！？：；「」（）]/gu;
/** Maximum share of odd characters in prose; names of files and numbers take a few. */
const MAX_ODD = 0.15;
const MIN_WORDS = 2, MIN_CJK = 4;
/** Characters of a line to look at. */
const LOOKED_AT = 1000;

/** Whether a line reads like something a person wrote, as opposed to a log, code or data. */
export function isProse(whole: string): boolean {
  const line = whole.slice(0, LOOKED_AT);
  if (MADE_BY_PROGRAM.test(line) || DATA.test(line)) return false;
  const words = line.match(WORD)?.length ?? 0;
  if (words < MIN_WORDS && (line.match(CJK)?.length ?? 0) < MIN_CJK) return false;
  return (line.match(ODD)?.length ?? 0) / line.length <= MAX_ODD;
}
