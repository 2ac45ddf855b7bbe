// What a merge has kept twice is a question to the person: a line in the log of changes, which travels with the folder,
// names both versions until one machine has settled it.

import { type LogEntry, newChangeId } from "../../core/ledger/change_log.ts";
import { memoryIn } from "../../core/memory/file.ts";
import { digestOf } from "../../core/memory/trust.ts";
import { logOf } from "./keep.ts";
import { type Note, placeOf, type Tree, TWICE } from "./merge_trees.ts";
import { ARCHIVE, LOG } from "./portable.ts";
import type { Repository } from "./repository.ts";

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
