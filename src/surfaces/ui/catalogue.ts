// Every memory of every project without its text, as the index has it: read once per state of the index, so that no
// answer to the page reads files.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { statsOf } from "../../core/files/there.ts";
import type { MemoryHead } from "../../core/index/corpus.ts";
import { isStale, readUsage, usageOf } from "../../core/ledger/usage.ts";
import { within } from "../../core/link/within.ts";
import { changedAt } from "../../core/memory/age.ts";
import { everyFolder } from "../../core/memory/scopes.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import type { CallContext } from "./calls/call.ts";

/** A memory as the page lists it. */
export interface Entry {
  readonly head: MemoryHead;
  readonly folder: MemoryFolder;
  /** The key of its project; undefined for what applies everywhere. */
  readonly project: string | undefined;
  /** When it was last changed, in milliseconds. */
  readonly changed: number;
  readonly states: readonly State[];
}

/** What a memory can be, besides what it says. */
export const STATES = ["pinned", "unused", "stale", "held"] as const;
export type State = typeof STATES[number];

/** All memories, newest first. */
export interface Catalogue {
  readonly entries: readonly Entry[];
  readonly byPath: ReadonlyMap<string, Entry>;
  /** The projects that have memories; `key` is the page's name for one, since it gets no path. */
  readonly projects: readonly { readonly key: string; readonly name: string }[];
  readonly folders: readonly MemoryFolder[];
  /** The state of the index and of what is known of use. */
  readonly stamp: string;
  /** Whether files that were changed by hand are in it; else it is still being read. */
  readonly isFresh: boolean;
}

/** The last catalogue of each engine. */
const made = new WeakMap<CallContext["engine"], Omit<Catalogue, "isFresh">>();
/** The first answer waits this long for folders that have not been looked at for a while. */
const FRESHENED_MS = 250;
/** Interval of the looks for new folders. */
const FOLDERS_MS = 5000;
const folders = new WeakMap<CallContext["engine"], { at: number; found: MemoryFolder[] }>();

/** The memories that there are now. */
export async function catalogueOf(context: CallContext): Promise<Catalogue> {
  const { engine, paths, now } = context;
  const all = foldersOf(context);
  await within(FRESHENED_MS, engine.freshen(all));
  const isFresh = !engine.isSyncing; // a long sync is not waited for
  return await engine.withIndex(async (index) => {
    const { ino = 0, size = 0, mtimeMs = 0 } = statsOf(paths.usage) ?? {};
    const hour = now().toISOString().slice(0, 13); // what is stale changes with the hours
    const stamp = [index.path, await index.generation(), all.length, ino, size, mtimeMs, hour]
      .join(" ");
    const last = made.get(engine);
    if (last?.stamp === stamp) return { ...last, isFresh };
    const catalogue = { stamp, ...entriesOf(await index.heads(all), all, context) };
    made.set(engine, catalogue);
    return { ...catalogue, isFresh };
  });
}

/** Every memory folder, of all projects. */
export function foldersOf({ engine, place }: CallContext): MemoryFolder[] {
  const known = folders.get(engine);
  if (known !== undefined && performance.now() - known.at < FOLDERS_MS) return known.found;
  const found = everyFolder(place);
  folders.set(engine, { at: performance.now(), found });
  return found;
}

/** Has the folders looked up again: a change may have made one. */
export function refreshFolders({ engine }: CallContext): void {
  folders.delete(engine);
}

function entriesOf(
  heads: readonly MemoryHead[],
  all: readonly MemoryFolder[],
  { paths, now }: CallContext,
): Omit<Catalogue, "stamp" | "isFresh"> {
  const [uses, at] = [readUsage(paths.usage), now()];
  const byFolder = new Map(all.map((folder) => [folder.path, folder]));
  const entries = heads.flatMap((head): Entry[] => {
    const folder = byFolder.get(head.folder);
    if (folder === undefined) return [];
    const usage = usageOf(uses, head.path);
    const states: Readonly<Record<State, boolean>> = {
      pinned: head.pinned,
      unused: usage.used === 0,
      stale: isStale(head, { now: at, usage }),
      held: isSuspectMemory(head),
    };
    return [{
      ...{ head, folder, changed: changedAt(head) },
      project: folder.project === undefined ? undefined : keyOf(folder.project),
      states: STATES.filter((state) => states[state]),
    }];
  }).sort((a, b) => b.changed - a.changed || (a.head.path < b.head.path ? -1 : 1));
  const roots = [...new Set(all.flatMap(({ project }) => project ?? []))];
  return {
    entries,
    byPath: new Map(entries.map((entry) => [entry.head.path, entry])),
    projects: roots.map((root) => ({ key: keyOf(root), name: basename(root) || root })),
    folders: all,
  };
}

function keyOf(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 12);
}
