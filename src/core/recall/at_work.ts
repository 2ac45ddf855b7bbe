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

/** How near each of some titles is to a text: how rare the words are that both have. */
export function nearnessTo(text: string, titles: readonly string[]): number[] {
  const asked = new Set(analyze(text).filter((term) => !isStopword(term)));
  const terms = titles.map((title) => wordsOf(title).terms);
  const containing = new Map<string, number>();
  for (const term of terms.flatMap((its) => [...its])) {
    containing.set(term, (containing.get(term) ?? 0) + 1);
  }
  const rarity = (term: string) => Math.log(titles.length / containing.get(term)!);
  return terms.map((its) =>
    [...its.intersection(asked)].reduce((sum, term) => sum + rarity(term), 0)
  );
}
