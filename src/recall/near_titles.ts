import { areNear, NEAR, Words } from "./repeats.ts";

/** The places of the titles that nearly repeat an earlier one. */
export const repeatsIn = rememberingLists(findRepeats);

/** The lists that a daemon's sessions begin with: those of a few projects, and of their subagents. */
const LISTS = 6;

/** A function of titles that keeps its last results: one session after the other begins with the same ones. */
export function rememberingLists<T>(
  work: (titles: readonly string[]) => T,
): (titles: readonly string[]) => T {
  let last: { readonly titles: readonly string[]; readonly result: T }[] = [];
  return (titles) => {
    const found = last.find((one) => areSame(one.titles, titles)) ??
      { titles, result: work(titles) };
    last = [found, ...last.filter((one) => one !== found)].slice(0, LISTS);
    return found.result;
  };
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((title, i) => title === b[i]);
}

function findRepeats(titles: readonly string[]): ReadonlySet<number> {
  const words = titles.map(wordsOf);
  const containing = new Map<string, number>();
  for (const { terms } of words) {
    for (const term of terms) containing.set(term, (containing.get(term) ?? 0) + 1);
  }
  const repeats = new Set<number>();
  const earlier = new Map<string, number[]>();
  for (const [place, one] of words.entries()) {
    // Two titles that share so many of their words share one of these, the rarest of each.
    const rarest = [...one.terms].sort((a, b) =>
      containing.get(a)! - containing.get(b)! || (a < b ? -1 : 1)
    ).slice(0, one.terms.size - Math.ceil(NEAR * one.terms.size) + 1);
    const others = new Set(rarest.flatMap((term) => earlier.get(term) ?? []));
    if ([...others].some((other) => areNear(one, words[other]!))) repeats.add(place);
    else {
      for (const term of rarest) {
        const places = earlier.get(term);
        if (places === undefined) earlier.set(term, [place]);
        else places.push(place);
      }
    }
  }
  return repeats;
}

/** The words of titles that were looked at before: a daemon begins many sessions with the same ones. */
const known = new Map<string, Words>();
const MOST_KNOWN = 10_000;

/** A title's words. */
export function wordsOf(title: string): Words {
  let words = known.get(title);
  if (words === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(title, words = new Words(title));
  }
  return words;
}
