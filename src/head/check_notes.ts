import { defines } from "../guard/work_tree.ts";
import type { Drift } from "../memory/standing.ts";
import {
  type Code,
  type Ground,
  type Grounds,
  groundsIn,
  judge,
  needsPast,
  type Removal,
  settingsFiles,
  symbolGround,
  type Use,
} from "./judge.ts";
import { manifestRow, manifestsIn } from "./manifests.ts";
import { type Named, namedIn, type Words } from "./named.ts";
import type { Repository, Tree } from "./repository.ts";

/** A note as it is checked. */
export interface Note extends Words {
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** What is known to have been there. */
  readonly grounds: Grounds;
}

/** What has been found out about a note. */
export interface Checked {
  readonly grounds: Grounds;
  readonly drift: readonly Drift[];
}

/** What a word is looked for in: neither what tells of the past, nor what a program writes. */
const NO_CODE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|lock|sum|snap|svg|map|csv|log|patch|diff|min\.\w+)$|(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|AUTHORS|LICENSE)[^/]*$|(?:^|\/)[\w.-]*lock\.(?:json|ya?ml)$|(?:^|\/)(?:node_modules|vendor)\//i;
/** Bytes of code that are read for words, and manifests; uses of a word that are kept; a longer line is made by a program. */
const MOST_CODE = 96 * 1024 * 1024, MOST_MANIFESTS = 400, MOST_USES = 60, LONGEST = 300;
/** Words that are asked of an older commit at once, and in all. */
const MOST_WORDS = 60;
const WORD = /[A-Za-z_$][\w$]*/g;

/** Compares notes with HEAD; those that there was no time for have no answer. */
export async function checkNotes<N extends Note>(
  repository: Repository,
  notes: readonly N[],
  { head, isEnough }: { readonly head: string; readonly isEnough: () => boolean },
): Promise<Map<N, Checked>> {
  const checked = new Map<N, Checked>();
  const tree = await repository.treeOf(head);
  if (tree === undefined || notes.length === 0) return checked;
  await repository.readLine(head);
  const all = notes.map((note) => ({ note, named: namedIn(note) }));
  const words = new Set(all.flatMap(({ named }) => named.symbols));
  const now: Code = {
    ...await codeOf(repository, tree, all.map(({ named }) => named)),
    uses: await usesIn(repository, tree, words),
  };
  const dated = all.map((each) => ({ ...each, commit: repository.commitAt(each.note.at) }));
  const looked: Looked<N>[] = [];
  // The commits from HEAD back: what was written lately is known first.
  const commits = [...Map.groupBy(dated, ({ commit }) => commit?.id)].toSorted(([, a], [, b]) =>
    (a[0]!.commit?.place ?? Infinity) - (b[0]!.commit?.place ?? Infinity)
  );
  for (const [commit, its] of commits) {
    if (isEnough()) break;
    const past = commit === undefined ? undefined : await repository.treeOf(commit);
    const code = past === undefined
      ? undefined
      : await codeOf(repository, past, its.map(({ named }) => named));
    const asked = its.flatMap(({ note, named }) =>
      named.symbols.filter((name) =>
        note.grounds[`symbol ${name}`] === undefined &&
        now.uses !== undefined && needsPast(name, now.uses.get(name) ?? [], named)
      )
    );
    const before = past === undefined ? new Map() : await usesAt(repository, past, asked);
    for (const { note, named } of its) {
      const known: Record<string, Ground> = {
        ...code === undefined ? {} : groundsIn(named, code),
      };
      for (const name of named.symbols) {
        const uses = before.get(name) ?? now.uses?.get(name);
        if (uses !== undefined) known[`symbol ${name}`] = symbolGround(name, uses, named);
      }
      const grounds = merged(note.grounds, known, groundsIn(named, now));
      const missing = missingIn(grounds, past ?? tree, tree);
      looked.push({ note, named, grounds, missing, since: its[0]!.commit });
    }
  }
  const removals = await removalsOf(repository, looked, tree);
  for (const { note, named, grounds, missing } of looked) {
    const drift = judge(named, grounds, { head: now, missing, removals });
    checked.set(note, { grounds, drift });
  }
  return checked;
}

/** A note whose things have been looked for. */
interface Looked<N extends Note> {
  readonly note: N;
  readonly named: Named;
  readonly grounds: Grounds;
  /** The paths that HEAD does not have, with the files of those that were folders. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
  readonly since: ReturnType<Repository["commitAt"]>;
}

/** Files of a folder that are followed to where they went. */
const MOST_INSIDE = 300;

function missingIn(grounds: Grounds, past: Tree, head: Tree): Map<string, readonly string[]> {
  const missing = new Map<string, readonly string[]>();
  for (const [key, ground] of Object.entries(grounds)) {
    const path = ground?.file;
    if (!key.startsWith("path ") || path === undefined) continue;
    if (head.files.has(path) || head.folders.has(path)) continue;
    const inside = past.folders.has(path)
      ? [...past.files.keys()].filter((file) => file.startsWith(path + "/")).slice(0, MOST_INSIDE)
      : [];
    missing.set(path, inside);
  }
  return missing;
}

/** What is known, what was there when the note was written, and what is there now, in this order. */
function merged(known: Grounds, ...others: readonly Grounds[]): Grounds {
  const all: Record<string, Ground> = { ...known };
  for (const grounds of others) {
    for (const [key, ground] of Object.entries(grounds)) all[key] ??= ground;
  }
  return all;
}

/** The manifests of a tree, and the files whose settings notes may state. */
async function codeOf(
  repository: Repository,
  tree: Tree,
  named: readonly Named[],
): Promise<Omit<Code, "uses">> {
  const manifests = [...tree.files.keys()].filter((file) => manifestRow(file) !== undefined)
    .sort((a, b) => a.split("/").length - b.split("/").length).slice(0, MOST_MANIFESTS);
  const paths = new Set([...manifests, ...named.flatMap((each) => settingsFiles(each, tree))]);
  const texts = new Map<string, string>();
  await repository.read(tree, [...paths], (path, text) => texts.set(path, text));
  return { tree, texts, manifests: manifestsIn(texts) };
}

/** Where words stand in the code of a tree; undefined if it is too large, or cannot be read whole. */
async function usesIn(
  repository: Repository,
  tree: Tree,
  words: ReadonlySet<string>,
): Promise<Map<string, Use[]> | undefined> {
  const uses = new Map<string, Use[]>();
  if (words.size === 0) return uses;
  const files = [...tree.files].filter(([path]) => !NO_CODE.test(path));
  if (files.reduce((sum, [, { size }]) => sum + size, 0) > MOST_CODE) return undefined;
  const isWhole = await repository.read(tree, files.map(([path]) => path), (file, text) => {
    for (const match of text.matchAll(WORD)) {
      if (!words.has(match[0])) continue;
      const from = text.lastIndexOf("\n", match.index) + 1;
      const end = text.indexOf("\n", match.index);
      keep(uses, match[0], file, text.slice(from, end < 0 ? undefined : end));
    }
  });
  return isWhole ? uses : undefined;
}

/** The same of a few words in an older tree. */
async function usesAt(
  repository: Repository,
  tree: Tree,
  words: readonly string[],
): Promise<Map<string, Use[]>> {
  const uses = new Map<string, Use[]>();
  const asked = [...new Set(words)].slice(0, MOST_WORDS);
  if (asked.length === 0) return uses;
  const lines = await repository.linesWith(asked, tree.commit);
  if (lines === undefined) return uses;
  for (const name of asked) uses.set(name, []);
  for (const each of lines.split("\n")) {
    const [place, line] = each.split("\0");
    const file = place!.slice(tree.commit.length + 1);
    if (line === undefined || NO_CODE.test(file)) continue;
    for (const [name] of line.matchAll(WORD)) if (uses.has(name)) keep(uses, name, file, line);
  }
  return uses;
}

function keep(uses: Map<string, Use[]>, word: string, file: string, line: string): void {
  const known = uses.get(word) ?? [];
  uses.set(word, known);
  if (known.at(-1)?.file === file && known.at(-1)?.line === line) return;
  const isDefinition = line.length <= LONGEST && defines(line, word);
  if (known.length < MOST_USES || isDefinition) {
    known.push({ file, line: line.slice(0, LONGEST).trim(), isDefinition });
  }
}

/** What became of all paths that notes rest on and that HEAD does not have. */
async function removalsOf(
  repository: Repository,
  looked: readonly Pick<Looked<Note>, "missing" | "since">[],
  head: Tree,
): Promise<Map<string, Removal>> {
  const wanted = new Set<string>();
  let oldest: Looked<Note>["since"];
  for (const { missing, since } of looked) {
    for (const [path, inside] of missing) {
      for (const file of inside.length > 0 ? inside : [path]) wanted.add(file);
      if (since !== undefined && since.place > (oldest?.place ?? -1)) oldest = since;
    }
  }
  const found = new Map<string, Removal>();
  if (wanted.size === 0 || oldest === undefined) return found;
  const removals = await repository.removals([...wanted], oldest.id);
  for (const [path, by] of removals) {
    found.set(path, { to: await repository.followed(path, by, head), by });
  }
  return found;
}
