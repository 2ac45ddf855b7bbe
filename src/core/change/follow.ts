// What follows every change of memories, whoever makes it: `MEMORY.md`, the index, and a notice for the person.

import { messageOf } from "../../errors.ts";
import { type IndexLines, writeIndexFile } from "../memory/index_file.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { isSuspectMemory } from "../memory/provenance.ts";
import type { Done } from "./apply.ts";
import { leaveNotices, type Notice } from "./notices.ts";

/** Where changes are made. */
export interface Surroundings {
  readonly now: Date;
  /**
   * Brings what is derived from some folders in step: index and `MEMORY.md`, with the engine's own index or a running
   * daemon's. Returns the folders whose `MEMORY.md` is still to be written, from their files.
   */
  sync(changed: readonly ChangedFolder[]): Promise<readonly MemoryFolder[]>;
  /** Takes a failure that does not undo a change. */
  warn(message: string): void;
  /** Whether a model runs the command that makes them, and so may not make every one. */
  readonly isByModel?: boolean;
  /** What becomes of changes that no person at a terminal has made; undefined: one has. */
  readonly notices?: Noticing | undefined;
}

/** How the person learns of changes. */
export interface Noticing {
  /** The file of notices. */
  readonly path: string;
  /** The session that made the changes. */
  readonly session?: string | undefined;
  /** Whether a rule that was saved could be a guard. */
  readonly isOffered?: ((rule: Memory) => boolean) | undefined;
}

/** A folder in which files have changed. */
export interface ChangedFolder {
  readonly folder: MemoryFolder;
  /** Which ones; undefined: any. */
  readonly paths?: readonly string[] | undefined;
}

/** Follows up changes; a failure is reported and does not undo them. */
export async function follow(done: readonly Done[], surroundings: Surroundings): Promise<void> {
  const byFolder = Map.groupBy(done, ({ change }) => change.folder.path);
  await followFolders(
    [...byFolder.values()].map((some) => ({
      folder: some[0]!.change.folder,
      paths: some.map(({ path }) => path),
    })),
    surroundings,
  );
  const { notices, now } = surroundings;
  if (notices === undefined) return;
  leaveNotices(
    notices.path,
    done.flatMap((each) => noticeOf(each, { done, at: now.toISOString(), ...notices })),
  );
}

/** Follows up changes that others have made in some folders. */
export async function followFolders(
  changed: readonly ChangedFolder[],
  { sync, warn }: Pick<Surroundings, "sync" | "warn">,
): Promise<void> {
  if (changed.length === 0) return;
  for (const folder of await sync(changed)) listFolder(folder, { warn });
}

/** Writes `MEMORY.md` of a folder, from its files unless the lines are known; a failure is reported. */
export function listFolder(
  folder: MemoryFolder,
  { lines, warn }: Pick<Surroundings, "warn"> & { readonly lines?: IndexLines | undefined },
): void {
  try {
    writeIndexFile(folder, lines);
  } catch (error) {
    warn(messageOf(error)); // the next change writes it again
  }
}

/** The kinds of changes that the person is told of, and the word for each. */
const NOTICED: Readonly<Partial<Record<Done["change"]["what"], Notice["what"]>>> = {
  add: "saved",
  supersede: "saved",
  edit: "updated",
  forget: "forgot",
};

function noticeOf(
  { change, path, memory, was }: Done,
  { done, at, session, isOffered }: Noticing & {
    readonly done: readonly Done[];
    readonly at: string;
  },
): Notice[] {
  const { kind, what, group, folder } = change;
  const word = NOTICED[what];
  if (word === undefined || (kind === "archive" && word !== "forgot")) return [];
  const archived = done.find(({ change }) =>
    change.kind === "archive" && group !== undefined && change.group === group
  );
  const replaced = archived?.memory.name ?? was;
  const isHeld = isSuspectMemory(memory);
  const notice: Notice = {
    at,
    what: isHeld ? "held" : word,
    name: memory.name,
    path,
    folder: folder.path,
    session: session ?? memory.source?.session,
    ...replaced !== undefined && replaced !== memory.name && { replaced },
    ...kind === "add" && change.against !== undefined && { against: change.against },
  };
  return word === "saved" && !isHeld && isOffered?.(memory) ? [notice, offerOf(notice)] : [notice];
}

/** A notice that a rule could be a guard. */
function offerOf({ at, name, path, folder, session }: Omit<Notice, "what">): Notice {
  return { at, what: "offered", name, path, folder, session };
}
