// Keeps what a merge takes away: a memory that another machine has deleted or edited by hand goes to the archive, and
// into the log of changes, before the merged tree is pushed, so that every machine has the same copy. What is kept twice
// is a question to the person: a line in the log, which travels too, names both versions until one machine settles it.

import { archivedName } from "../../core/ledger/archive.ts";
import { type LogEntry, newChangeId, parseChanges } from "../../core/ledger/change_log.ts";
import { memoryIn, parseMemory } from "../../core/memory/file.ts";
import { digestOf } from "../../core/memory/trust.ts";
import type { Erased } from "./losses.ts";
import { archivePath, isLiveMemory, type Note, placeOf, type Tree, TWICE } from "./merge_trees.ts";
import { ARCHIVE, LOG } from "./portable.ts";
import type { Repository } from "./repository.ts";

export interface KeepOptions {
  readonly repository: Repository;
  readonly isErased: Erased;
  readonly now: Date;
}

/** The merged tree with every memory of ours that it deletes or replaces. */
export async function keepReplaced(
  { ours, merged }: { readonly ours: Tree; readonly merged: Tree },
  { repository, isErased, now }: KeepOptions,
): Promise<Tree> {
  const tree = new Map(merged);
  const contents = new Set(merged.values());
  const logs = new Map<
    string,
    { readonly before: string | undefined; readonly changes: LogEntry[] }
  >();
  const lines = new Map<string, string>();
  const replaced = [...ours].filter(([relativePath, id]) =>
    isLiveMemory(relativePath) && merged.get(relativePath) !== id && !contents.has(id)
  );
  const otherOf = (relativePath: string) => {
    const id = merged.get(relativePath);
    return id === undefined || repository.isTooLarge(relativePath, id) ? "" : id;
  };
  await repository.readAhead(replaced.flatMap(([file, id]) => [id, otherOf(file)]));
  for (const [relativePath, id] of replaced) {
    if (contents.has(id) || await isErased(relativePath, id)) continue;
    const { place, rest } = placeOf(relativePath);
    const log = `${place}/${LOG}`;
    if (!logs.has(log)) {
      const before = await logOf(merged, log, repository);
      logs.set(log, { before, changes: parseChanges(before ?? "") });
    }
    const { before, changes } = logs.get(log)!;
    if (isRedacted(changes, rest)) continue;
    const archived = archivePath(relativePath, now, tree);
    tree.set(archived, id);
    contents.add(id);
    if (before === undefined) continue; // it is too large to be read
    const text = await repository.readText(id);
    const other = otherOf(relativePath);
    const after = other ? digestOf(await repository.read(other)) : undefined;
    const isLogged = changes.some(({ what, file, after: each }) =>
      what !== "conflict" && file === rest && after !== undefined && each === after
    );
    if (isLogged) continue;
    const { name, type } = parseMemory(text, { fallbackName: archivedName(rest, now) }).memory;
    const change: LogEntry = {
      id: newChangeId(),
      at: now.toISOString(),
      what: "sync",
      name,
      type,
      file: rest,
      before: { digest: digestOf(text), archived: archived.slice(`${place}/${ARCHIVE}/`.length) },
      after,
      because: `${after === undefined ? "deleted" : "edited"} on another machine`,
    };
    lines.set(log, (lines.get(log) ?? before) + JSON.stringify(change) + "\n");
  }
  const texts = new Map([...lines].map(([relativePath, text]) => [relativePath, { text }]));
  return new Map([...tree, ...await repository.stored(texts)]);
}

/** Whether secrets were taken out of a file by its last change: the version before is not kept. */
export function isRedacted(changes: readonly LogEntry[], file: string): boolean {
  // What is noted of a file changes nothing in it.
  const isText = ({ what }: LogEntry) => what !== "conflict" && what !== "settle";
  return changes.findLast((each) => each.file === file && isText(each))?.what === "redact";
}

/** The text of a log; undefined if it is too large to be read. */
export async function logOf(
  tree: Tree,
  relativePath: string,
  repository: Repository,
): Promise<string | undefined> {
  const id = tree.get(relativePath);
  if (id === undefined) return "";
  return repository.isTooLarge(relativePath, id) ? undefined : await repository.readText(id);
}

/** A tree with a line in its logs for each memory that a merge has kept twice. */
export async function withConflicts(
  tree: Tree,
  notes: readonly Note[],
  { repository, now }: { readonly repository: Repository; readonly now: Date },
): Promise<Tree> {
  const lines = new Map<string, string>();
  for (const { relativePath, kept, because } of notes) {
    const isEdit = because === TWICE.edits;
    if (kept === undefined || !(isEdit || because === TWICE.names)) continue;
    const { place, rest } = placeOf(relativePath);
    const log = `${place}/${LOG}`;
    const before = lines.get(log) ?? await logOf(tree, log, repository);
    const current = tree.get(relativePath);
    const other = tree.get(kept);
    if (before === undefined || current === undefined || other === undefined) continue;
    if ([current, other].some((id) => repository.isTooLarge(relativePath, id))) continue;
    const currentBytes = await repository.read(current);
    const otherBytes = await repository.read(other);
    const keptAt = placeOf(kept).rest;
    const entry = conflict(
      isEdit
        ? { file: rest, current: currentBytes, other: otherBytes, archived: keptAt }
        : { file: keptAt, current: otherBytes, beside: rest },
      now,
    );
    lines.set(log, before + JSON.stringify({ id: newChangeId(), ...entry }) + "\n");
  }
  const texts = new Map([...lines].map(([relativePath, text]) => [relativePath, { text }]));
  return new Map([...tree, ...await repository.stored(texts)]);
}

/** The line of the log for a memory that is kept twice: with its other version in the archive, or beside another one. */
export function conflict(
  { file, current, other, archived, beside }: {
    readonly file: string;
    readonly current: Uint8Array;
    readonly other?: Uint8Array;
    /** Where the other version is, from the folder. */
    readonly archived?: string;
    readonly beside?: string;
  },
  now: Date,
): Omit<LogEntry, "id"> {
  const { name, type } = memoryIn(current, file);
  return {
    at: now.toISOString(),
    what: "conflict",
    name,
    type,
    file,
    beside,
    before: other === undefined || archived === undefined
      ? undefined
      : { digest: digestOf(other), archived: archived.slice(`${ARCHIVE}/`.length) },
    after: digestOf(current),
    because: beside === undefined ? "edited on two machines" : `beside \`${beside}\``,
  };
}
