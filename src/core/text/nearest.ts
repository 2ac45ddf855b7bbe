/** Of `candidates` the one that a mistyped word was probably meant to be, or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3))
    ? best.candidate
    : undefined;
}

/** How many letters have to be put in, taken out, replaced or swapped with their neighbour (optimal string alignment). */
export function distance(a: string, b: string): number {
  let [before, above]: [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, j) => j),
  ];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
        ? before[j - 2]! + 1
        : Infinity;
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}

/** A name, or a part of one, in the form in which names are compared. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
