// What a place is about: which folder of its project, and what was done there lately. Of many titles, a start has the
// nearest to that first.

import { basename, relative } from "node:path";
import { withSlashes } from "../files/slashes.ts";
import type { IndexedMemory } from "../index/corpus.ts";
import { globsIn, isForFile, isForFolder } from "../memory/applies.ts";
import { type Mention, mentionsOf } from "../memory/names.ts";
import { isWithin, type Place, projectAt } from "../memory/project.ts";
import { analyze } from "../text/analyze.ts";
import { once } from "../text/remembered.ts";
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

/** The folder that a session is in, from its project's top with `/`; `""` at the top and without a project. */
export function folderAt(place: Place): string {
  const { top, from } = projectAt(place) ?? { top: "", from: "" };
  return withSlashes(relative(top, from));
}

/** Where a prompt is given, and what it names; asked only where a memory is for some files. */
export interface Whereabouts {
  /** The folder that its session is in. */
  readonly folder: () => string;
  /** The files and folders that it names. */
  readonly named: () => readonly Mention[];
}

/** The whereabouts of a prompt. */
export function whereaboutsOf(prompt: string, folder: () => string = () => ""): Whereabouts {
  const text = { name: "", description: "", body: prompt };
  const named = () => mentionsOf(text).filter(({ kind }) => kind === "file" || kind === "folder");
  return { folder: once(folder), named: once(named) };
}

/**
 * Whether a memory is for the files that a prompt names, or for the folder that it is given in; undefined of one that is for
 * all, or where nothing tells.
 */
export function isForHere(
  { body }: Pick<IndexedMemory, "body">,
  { folder, named }: Whereabouts,
): boolean | undefined {
  const globs = globsIn(body);
  if (globs.length === 0) return undefined;
  const paths = named();
  if (paths.some(({ kind, text }) => kind === "file" && isForFile(globs, text))) return true;
  // A path that begins otherwise is one from the working directory, or about something else.
  const first = (path: string) => path.split("/", 1)[0];
  const alike = paths.filter(({ text }) => globs.some((glob) => first(glob) === first(text)));
  if (alike.length > 0) {
    return alike.some(({ kind, text }) => kind === "folder" && isForFolder(globs, text) === true);
  }
  return isForFolder(globs, folder());
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
