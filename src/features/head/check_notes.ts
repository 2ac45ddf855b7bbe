import { setImmediate } from "node:timers/promises";
import { defines } from "../guard/definitions.ts";
import type { Drift } from "../../core/relation/standing.ts";
import {
  type Code,
  isAbout,
  judge,
  literalIn,
  needsPast,
  type Reference,
  type References,
  referencesIn,
  settingsFiles,
  settingsOf,
  type WordUse,
} from "./judge.ts";
import { manifestRow, manifestsIn } from "./manifests.ts";
import { namedIn, type NamedThings, type NoteWords } from "./named.ts";
import type { CodeRepository, CommitTree } from "./repository.ts";

/** A note as it is checked. */
export interface CheckableNote extends NoteWords {
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** What is known of it; undefined: nobody has looked. */
  readonly known?: NoteBasis | undefined;
  /** It is of no repository, but a user's or a team's. */
  readonly isForeign?: boolean;
}

/** What a note rests on. */
export interface NoteBasis {
  /** The commit at which its things were looked for; undefined: none is old enough. */
  readonly at: string | undefined;
  readonly grounds: References;
}

/** What a word is looked for in: neither what tells of the past, nor what a program writes. */
const NO_CODE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|lock|sum|snap|svg|map|csv|log|patch|diff|min\.\w+)$|(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|AUTHORS|LICENSE)[^/]*$|(?:^|\/)[\w.-]*lock\.(?:json|ya?ml)$|(?:^|\/)(?:node_modules|vendor)\//i;
/** Bytes of code that are read for words, and manifests; uses of a word that are kept; a longer line is made by a program. */
const MOST_CODE = 96 * 1024 * 1024, MOST_MANIFESTS = 400, MOST_USES = 60, LONGEST = 300;
const NO_WORD = /[^\w$]+/, WORD = /[A-Za-z_$][\w$]*/g;

/** Compares notes with HEAD; those that there was no time for have no answer. */
export async function checkNotes<N extends CheckableNote>(
  repository: CodeRepository,
  notes: readonly N[],
  isEnough: () => boolean,
): Promise<Map<N, NoteBasis & { readonly drift: readonly Drift[] }>> {
  const { head } = repository.refs;
  const tree = notes.length === 0 ? undefined : await repository.treeOf(head);
  if (tree === undefined) return new Map();
  const all = notes.map((note) => ({ note, named: namedIn(note) }));
  const reader = readerOf(repository, all.map(({ named }) => named));
  const now = { ...await reader.codeOf(tree), uses: await reader.usesIn(tree) };
  const looked: { note: N; named: NamedThings; at: string | undefined; grounds: References }[] = [];
  // The commits from HEAD back: what was written lately is known first.
  const commits = Map.groupBy(all, ({ note }) => repository.commitAt(note.at));
  const placeOf = (commit: string | undefined) => repository.placeOf(commit) ?? Infinity;
  for (const [at, its] of [...commits].toSorted(([a], [b]) => placeOf(a) - placeOf(b))) {
    if (isEnough()) break;
    await setImmediate();
    const isNew = its.some(({ note }) => note.known?.at !== at);
    const past = isNew && at !== undefined ? await repository.treeOf(at) : undefined;
    const mayDiffer = past !== undefined && its.some(({ named }) => needsPast(named, now));
    const code = past &&
      { ...await reader.codeOf(past), uses: mayDiffer ? await reader.usesIn(past) : undefined };
    for (const { note, named } of its) {
      const known = note.known?.grounds ?? {}, today = referencesIn(named, now);
      const then = code === undefined ? {} : referencesIn(named, code);
      const grounds: Record<string, Reference | null> = {};
      for (const key of Object.keys({ ...known, ...then, ...today })) {
        const old = known[key], seen = then[key] ?? today[key];
        const isPast = repository.placeOf(old?.seen) !== undefined;
        grounds[key] = isPast || !seen
          ? old ?? null
          : { ...seen, seen: then[key] && at !== undefined ? at : head };
      }
      looked.push({ note, named, at, grounds });
    }
  }
  // What another branch had is not gone from this one.
  const isPast = ([, ground]: readonly [string, Reference | null]) =>
    repository.placeOf(ground?.seen) !== undefined;
  const there = looked.map(({ grounds }) => Object.entries(grounds).filter(isPast));
  const missing = there.flat().flatMap(([key, ground]) =>
    key.startsWith("path ") && ground && !tree.files.has(ground.file) &&
      !tree.folders.has(ground.file)
      ? [ground]
      : []
  );
  const oldest = missing.toSorted((a, b) => placeOf(b.seen) - placeOf(a.seen))[0]?.seen;
  const paths = [...new Set(missing.map(({ file }) => file))];
  const fates = oldest === undefined
    ? new Map()
    : await repository.fates(paths, { since: oldest, tree });
  return new Map(looked.map(({ note, named, at, grounds }, i) => {
    const own = Object.fromEntries(there[i]!);
    const isOurs = !note.isForeign || isAbout(named, own);
    return [note, { at, grounds, drift: isOurs ? judge(named, own, { ...now, fates }) : [] }];
  }));
}

/** The lines of a file with each word that is looked for. */
type LinesByWord = ReadonlyMap<string, readonly string[]>;

/** Reads what notes are compared with, of several commits; a file that does not change is read once. */
function readerOf(repository: CodeRepository, all: readonly NamedThings[]) {
  /** The words that are looked for, with what their uses are kept by. */
  const words = new Map([
    ...all.flatMap(({ keys }) => keys.flatMap(spelled)),
    ...all.flatMap(({ symbols }) => symbols.map((word) => [word, word] as const)),
  ]);
  const lines = new Map<string, LinesByWord>();
  let left = MOST_CODE;

  /** The manifests of a tree, and the files whose settings notes may state. */
  async function codeOf(tree: CommitTree): Promise<Omit<Code, "uses">> {
    const manifests = [...tree.files.keys()].filter((file) => manifestRow(file) !== undefined)
      .sort((a, b) => a.split("/").length - b.split("/").length).slice(0, MOST_MANIFESTS);
    const texts = new Map<string, string>(), settings = new Map();
    await repository.read(tree, manifests, (path, text) => texts.set(path, text));
    const files = [...new Set(all.flatMap((each) => settingsFiles(each, tree)))];
    await repository.read(tree, files, (path, text) => settings.set(path, settingsOf(text)));
    return { tree, texts, manifests: manifestsIn(texts), settings };
  }

  /** Where the words stand in the code of a tree; undefined if it is too large, or cannot be read whole. */
  async function usesIn(tree: CommitTree): Promise<Code["uses"]> {
    const uses = new Map<string, WordUse[]>([...words].map(([, key]) => [key, []]));
    if (uses.size === 0) return uses;
    const files = [...tree.files].filter(([path]) => !NO_CODE.test(path));
    const unread = files.filter(([, { id }]) => !lines.has(id));
    left -= unread.reduce((sum, [, { size }]) => sum + size, 0);
    const paths = unread.map(([path]) => path);
    const take = (path: string, text: string) =>
      lines.set(tree.files.get(path)!.id, linesWith(words, text));
    if (left < 0 || !await repository.read(tree, paths, take)) return undefined;
    for (const [file, { id }] of files) {
      for (const [word, own] of lines.get(id) ?? []) {
        for (const line of own) keep(uses.get(words.get(word)!)!, word, { file, line });
      }
    }
    return uses;
  }

  return { codeOf, usesIn };
}

/** How code may spell the name of a value. */
function spelled(key: string): (readonly [word: string, key: string])[] {
  const words = [key, key.toUpperCase(), key[0]!.toUpperCase() + key.slice(1)];
  return words.map((word) => [word, `= ${key}`]);
}

const GIVES = /["']?[\w\s<>&'.[\]:]{0,40}[:=]/y;

function linesWith(words: ReadonlyMap<string, string>, text: string): LinesByWord {
  const found = new Map<string, string[]>();
  if (!text.split(NO_WORD).some((word) => words.has(word))) return found; // most files have none
  for (const { 0: match, index } of text.matchAll(WORD)) {
    const key = words.get(match);
    if (key === undefined) continue;
    const isValue = key !== match;
    GIVES.lastIndex = index + match.length;
    if (isValue && !GIVES.test(text)) continue;
    const end = text.indexOf("\n", index);
    const line = text.slice(text.lastIndexOf("\n", index) + 1, end < 0 ? undefined : end);
    if (isValue && (line.length > LONGEST || literalIn(line, match) === undefined)) continue;
    const lines = found.get(match) ?? [];
    found.set(match, lines);
    // A copy: a slice keeps all of the text.
    if (lines.at(-1) !== line && lines.length < MOST_USES) lines.push(Buffer.from(line).toString());
  }
  return found;
}

function keep(uses: WordUse[], word: string, { file, line }: Pick<WordUse, "file" | "line">): void {
  const isReadable = line.length <= LONGEST && uses.length < 10 * MOST_USES;
  const isDefinition = isReadable && defines(line, word);
  if (uses.length > 0 && !isDefinition && (!isReadable || uses.length >= MOST_USES)) return;
  // A version in a manifest is a package's.
  const mayGive = isReadable && manifestRow(file) === undefined;
  const literal = mayGive ? literalIn(line, word) : undefined;
  uses.push({ file, line: isReadable ? line.trim() : "", isDefinition, literal });
}
