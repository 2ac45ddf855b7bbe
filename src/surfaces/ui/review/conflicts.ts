// Memories that a sync has kept twice: two machines edited one, or wrote two of one file name, before they synced. The
// log of changes names both until a person has settled which of them stays.

import { join } from "node:path";
import { markDistinct } from "../../../core/relation/distinct.ts";
import { bytesOf, versionBytes } from "../../../core/ledger/archive.ts";
import { type FileChange, revision } from "../../../core/change/change.ts";
import { type Logged, logged, newChangeId } from "../../../core/ledger/change_log.ts";
import { memoryIn } from "../../../core/memory/file.ts";
import { LONGEST_FILE } from "../../../core/memory/limits.ts";
import type { Memory, MemoryFolder } from "../../../core/memory/memory.ts";
import { keyOf } from "../../../core/memory/suggested.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { counted } from "../../../core/text/counted.ts";
import { changeAs } from "../../../features/verbs/changed.ts";
import { MemoError } from "../../../errors.ts";
import type { CallContext } from "../calls/call.ts";
import { linesOfBoth } from "../diff.ts";
import { doingFor, type Reply } from "../memories/changing.ts";

/** A version of a memory that is kept twice. */
interface Side {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly memory: Memory;
}

/** Two versions of a memory, both as they are now. */
export interface Conflict {
  readonly id: string;
  readonly folder: MemoryFolder;
  /** When it was found, in ISO 8601. */
  readonly at: string;
  /** Its path in the folder, as in the log. */
  readonly file: string;
  /** The version that applies. */
  readonly current: Side & { readonly path: string };
  /** The other one; without a path it is in the archive. */
  readonly other: Side & { readonly path?: string };
}

/** What a person decides about a conflict. */
export const DECISIONS = ["this", "other", "both", "merge"] as const;
export type Decision = typeof DECISIONS[number];

/** The conflicts that nobody has settled; `isMemory` says which paths are memories: a log comes from elsewhere, too. */
export function conflictsIn(
  changes: readonly Logged[],
  isMemory: (path: string) => boolean,
): Conflict[] {
  return changes.flatMap((change): Conflict[] => {
    const { what, undone, folder, file, beside, before } = change;
    if (what !== "conflict" || undone) return [];
    const at = join(folder.path, beside ?? file);
    const current = isMemory(at) ? sideOf(bytesOf(at, folder.path), at) : undefined;
    const other = otherOf(change, isMemory);
    // One of them is gone, or they say the same by now: nothing is left to be decided.
    if (current === undefined || other === undefined || current.digest === other.digest) return [];
    if (before !== undefined && keyOf(current.memory) === keyOf(other.memory)) return [];
    return [{
      ...{ id: change.id, folder, at: change.at, file: beside ?? file, other },
      current: { ...current, path: at },
    }];
  });
}

function otherOf(
  { folder, file, before, beside }: Logged,
  isMemory: (path: string) => boolean,
): Conflict["other"] | undefined {
  const path = join(folder.path, file);
  if (beside === undefined) {
    return before && sideOf(versionBytes(before, { path, folder }), path);
  }
  const side = isMemory(path) ? sideOf(bytesOf(path, folder.path), path) : undefined;
  return side && { ...side, path };
}

function sideOf(bytes: Uint8Array | undefined, path: string): Side | undefined {
  if (bytes === undefined || bytes.length > LONGEST_FILE) return undefined;
  const text = new TextDecoder().decode(bytes);
  return { text, bytes, digest: digestOf(bytes), memory: memoryIn(text, path) };
}

/** Settles conflicts as one change; of several about one memory the first one, because it then is another text. */
export async function settle(
  conflicts: readonly Conflict[],
  decision: Decision,
  context: CallContext,
): Promise<Reply> {
  const all = [...new Map(conflicts.toReversed().map((each) => [each.current.path, each])).values()]
    .reverse();
  for (const each of all) refuseChanged(each);
  const now = context.now();
  const verb = { this: "Kept", other: "Kept", both: "Kept both of", merge: "Merged" }[decision];
  const changesOf = (group: string) =>
    all.flatMap((each) => changesFor(each, decision, { group, now }));
  const isChange = changesOf("").length > 0;
  const { group = newChangeId(), done } = isChange
    ? await changeAs(verb, changesOf, doingFor(context))
    : { done: [] };
  for (const { folder, current, other, id, file } of all) {
    const at = now.toISOString(), { name, type } = current.memory;
    if (decision === "both") {
      const added = other.path ??
        done.find(({ change }) =>
          change.folder === folder && change.kind === "add" && change.text === other.bytes
        )?.path;
      const placed = [current, { ...other, path: added ?? join(folder.path, file) }]
        .map(({ memory, path }) => ({ memory: { ...memory, path }, folder }));
      markDistinct(placed, { group, now });
    }
    const isLogged = done.some(({ change }) => change.undoes?.includes(id));
    if (isLogged) continue;
    const key = keyOf(current.memory);
    logged(folder, { at, what: "settle", name, type, file, group, key, undoes: [id] }, () => {});
  }
  const what = all.length === 1
    ? `“${all[0]!.current.memory.name}”`
    : counted(all.length, "memory", "memories");
  return { said: `${verb} ${what}`, group };
}

/** The changes of files that a decision takes; the first one of them settles the conflict. */
function changesFor(
  { folder, current, other, file, id }: Conflict,
  decision: Decision,
  { group, now }: { readonly group: string; readonly now: Date },
): FileChange[] {
  const settles = { folder, group, undoes: [id] } as const;
  const archive = ({ path, digest }: { path: string; digest: string }, what: "forget" | "merge") =>
    ({ kind: "archive", what, folder, group, path, before: digest }) as const;
  const there = other.path === undefined ? undefined : { path: other.path, digest: other.digest };
  switch (decision) {
    case "this":
      return there === undefined ? [] : [{ ...archive(there, "forget"), ...settles }];
    case "other":
      return there === undefined
        ? [{
          ...{ kind: "replace", what: "restore", path: current.path, before: current.digest },
          ...{ text: other.bytes, ...settles },
        }]
        : [{ ...archive(current, "forget"), ...settles }];
    case "both":
      return there === undefined
        ? [{ kind: "add", what: "restore", file, text: other.bytes, ...settles }]
        : [];
    case "merge": {
      const body = linesOfBoth(current.memory.body, other.memory.body);
      const target = { memory: { path: current.path }, folder };
      const merged = revision(target, { body, updated: now.toISOString() }, {
        ...{ what: "merge", because: "edited on two machines", group, undoes: [id] },
      });
      if (Buffer.byteLength(merged.text) > LONGEST_FILE) {
        throw new MemoError("usage", `Cannot merge “${current.memory.name}”: both are too much`, {
          hint: "Keep both of them",
        });
      }
      return [merged, ...there === undefined ? [] : [archive(there, "merge")]];
    }
  }
}

/** Throws unless the files are as they were shown. */
function refuseChanged({ current, other, folder }: Conflict): void {
  for (const { path, digest } of [current, other]) {
    if (path === undefined) continue;
    const bytes = bytesOf(path, folder.path);
    if (bytes !== undefined && digestOf(bytes) === digest) continue;
    throw new MemoError("file", "Cannot do that: a memory has changed since it was read", {
      hint: "Look at it again",
    });
  }
}
