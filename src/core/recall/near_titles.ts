import { hash } from "node:crypto";
import { areNear, NEAR, Words } from "./repeats.ts";

/** The places of the titles that nearly repeat an earlier one. */
export const repeatsIn = rememberingLists(findRepeats);

/** The lists that a daemon's sessions begin with: those of a few projects, and of their subagents. */
const LISTS = 8;

/**
 * A function of lists that keeps its last results, by what `tells` one of another: one session after the other begins
 * with the same. The lists themselves are not kept: those of a project with 1,000 memories took 20 MB.
 */
export function rememberingLists<M, T>(
  work: (list: readonly M[]) => T,
  tells: (one: M) => unknown = (one) => one,
): (list: readonly M[]) => T {
  let last: { readonly digest: string; readonly result: T }[] = [];
  return (list) => {
    const digest = hash("sha256", JSON.stringify(list.map(tells)));
    const found = last.find((one) => one.digest === digest) ?? { digest, result: work(list) };
    last = [found, ...last.filter((one) => one !== found)].slice(0, LISTS);
    return found.result;
  };
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
