/** Finds many strings in a text in one pass: searching for each takes a second on a few megabytes. */
export class MultiSearch<T> {
  /** By the first two code units, which nearly always decide. */
  readonly #byStart = new Map<number, { readonly needle: string; readonly value: T }[]>();
  readonly #first = new Set<number>();

  /** Every needle has at least two code units; among those with the same beginning the longest matches first. */
  constructor(entries: Iterable<readonly [needle: string, value: T]>) {
    for (const [needle, value] of [...entries].toSorted(([a], [b]) => b.length - a.length)) {
      const start = pair(needle, 0);
      this.#first.add(needle.charCodeAt(0));
      this.#byStart.set(start, [...this.#byStart.get(start) ?? [], { needle, value }]);
    }
  }

  /** Every occurrence of every needle, in text order. */
  *in(
    text: string,
  ): Generator<{ readonly at: number; readonly needle: string; readonly value: T }> {
    for (let at = 0; at + 1 < text.length; at++) {
      if (!this.#first.has(text.charCodeAt(at))) continue;
      for (const { needle, value } of this.#byStart.get(pair(text, at)) ?? []) {
        if (text.startsWith(needle, at)) yield { at, needle, value };
      }
    }
  }
}

function pair(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

/** Lower case, with every character in its original position. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/./gsu, (char) => {
    const small = char.toLowerCase();
    return small.length === char.length ? small : char;
  });
}
