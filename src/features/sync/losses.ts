// Memories that a sync would take away, here or on the other machines. A few are passed on; many at a time are more
// often an accident, and are a question; but what `memo forget --hard` has erased may go without a copy.

import {
  archivePath,
  type FileTree,
  inPlace,
  isLiveMemory,
  type MergeConflict,
  placeOf,
  TWICE,
} from "./merge_trees.ts";
import { ARCHIVE, LOG, type Synced } from "./portable.ts";
import {
  erasedIn,
  type LogEntry,
  newChangeId,
  parseChanges,
} from "../../core/ledger/change_log.ts";
import type { SyncRepository } from "./repository.ts";
import { archivedName } from "../../core/ledger/archive.ts";
import { memoryIn } from "../../core/memory/file.ts";
import { digestOf } from "../../core/memory/trust.ts";

/** Memories of one folder that would go. */
export interface Loss {
  /** Where they would go: they are missing here, or another machine has deleted them. */
  readonly from: "other machines" | "this machine";
  /** The memory folder on this machine. */
  readonly folder: string;
  /** Their paths in the repository. */
  readonly gone: readonly string[];
  /** How many memories the folder has had. */
  readonly total: number;
}

/** What to do about losses: pass them on, take everything back, or leave all as it is. */
export type LossDecision = "delete" | "keep" | "stop";

/** So many at a time are a question in any case. */
const MANY = 20;
/** Fewer than so many are none. */
const FEW = 3;

/** The losses between two trees that are too large to be passed on unasked. */
export async function lossesOf(
  before: FileTree,
  after: FileTree,
  { folders, from, isErased }: {
    readonly folders: readonly Synced[];
    readonly from: Loss["from"];
    readonly isErased: IsErased;
  },
): Promise<Loss[]> {
  const losses: Loss[] = [];
  const kept = new Set(after.values()); // in the archive, say, or under another name
  for (const { place, folder } of folders) {
    const memories = [...inPlace(before, place)].filter(([relativePath]) =>
      isLiveMemory(relativePath)
    );
    const gone: string[] = [];
    for (const [relativePath, id] of memories) {
      if (!after.has(relativePath) && !kept.has(id) && !await isErased(relativePath, id)) {
        gone.push(relativePath);
      }
    }
    const total = memories.length;
    const isMany = gone.length >= MANY || (gone.length >= FEW && gone.length > total / 3);
    if (isMany) losses.push({ from, folder: folder.path, gone, total });
  }
  return losses;
}

/** Whether the content of a path was erased, by the log of its folder. */
export type IsErased = (relativePath: string, id: string) => Promise<boolean>;

/** What the logs of some trees say. */
export function erasedBy(repository: SyncRepository, trees: readonly FileTree[]): IsErased {
  const erased = eachOnce(async (place) => {
    const relativePath = `${place}/${LOG}`;
    const ids = new Set(trees.flatMap((tree) => tree.get(relativePath) ?? []));
    const small = [...ids].filter((id) => !repository.isTooLarge(relativePath, id));
    const texts = await Promise.all(small.map((id) => repository.readText(id)));
    return new Set(texts.flatMap(erasedIn));
  });
  return async (relativePath, id) => (await erased(placeOf(relativePath).place)).has(id);
}

// Keeps what a merge takes away: a memory that another machine has deleted or edited by hand goes to the archive, and
// into the log of changes, before the merged tree is pushed, so that every machine has the same copy. What is kept twice
// is a question to the person: a line in the log, which travels too, names both versions until one machine settles it.
interface Line extends Omit<LogEntry, "id" | "at"> {
  readonly place: string;
}

/** The merged tree with every memory of ours that it deletes or replaces. */
export async function keepReplaced(
  { ours, merged }: { readonly ours: FileTree; readonly merged: FileTree },
  { repository, isErased, now }: {
    readonly repository: SyncRepository;
    readonly isErased: IsErased;
    readonly now: Date;
  },
): Promise<FileTree> {
  const tree = new Map(merged);
  const contents = new Set(merged.values());
  const lines: Line[] = [];
  const replaced = [...ours].filter(([relativePath, id]) =>
    isLiveMemory(relativePath) && merged.get(relativePath) !== id && !contents.has(id)
  );
  const otherOf = (relativePath: string) => {
    const id = merged.get(relativePath);
    return id === undefined || repository.isTooLarge(relativePath, id) ? "" : id;
  };
  await repository.readAhead(replaced.flatMap(([file, id]) => [id, otherOf(file)]));
  const changesIn = eachOnce(async (place) => await changesOf(merged, place, repository));
  for (const [relativePath, id] of replaced) {
    if (contents.has(id) || await isErased(relativePath, id)) continue;
    const { place, rest } = placeOf(relativePath);
    const changes = await changesIn(place);
    if (isRedacted(changes, rest)) continue;
    const archived = archivePath(relativePath, now, tree);
    tree.set(archived, id);
    contents.add(id);
    const bytes = await repository.read(id);
    const other = otherOf(relativePath);
    const after = other ? digestOf(await repository.read(other)) : undefined;
    const isLogged = changes.some(({ what, file, after: each }) =>
      what !== "conflict" && file === rest && after !== undefined && each === after
    );
    if (isLogged) continue;
    const { name, type } = memoryIn(bytes, archivedName(rest, now));
    const before = { digest: digestOf(bytes), archived: inArchive(archived) };
    const because = `${after === undefined ? "deleted" : "edited"} on another machine`;
    lines.push({ place, what: "sync", name, type, file: rest, before, after, because });
  }
  return await withLines(tree, lines, { repository, now });
}

/** Whether secrets were taken out of a file by its last change: the version before is not kept. */
export function isRedacted(changes: readonly LogEntry[], file: string): boolean {
  // What is noted of a file changes nothing in it.
  const isText = ({ what }: LogEntry) => what !== "conflict" && what !== "settle";
  return changes.findLast((each) => each.file === file && isText(each))?.what === "redact";
}

/** The changes that the log of a place has; none if it is too large to be read. */
export async function changesOf(
  tree: FileTree,
  place: string,
  repository: SyncRepository,
): Promise<LogEntry[]> {
  return parseChanges(await logOf(tree, place, repository) ?? "");
}

async function logOf(tree: FileTree, place: string, repository: SyncRepository) {
  const log = `${place}/${LOG}`;
  const id = tree.get(log);
  if (id === undefined) return "";
  return repository.isTooLarge(log, id) ? undefined : await repository.readText(id);
}

/** What a function says of a key, which it is asked once. */
export function eachOnce<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

/** A tree with more lines in its logs; a log that is too large to be read gets none. */
async function withLines(
  tree: FileTree,
  lines: readonly Line[],
  { repository, now }: { readonly repository: SyncRepository; readonly now: Date },
): Promise<FileTree> {
  const texts = new Map<string, { readonly text: string }>();
  for (const [place, its] of Map.groupBy(lines, ({ place }) => place)) {
    const before = await logOf(tree, place, repository);
    const added = its.map(({ place: _, ...line }) =>
      JSON.stringify({ id: newChangeId(), at: now.toISOString(), ...line }) + "\n"
    );
    if (before !== undefined) texts.set(`${place}/${LOG}`, { text: before + added.join("") });
  }
  return new Map([...tree, ...await repository.stored(texts)]);
}

/** A tree with a line in its logs for each memory that a merge has kept twice: in the archive, or beside another one. */
export async function withConflicts(
  tree: FileTree,
  notes: readonly MergeConflict[],
  about: Parameters<typeof withLines>[2],
): Promise<FileTree> {
  const { repository } = about;
  const lines: Line[] = [];
  for (const { relativePath, kept, because } of notes) {
    const isEdit = because === TWICE.edits;
    if (kept === undefined || !(isEdit || because === TWICE.names)) continue;
    const [current, other] = (isEdit ? [relativePath, kept] : [kept, relativePath])
      .map((path) => tree.get(path));
    if (current === undefined || other === undefined) continue;
    if ([current, other].some((id) => repository.isTooLarge(relativePath, id))) continue;
    const { place, rest } = placeOf(relativePath);
    const file = isEdit ? rest : placeOf(kept).rest;
    const bytes = await repository.read(current);
    const { name, type } = memoryIn(bytes, file);
    const otherVersion = isEdit
      ? { digest: digestOf(await repository.read(other)), archived: inArchive(kept) }
      : undefined;
    lines.push({
      ...{ place, what: "conflict", name, type, file, after: digestOf(bytes) },
      ...otherVersion === undefined
        ? { beside: rest, because: `next to \`${rest}\`` }
        : { before: otherVersion, because: "edited on two machines" },
    });
  }
  return await withLines(tree, lines, about);
}

function inArchive(relativePath: string): string {
  return placeOf(relativePath).rest.slice(`${ARCHIVE}/`.length);
}
