import { revertChange, type Reverted } from "../../core/change/revert.ts";
import { basename } from "node:path";
import { type ChangeKind, CHANGES, isOf, type Logged } from "../../core/ledger/change_log.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import type { Paths } from "../../paths.ts";
import { folded } from "../../core/text/folded.ts";
import { type Doing, memoriesIn, stayed } from "./changed.ts";

/** Changes that nobody is told of; the last change that a person means is another one, and these are named beside it. */
const QUIET: readonly ChangeKind[] = ["confirm", "enrich", "undo", "sync", "conflict"];

/** What was taken back, in a sentence; undefined: nothing. */
export type Undone = Reverted & { readonly said: string | undefined };

/** Takes back the change, the group or the run with an id. */
export async function undo(
  id: string,
  folders: readonly MemoryFolder[],
  { paths, ...doing }: Doing & { readonly paths: Paths },
): Promise<Undone> {
  const { triggers: suggestions } = paths;
  const undone = await revertChange(id, folders, { ...doing, suggestions });
  const { reverted, left } = undone;
  const [first] = reverted;
  const added = reverted.filter(({ before }) => before === undefined).length;
  const said = first &&
    `Undid: ${CHANGES[first.what]} ${memoriesIn(reverted, added)}${stayed(left.length)}`;
  return { ...undone, said };
}

/**
 * What a person means by undo: of changes, newest first, the id of the last, of its group, or, unless one memory is
 * named, of the run that it is a part of; and the newer ones that stay.
 */
export function lastChange(
  changes: readonly Logged[],
  { isNamed }: { readonly isNamed: boolean },
): { readonly id: string; readonly passed: readonly Logged[] } | undefined {
  const standing = changes.filter(({ undone }) => !undone);
  const at = standing.findIndex(({ what }) => !QUIET.includes(what));
  const last = standing[at];
  if (last === undefined) return undefined;
  // A dream is one change; the last change of one memory is a part of it.
  const whole = isNamed ? last.group : last.group?.split("/")[0];
  return { id: whole ?? last.id, passed: standing.slice(0, at) };
}

/** The changes of the memory that a name or a file means literally, under its other names too. */
export function changesNamed(name: string, all: readonly Logged[]): Logged[] {
  const wanted = folded(name), at = ({ folder, file }: Logged) => `${folder.path}/${file}`;
  const files = new Set(
    all.filter(({ name, file }) => [folded(name), file, basename(file, ".md")].includes(wanted))
      .map(at),
  );
  return all.filter((change) => files.has(at(change)));
}

/** Some changes with what they replaced, and what replaced it: parts of the same change. */
export function withGroups(own: readonly Logged[], all: readonly Logged[]): Logged[] {
  const groups = new Set(own.flatMap(({ group }) => group ?? []));
  return all.filter((change) => own.includes(change) || groups.has(change.group ?? ""));
}

/** Whether a word is the id of a change, of a group or of a run that stands. */
export function isChangeId(word: string, all: readonly Logged[]): boolean {
  return word !== "" && all.some((change) => isOf(change, word) && !change.undone);
}
