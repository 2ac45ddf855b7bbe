import { setImmediate } from "node:timers/promises";
import { defines } from "../guard/work_tree.ts";
import type { Drift } from "../memory/standing.ts";
import {
  type Code,
  type Ground,
  type Grounds,
  groundsIn,
  judge,
  literalIn,
  needsPast,
  type Removal,
  type Settings,
  settingsFiles,
  settingsOf,
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
  /** What is known of it; undefined: nobody has looked. */
  readonly known?: Known | undefined;
}

/** What a note rests on. */
export interface Known {
  /** The commit at which its things were looked for; undefined: none is old enough. */
  readonly at: string | undefined;
  readonly grounds: Grounds;
}

/** What has been found out about a note. */
export interface Checked extends Known {
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
  for (const [at, its] of commits) {
    if (isEnough()) break;
    await setImmediate();
    const grounds = await groundsAt(repository, at, its, now);
    for (const [i, { note, named }] of its.entries()) {
      looked.push({ note, named, at, grounds: grounds[i]! });
    }
  }
  const isPast = (commit: string) => repository.isPast(commit);
  const { missing, removals } = await removalsOf(repository, looked, tree);
  for (const { note, named, at, grounds } of looked) {
    const drift = judge(named, grounds, { head: now, isPast, missing, removals });
    checked.set(note, { at, grounds, drift });
  }
  return checked;
}

/** What notes of one commit rest on: what is known, what that commit had, and what HEAD has, in this order. */
async function groundsAt(
  repository: Repository,
  at: string | undefined,
  its: readonly { readonly note: Note; readonly named: Named }[],
  now: Code,
): Promise<Grounds[]> {
  const isNew = at !== undefined && its.some(({ note }) => note.known?.at !== at);
  const asked = its.flatMap(({ note, named }) =>
    named.symbols.filter((name) =>
      now.uses !== undefined && note.known?.grounds[`symbol ${name}`] === undefined &&
      needsPast(name, now.uses.get(name) ?? [], named)
    )
  );
  const past = at !== undefined && (isNew || asked.length > 0)
    ? await repository.treeOf(at)
    : undefined;
  const code = past && isNew
    ? await codeOf(repository, past, its.map((each) => each.named))
    : undefined;
  const before = past === undefined ? new Map() : await usesAt(repository, past, asked);
  return its.map(({ note, named }) => {
    const then: Record<string, Ground> = code === undefined ? {} : { ...groundsIn(named, code) };
    const today: Record<string, Ground> = { ...groundsIn(named, now) };
    for (const name of named.symbols) {
      const uses = before.get(name), usesNow = now.uses?.get(name);
      if (uses !== undefined) then[`symbol ${name}`] = symbolGround(name, uses, named);
      if (usesNow !== undefined) today[`symbol ${name}`] = symbolGround(name, usesNow, named);
    }
    const known = note.known?.grounds ?? {};
    const all: Record<string, Ground> = {};
    for (const key of new Set([known, then, today].flatMap((each) => Object.keys(each)))) {
      const old = known[key], isPast = old?.seen !== undefined && repository.isPast(old.seen);
      all[key] = isPast ? old : seenAt(then[key], at) ?? seenAt(today[key], now.tree.commit) ??
        old ?? null;
    }
    return all;
  });
}

function seenAt(ground: Ground | undefined, commit: string | undefined): Ground | undefined {
  return ground && commit !== undefined ? { ...ground, seen: commit } : undefined;
}

/** A note whose things have been looked for. */
interface Looked<N extends Note> extends Known {
  readonly note: N;
  readonly named: Named;
}

/** The manifests of a tree, and the files whose settings notes may state. */
async function codeOf(
  repository: Repository,
  tree: Tree,
  named: readonly Named[],
): Promise<Omit<Code, "uses">> {
  const manifests = [...tree.files.keys()].filter((file) => manifestRow(file) !== undefined)
    .sort((a, b) => a.split("/").length - b.split("/").length).slice(0, MOST_MANIFESTS);
  const texts = new Map<string, string>(), settings = new Map<string, Settings>();
  await repository.read(tree, manifests, (path, text) => texts.set(path, text));
  const files = new Set(named.flatMap((each) => settingsFiles(each, tree)));
  await repository.read(tree, [...files], (path, text) => settings.set(path, settingsOf(text)));
  return { tree, texts, manifests: manifestsIn(texts), settings };
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
  if (line.length > LONGEST || known.length >= 10 * MOST_USES) {
    if (known.length === 0) known.push({ file, line: "", isDefinition: false, literal: undefined });
    return;
  }
  const isDefinition = defines(line, word);
  if (known.length >= MOST_USES && !isDefinition) return;
  // A version in a manifest is a package's.
  const literal = manifestRow(file) === undefined ? literalIn(line, word) : undefined;
  known.push({ file, line: line.trim(), isDefinition, literal });
}

/** Files of a folder that are followed to where they went. */
const MOST_INSIDE = 300;

/** The paths that notes rest on and that HEAD does not have, with the files of folders, and what became of all these. */
async function removalsOf(
  repository: Repository,
  looked: readonly Pick<Looked<Note>, "grounds">[],
  head: Tree,
) {
  const missing = new Map<string, readonly string[]>();
  const removals = new Map<string, Removal>();
  const wanted = looked.flatMap(({ grounds }) =>
    Object.entries(grounds).flatMap(([key, ground]) =>
      key.startsWith("path ") && ground !== null && repository.isPast(ground.seen ?? "") &&
        !head.files.has(ground.file) && !head.folders.has(ground.file)
        ? [ground]
        : []
    )
  );
  const [oldest] = wanted.toSorted((a, b) =>
    repository.placeOf(b.seen!) - repository.placeOf(a.seen!)
  );
  if (oldest === undefined) return { missing, removals };
  const folders = new Map<string, Tree | undefined>();
  for (const { file, isFolder, seen = "" } of wanted) {
    if (isFolder && !folders.has(seen)) folders.set(seen, await repository.treeOf(seen));
    const inside = isFolder
      ? [...folders.get(seen)?.files.keys() ?? []].filter((path) => path.startsWith(file + "/"))
      : [];
    missing.set(file, inside.slice(0, MOST_INSIDE));
  }
  const files = [...missing].flatMap(([path, inside]) => inside.length > 0 ? inside : [path]);
  for (const [path, by] of await repository.removals([...new Set(files)], oldest.seen!)) {
    removals.set(path, { to: await repository.followed(path, by, head), by });
  }
  return { missing, removals };
}
