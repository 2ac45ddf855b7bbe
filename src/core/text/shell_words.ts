/** Splits a command line into words; quotes and escaped blanks keep words together, and nothing is expanded. */
export function shellWords(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\['" ]|\S)+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'|\\(['" ])/g, "$1$2$3"));
}

/** A word as it stands in a line for a POSIX shell. */
export function shellQuoted(word: string): string {
  return /^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
