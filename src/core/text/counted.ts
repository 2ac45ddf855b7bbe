/** A number as people read it: `12,345`. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
