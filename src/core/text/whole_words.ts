// Where a text is cut, no word is cut in two: half of a secret is not known as one and would leave the machine.

/** Characters that end a secret: spaces, quotes, brackets, and letters of scripts without spaces. */
const BETWEEN = /[^!#$%&*+\-./0-9:?@A-Z\\^_a-z~]/;

/** The beginning of a text, at most so long, without a word that goes on after it. */
export function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && !BETWEEN.test(text[end]!) && !BETWEEN.test(text[end - 1]!)) end--;
  return text.slice(0, end).toWellFormed();
}

/** The end of a text, at most so long, without a word that begins before it. */
export function wholeWordsAtEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  let start = text.length - most;
  while (start < text.length && !BETWEEN.test(text[start]!) && !BETWEEN.test(text[start - 1]!)) {
    start++;
  }
  return text.slice(start).toWellFormed();
}
