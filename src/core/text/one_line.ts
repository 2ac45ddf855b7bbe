/** A text on one line, without control characters: a name or a type steers no terminal that it is printed on. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
