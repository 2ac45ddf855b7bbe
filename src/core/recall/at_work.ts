// What a place is about lately, and which titles are near to that: of many, a start has those first.

import { basename, relative } from "node:path";
import { isWithin, type Place, projectAt } from "../memory/project.ts";
import { analyze } from "../text/analyze.ts";
import { isStopword } from "../text/language/stopwords.ts";
import { wordsOf } from "./near_titles.ts";
import { isPrompt, isReceipt, readReceipts } from "./receipts.ts";

/** Prompts that say what the last sessions were about, and receipts among which they are looked for. */
const PROMPTS = 30, RECEIPTS = 300;

/** The branch of each work tree, and what was changed there. */
const changes = new Map<string, string>();

/** Keeps the branch of a work tree, and what was changed there, for the next start. */
export function noteChanges(top: string, changed: string): void {
  changes.set(top, changed);
}

/** What a place is about: its folder, its branch, what was changed there, and the prompts of its last sessions. */
export function workAt(place: Place, receipts: string): string {
  const { root, top } = projectAt(place) ?? { root: place.cwd, top: place.cwd };
  const isHere = (cwd = "") => cwd === place.cwd || isWithin(cwd, top);
  const prompts = readReceipts(receipts, RECEIPTS).filter((one) =>
    isReceipt(one) && isPrompt(one) && isHere(one.cwd)
  ).flatMap(({ prompt }) => prompt ?? []).slice(0, PROMPTS);
  return [basename(root), relative(top, place.cwd), changes.get(top) ?? "", ...prompts].join("\n");
}

/** Some things with titles, first those whose titles share the rarest words with a text. */
export function nearestFirst<T>(all: readonly T[], text: string, titleOf: (one: T) => string): T[] {
  const asked = new Set(analyze(text).filter((term) => !isStopword(term)));
  const shared = new Map(all.map((one) => [one, wordsOf(titleOf(one)).terms.intersection(asked)]));
  const sharing = Map.groupBy([...shared.values()].flatMap((terms) => [...terms]), (term) => term);
  const nearness = ([, terms]: readonly [T, ReadonlySet<string>]) =>
    [...terms].reduce((sum, term) => sum + Math.log(all.length / sharing.get(term)!.length), 0);
  const near = new Map([...shared].map((each) => [each[0], nearness(each)]));
  return all.toSorted((a, b) => near.get(b)! - near.get(a)!);
}
