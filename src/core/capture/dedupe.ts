// What a candidate has to do with the memories that are known. It takes the place of one only where somebody says so,
// and repeats one only where the texts are equal but for wording; likeness is a reason to ask.

import type { Memory } from "../memory/memory.ts";
import { fold } from "../memory/names.ts";
import { isSubsumedBy, type Statements, statementsOf } from "../relation/same.ts";
import { analyze } from "../text/analyze.ts";
import { contentTerms } from "../text/content_terms.ts";
import { folded } from "../text/folded.ts";

/** The compared parts of a memory. */
export type Saying = Pick<Memory, "name" | "description" | "type" | "body">;

/** A memory that exists, or that this capture has decided to write. */
export interface Known {
  readonly memory: Saying;
  readonly terms: ReadonlySet<string>;
}

/** The decision about a candidate. */
export type Verdict<K> =
  | { readonly kind: "new" }
  | { readonly kind: "repeats" | "supersedes"; readonly known: K };

/** Two memories are alike above this share of common terms. */
export const JACCARD = 0.6;
/**
 * The minimum cosine of two statements of one fact, on the scale of MiniLM; cosines of other models are converted to it
 * by their calibration's `retold`. Measured with MiniLM on `bench/suites/coding-agent` (266 memories), a memory's name,
 * description and body as one text against the passages of every other of its type: no pair of 7,892 is above .713 (a
 * decision and the one that replaced it) and no unrelated pair above .698. Twenty memories were paraphrased: the
 * eighteen in the same language score .775 to .950, of which token Jaccard over .6 finds five; the two in another
 * language score below .45, so translations are not detected. Of eleven pairs written for this, similar facts about
 * different things, the highest scores .745 (the ports of two databases). The threshold is between that and .775. A
 * decision that replaces another usually scores low (.194 to .713), so the model must report it.
 */
export const COSINE = 0.76;

/** The minimum share of a name's words in a memory about the same thing. */
const SUBJECT = 1 / 3;

/** The terms of a memory, in any script. */
export function termsOf({ name, description, body }: Omit<Saying, "type">): Set<string> {
  return new Set(analyze(`${name}\n${description}\n${body}`));
}

/**
 * Terms of which every memory has one that a memory repeats, contradicts or is like; undefined: any may be. Of what is
 * mostly function words, another may have enough without one that tells anything.
 */
export function tellingTerms(memory: Omit<Saying, "type">): ReadonlySet<string> | undefined {
  const { name, description, body } = memory;
  const telling = [name, body || name].map(contentTerms);
  const all = contentTerms(`${name}\n${description}\n${body}`);
  const isTold = all.size > (1 - JACCARD) * termsOf(memory).size;
  return isTold && telling.every((terms) => terms.size > 0) ? all : undefined;
}

/** The Jaccard similarity of two sets; 0 if both are empty. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = commonTo(a, b);
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

/** Compares a candidate with the memory that it is said to replace, else with those of its type that may say it. */
export function compare<K extends Known>(
  candidate: Saying,
  known: Iterable<K>,
  named?: K,
): Verdict<K> {
  if (named !== undefined) return { kind: "supersedes", known: named };
  const repeated = findDuplicate(candidate, known, ({ memory }) => memory.type === candidate.type);
  return repeated === undefined ? { kind: "new" } : { kind: "repeats", known: repeated };
}

/** The memory, of those that count, which has all that a candidate says. */
export function findDuplicate<K extends Known>(
  candidate: Omit<Saying, "type">,
  known: Iterable<K>,
  counts: (known: K) => boolean = () => true,
): K | undefined {
  const statements = statementsOf(candidate);
  const terms = new Set(analyze(`${candidate.name}\n${candidate.body}`));
  for (const each of known) {
    // Other wordings share most terms; comparing sentence by sentence costs a hundred times as much.
    if (!counts(each) || commonTo(terms, each.terms) < LEAST_COMMON * terms.size) continue;
    if (isSubsumedBy(statements, cachedStatements(each.memory))) return each;
  }
  return undefined;
}

/** The minimum share of a candidate's terms in a memory that may say the same. */
const LEAST_COMMON = 0.5;
const cache = new WeakMap<Saying, Statements>();

function cachedStatements(memory: Saying): Statements {
  const kept = cache.get(memory) ?? statementsOf(memory);
  cache.set(memory, kept);
  return kept;
}

/**
 * The memory most like a candidate by its words, by the cosine of its nearest passage, or by its name; undefined if
 * none is like it.
 */
export function nearest<K extends Known>(
  candidate: Saying,
  known: Iterable<K>,
  cosineOf?: (known: K) => number | undefined,
): K | undefined {
  const terms = termsOf(candidate);
  const name = fold(candidate.name);
  let best: { readonly known: K; readonly score: number } | undefined;
  for (const each of known) {
    const overlap = jaccard(terms, each.terms);
    const cosine = sharesSubject(candidate, terms, each) ? cosineOf?.(each) ?? 0 : 0;
    const isNamesake = fold(each.memory.name) === name;
    if (overlap <= JACCARD && cosine <= COSINE && !isNamesake) continue;
    const score = Math.max(overlap, cosine) + (isNamesake ? 1 : 0);
    if (best === undefined || score > best.score) best = { known: each, score };
  }
  return best?.known;
}

/** Whether two memories have one name and type. */
export function isNamesake(one: Pick<Memory, "name" | "type">, other: typeof one): boolean {
  return folded(one.name) === folded(other.name) && folded(one.type) === folded(other.type);
}

/**
 * Whether the name of one memory is about the subject of the other. Pages that differ only in their subject
 * ("ppmtogif", "ppmtotga") are as near to each other as one fact told twice.
 */
function sharesSubject(
  candidate: Saying,
  terms: ReadonlySet<string>,
  { memory, terms: known }: Known,
) {
  const share = (name: string, said: ReadonlySet<string>) => {
    const words = new Set(analyze(name));
    return words.size === 0 ? 0 : commonTo(words, said) / words.size;
  };
  return Math.max(share(candidate.name, known), share(memory.name, terms)) >= SUBJECT;
}

function commonTo(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common++;
  return common;
}
