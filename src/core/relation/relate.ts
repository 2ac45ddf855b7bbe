// How two texts stand to each other: one question, asked of a text when it is written. A person's answer counts more than
// a model's, and that more than the judge's, who has learned it from pairs.

import { basename, dirname, join } from "node:path";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { globsIn } from "../memory/applies.ts";
import { fold, keyOf } from "../memory/names.ts";
import { analyze } from "../text/analyze.ts";
import { contentTerms, haveSameFacts } from "../text/language/stopwords.ts";
import { CUTOFFS, PROBABILITY } from "./cutoffs.ts";
import { remembering } from "../text/remembered.ts";
import { isSubsumedBy, sentences, type Text } from "./statements.ts";
import { saysOtherwise } from "./wording.ts";
import { relativePathOf } from "../ledger/archive.ts";
import { fileStamp } from "../files/there.ts";
import { changeLog, type Logged, logged, readChanges } from "../ledger/change_log.ts";
import { realPath } from "../memory/project.ts";

export { CUTOFFS } from "./cutoffs.ts";

/**
 * What a later text is to an earlier one: it says nothing beyond it, the same and more, otherwise of the same thing,
 * otherwise of a part of it, something of another thing of its kind, or of anything else.
 */
export type Answer = typeof ANSWERS[number];

/** The answers, in the order of the judge's. */
export const ANSWERS = ["same", "refines", "replaces", "partly", "distinct", "unrelated"] as const;

/** An answer, how sure it is, and who gives it; a person's is kept apart (`DistinctPairs`). */
export interface Relation {
  readonly answer: Answer;
  readonly probability: number;
  readonly by: "model" | "judge";
}

/** How a later text stands to an earlier one, by what a judge makes of them; undefined: nothing to keep. */
export function relate(
  earlier: Text,
  later: Text,
  judged?: Readonly<Record<Answer, number>>,
): Relation | undefined {
  if (!areForSame(earlier, later)) return undefined;
  if (isContained(later, earlier)) {
    const [one, other] = [sentences(later).said.join("\n"), sentences(earlier).said.join("\n")];
    const how = haveSameFacts(one, other) ? "sameFacts" : "contained";
    return { answer: "same", probability: PROBABILITY[how], by: "judge" };
  }
  if (isSaidAgainst(later, earlier)) {
    return { answer: "replaces", probability: PROBABILITY.said, by: "model" };
  }
  if (judged === undefined) return undefined;
  const { replaces, partly } = judged, over = replaces + partly;
  const { same, refines } = judged, repeats = same + refines;
  if (over >= PROBABILITY.unsure && over >= repeats) {
    return { answer: partly > replaces ? "partly" : "replaces", probability: over, by: "judge" };
  }
  if (repeats >= PROBABILITY.repeated) {
    return { answer: refines > same ? "refines" : "same", probability: repeats, by: "judge" };
  }
  return judged.unrelated > judged.distinct
    ? undefined
    : { answer: "distinct", probability: judged.distinct, by: "judge" };
}

/** Whether the words of a later text say that an earlier one of the same thing is over, or otherwise. */
export function contradictsByWords(earlier: Text, later: Text): boolean {
  return areForSame(earlier, later) && !isContained(later, earlier) &&
    saysOtherwise(earlier, later);
}

/** Whether two texts are for the same files: what holds for some takes nothing from what holds for others, or for all. */
function areForSame(a: Text, b: Text): boolean {
  return globsIn(a.body).join() === globsIn(b.body).join();
}

/** What a later text does to an earlier one that it contradicts: it takes its place, or says otherwise without a word on which holds. */
export type Conflict = "overtaken" | "rivals";

/** The same, or that a later text says all of an earlier one. */
export type Bearing = Conflict | "repeats";

/** What an answer comes to; undefined: both hold. */
export function bearingOf({ answer, probability }: Relation): Bearing | undefined {
  if (answer === "same" || answer === "refines") return "repeats";
  if (answer !== "replaces" && answer !== "partly") return undefined;
  return answer === "replaces" && probability >= PROBABILITY.sure ? "overtaken" : "rivals";
}

/** Whether a later text does something to an earlier one that has to be said; undefined: no. */
export function rivalryIn(relation: Relation): Conflict | undefined {
  const bearing = bearingOf(relation);
  return bearing === "repeats" ? undefined : bearing;
}

/** Whether a text says what another says, with the same values and turns; such two can be merged. */
export function subsumes(later: Text, earlier: Text): boolean {
  const { answer, probability = 0 } = relate(earlier, later) ?? {};
  return answer === "same" && probability >= PROBABILITY.sameFacts;
}

/** The terms of a text, in any script. */
export const termsOf = remembering(({ name, description = "", body }: Text) =>
  new Set(analyze(`${name}\n${description}\n${body}`))
);

const ownTermsOf = remembering(({ name, body }: Text) => new Set(analyze(`${name}\n${body}`)));

/** Whether a text says nothing beyond another; to compare sentence by sentence costs a hundred times as much as by terms. */
function isContained(one: Text, other: Text): boolean {
  const own = ownTermsOf(one);
  return commonTo(own, termsOf(other)) >= CUTOFFS.compared * own.size &&
    isSubsumedBy(sentences(one), sentences(other));
}

/**
 * How alike two texts are by their words, by a cosine, or by their names; 0 below the cut-offs. Pages that differ only in
 * their subject ("ppmtogif", "ppmtotga") are as near to each other as one fact told twice: a cosine counts only where a
 * name is about the subject of the other text.
 */
export function likeness(one: Text, other: Text, cosine = 0): number {
  const [a, b] = [termsOf(one), termsOf(other)];
  const overlap = jaccard(a, b);
  const share = (name: string, said: ReadonlySet<string>) => {
    const words = new Set(analyze(name));
    return words.size === 0 ? 0 : commonTo(words, said) / words.size;
  };
  const near = cosine > CUTOFFS.retold &&
      Math.max(share(one.name, b), share(other.name, a)) >= CUTOFFS.subject
    ? cosine
    : 0;
  const isNamesake = fold(one.name) === fold(other.name);
  if (overlap <= CUTOFFS.alike && near === 0 && !isNamesake) return 0;
  return Math.max(overlap, near) + (isNamesake ? 1 : 0);
}

/**
 * Terms of which every text has one that a text repeats, contradicts or is like; undefined: any may be. Of what is mostly
 * function words, another may have enough without one that tells anything.
 */
export function tellingTerms(text: Text): ReadonlySet<string> | undefined {
  const { name, description = "", body } = text;
  const telling = [name, body || name].map(contentTerms);
  const all = contentTerms(`${name}\n${description}\n${body}`);
  const isTold = all.size > (1 - CUTOFFS.alike) * termsOf(text).size;
  return isTold && telling.every((terms) => terms.size > 0) ? all : undefined;
}

/** The Jaccard similarity of two sets; 0 if both are empty. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = commonTo(a, b);
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/** How many terms two sets have in common; to make a set of them takes several times as long. */
export function commonTo(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const term of few) if (many.has(term)) common++;
  return common;
}

/** A memory, and a later one that says otherwise. */
export interface Contradiction<M> {
  readonly older: M;
  readonly later: M;
  readonly kind: Conflict;
}

/** The tag of a memory that a model has said to contradict the one in a file beside it, where nobody has settled that. */
export function contradicting(path: string): string {
  return CONTRADICTS + basename(path);
}

const CONTRADICTS = "contradicts:";

/** The files of the memories that one is said to contradict. */
export function contradictedPaths({ path = "", tags = [] }: Text): string[] {
  return tags.filter((tag) => tag.startsWith(CONTRADICTS))
    .map((tag) => join(dirname(path), tag.slice(CONTRADICTS.length)));
}

/** Whether a memory has that tag for another one. */
function isSaidAgainst({ tags }: Text, { path }: Text): boolean {
  return path !== undefined && tags !== undefined && tags.includes(contradicting(path));
}

/** A memory in its folder. */
export interface PlacedMemory {
  readonly memory: Memory & { readonly path: string };
  readonly folder: MemoryFolder;
}

/**
 * The pairs that a person has said are two, and not undone since. It is a line in the log of each, so that it travels
 * with the folder; a memory whose text changes is compared anew.
 */
export class DistinctPairs {
  readonly #pairs: ReadonlySet<string>;

  /** By the changes that the logs of their folders have. */
  constructor(changes: readonly Logged[]) {
    this.#pairs = new Set(
      changes.flatMap(({ what, key, apart, undone }) =>
        what === "apart" && !undone && key !== undefined && apart !== undefined
          ? [pairOf(key, apart)]
          : []
      ),
    );
  }

  /** Whether two memories, as they are worded now, are such a pair. */
  has(a: Text, b: Text): boolean {
    return this.#pairs.size > 0 && this.#pairs.has(pairOf(keyOfText(a), keyOfText(b)));
  }
}

/** What a person has said of the memories of some folders; prompt after prompt asks for the same ones. */
export function distinctIn(folders: readonly MemoryFolder[]): DistinctPairs {
  const stamp = folders.map((each) => `${each.path}\n${fileStamp(changeLog(each))}`).join("\n");
  if (lastRead?.stamp !== stamp) {
    lastRead = { stamp, pairs: new DistinctPairs(readChanges(folders)) };
  }
  return lastRead.pairs;
}

let lastRead: { readonly stamp: string; readonly pairs: DistinctPairs } | undefined;

/** Notes that memories are several, each from each other, as one change. */
export function markDistinct(
  memories: readonly PlacedMemory[],
  { group, now }: { readonly group: string; readonly now: Date },
): void {
  for (const [i, { memory, folder }] of memories.entries()) {
    for (const other of memories.filter((_, j) => j !== i)) {
      const { name, type, path } = memory;
      const file = relativePathOf(realPath(path), realPath(folder.path)) || basename(path);
      logged(folder, {
        at: now.toISOString(),
        what: "apart",
        name,
        type,
        file,
        group,
        key: keyOf(memory),
        apart: keyOf(other.memory),
      }, () => {});
    }
  }
}

function keyOfText({ name, description = "", body }: Text): string {
  return keyOf({ name, description, body });
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
