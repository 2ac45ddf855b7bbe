import { archivedName } from "../../core/ledger/archive.ts";
import { basename, dirname, join } from "node:path/posix";
import { changeOf } from "../../core/change/merge.ts";
import { memoryIn } from "../../core/memory/file.ts";
import { freeName } from "../../core/memory/title.ts";
import { ARCHIVE, isAppendOnly, isArchived, isLive, LOG, mergeFile } from "./portable.ts";
import type { IsErased } from "./losses.ts";
import type { SyncRepository } from "./repository.ts";

/** The files of all machines: their ids by path. A path begins with `user/` or `projects/ID/`. */
export type FileTree = ReadonlyMap<string, string>;

/** A file after a merge: one that exists, by its id, or a new text. */
export type MergedContent = { readonly id: string } | { readonly text: string };

/** Why two versions are kept. */
export const TWICE = {
  edits: "edited on both machines",
  names: "two memories with the same name",
} as const;

/** What a merge could not decide by itself. */
export interface MergeConflict {
  readonly relativePath: string;
  readonly because: string;
  /** Where the other version is. */
  readonly kept?: string;
}

export interface MergeOptions {
  /** Has the contents, and says which are too large to be read. */
  readonly repository: Pick<SyncRepository, "readText" | "readAhead" | "isTooLarge">;
  readonly isErased: IsErased;
  readonly now: Date;
}

/** Merges two trees with a common ancestor, file by file. */
export async function mergeTrees(
  { base, ours, theirs }: {
    readonly base: FileTree;
    readonly ours: FileTree;
    readonly theirs: FileTree;
  },
  options: MergeOptions,
): Promise<
  { readonly tree: ReadonlyMap<string, MergedContent>; readonly notes: readonly MergeConflict[] }
> {
  const { repository, now, isErased } = options;
  const isTooLarge = repository.isTooLarge.bind(repository);
  const tree = new Map<string, MergedContent>();
  const notes: MergeConflict[] = [];
  const revived: { relativePath: string; deletedBy: FileTree }[] = [];
  const extra: { relativePath: string; id: string; like: "archive" | "sibling" }[] = [];
  for (const relativePath of new Set([...ours.keys(), ...theirs.keys()])) {
    const a = ours.get(relativePath);
    const b = theirs.get(relativePath);
    const was = base.get(relativePath);
    const { rest } = placeOf(relativePath);
    const simple = a === b || was === b ? a : was === a ? b : null;
    const isLog = rest === LOG && a !== b;
    if (simple !== null && !isLog) {
      const deleted = simple === undefined ? was! : undefined;
      const isKept = deleted !== undefined && isAppendOnly(rest) &&
        !await isErased(relativePath, deleted);
      const id = isKept ? deleted : simple;
      if (id !== undefined) tree.set(relativePath, { id });
      continue;
    }
    if (a === undefined || b === undefined) {
      tree.set(relativePath, { id: (a ?? b)! });
      if (!isLog) revived.push({ relativePath, deletedBy: a === undefined ? ours : theirs });
      continue;
    }
    if ([a, b, was ?? a].some((id) => isTooLarge(relativePath, id))) {
      const [small, large] = isTooLarge(relativePath, a) ? [b, a] : [a, b];
      tree.set(relativePath, { id: small });
      if (!isLog) extra.push({ relativePath, id: large, like: "sibling" });
      continue;
    }
    const [base_, mine, other] = await Promise.all([
      was === undefined ? was : repository.readText(was),
      repository.readText(a),
      repository.readText(b),
    ]);
    const merged = mergeFile(rest, { base: base_, ours: mine, theirs: other });
    const idOf = (version: string) => version === mine ? a : b;
    if (merged.text === mine || merged.text === other) {
      tree.set(relativePath, { id: idOf(merged.text) });
    } else tree.set(relativePath, { text: merged.text });
    if (merged.kept !== undefined) {
      extra.push({ relativePath, id: idOf(merged.kept), like: "archive" });
    }
    if (merged.sibling !== undefined) extra.push({ relativePath, id: b, like: "sibling" });
  }
  for (const { relativePath, id, like } of extra) {
    const kept = like === "archive"
      ? archivePath(relativePath, now, tree)
      : freeName(relativePath, (path) => tree.has(path));
    tree.set(kept, { id });
    if (!isArchived(placeOf(relativePath).rest)) {
      const because = like === "archive" ? TWICE.edits : TWICE.names;
      notes.push({ relativePath, because, kept });
    }
  }
  const newer = new Map<FileTree, ReturnType<typeof replacedIn>>();
  for (const { relativePath, deletedBy } of revived) {
    const content = tree.get(relativePath) as { readonly id: string };
    const found = newer.get(deletedBy) ?? replacedIn(deletedBy, base, options);
    newer.set(deletedBy, found);
    const replaced = (await found).get(replacedName(relativePath)) ?? -1;
    if (replaced >= changeOf(await repository.readText(content.id))) {
      const kept = archivePath(relativePath, now, tree);
      tree.delete(relativePath);
      tree.set(kept, content);
      notes.push({ relativePath, because: "replaced by a newer memory, edited elsewhere", kept });
    } else if (!isArchived(placeOf(relativePath).rest)) {
      notes.push({ relativePath, because: "deleted on one machine, edited on another: kept" });
    }
  }
  for (const [relativePath, content] of tree) {
    const isGone = "id" in content && isArchived(placeOf(relativePath).rest) &&
      await isErased(relativePath, content.id);
    if (isGone) tree.delete(relativePath);
  }
  return { tree, notes };
}

/** The files of a tree in one place. */
export function inPlace(tree: FileTree, place: string): Map<string, string> {
  return new Map([...tree].filter(([relativePath]) => placeOf(relativePath).place === place));
}

/** Whether a path is one of a memory in use. */
export function isLiveMemory(relativePath: string): boolean {
  return isLive(placeOf(relativePath).rest);
}

/** The place of a path, `user` or `projects/ID`, and the rest. */
export function placeOf(relativePath: string): { readonly place: string; readonly rest: string } {
  const [, place = "", rest = ""] = /^(user|projects\/[^/]+)\/(.+)$/s.exec(relativePath) ?? [];
  return { place, rest };
}

/** What the memories that are new on a side replace, and when the last one that does was changed. */
async function replacedIn(
  side: FileTree,
  base: FileTree,
  { repository }: MergeOptions,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const fresh = [...side].filter(([relativePath, id]) =>
    !base.has(relativePath) && isLiveMemory(relativePath) &&
    !repository.isTooLarge(relativePath, id)
  );
  await repository.readAhead(fresh.map(([, id]) => id));
  for (const [relativePath, id] of fresh) {
    const text = await repository.readText(id);
    for (const file of memoryIn(text, "").supersedes) {
      const name = replacedName(`${placeOf(relativePath).place}/${file}`);
      found.set(name, Math.max(found.get(name) ?? 0, changeOf(text)));
    }
  }
  return found;
}

/** How a memory that another one replaces is named in its place. */
function replacedName(relativePath: string): string {
  return `${placeOf(relativePath).place}/${basename(relativePath)}`;
}

/** A free path in the archive for a version of a memory. */
export function archivePath(
  relativePath: string,
  now: Date,
  tree: ReadonlyMap<string, unknown>,
): string {
  const { place, rest } = placeOf(relativePath);
  const path = join(place, ARCHIVE, dirname(rest), archivedName(rest, now));
  return freeName(path, (path) => tree.has(path));
}
