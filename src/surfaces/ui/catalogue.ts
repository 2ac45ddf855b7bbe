// Every memory of every project without its text, as the index has it: read once per state of the index, so that no
// answer to the page reads files.

import { basename } from "node:path";
import { statsOf } from "../../core/files/there.ts";
import type { MemoryHead } from "../../core/index/corpus.ts";
import { isStale, readUsage, usageOf } from "../../core/ledger/usage.ts";
import { within } from "../../core/link/within.ts";
import { changedAt } from "../../core/memory/age.ts";
import { everyFolder } from "../../core/memory/scopes.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { type CallContext, shortDigest } from "./calls/call.ts";

/** A memory as the page lists it. */
export interface CatalogueEntry {
  readonly head: MemoryHead;
  readonly folder: MemoryFolder;
  /** The key of its project; undefined for what applies everywhere. */
  readonly project: string | undefined;
  /** When it was last changed, in milliseconds. */
  readonly changed: number;
  readonly states: readonly MemoryState[];
}

/** What a memory can be, besides what it says. */
export const STATES = ["pinned", "unused", "stale", "held"] as const;
export type MemoryState = typeof STATES[number];

export type Catalogue = Awaited<ReturnType<typeof catalogueOf>>;

/** The first answer waits this long for folders that have not been looked at for a while. */
const FRESHENED_MS = 250;
/** Interval of the looks for new folders. */
const FOLDERS_MS = 5000;

/** The memories that there are now, newest first. */
export async function catalogueOf(context: CallContext) {
  const { engine, listed, paths, now } = context;
  const all = await foldersOf(context);
  await within(FRESHENED_MS, engine.freshen(all));
  const isFresh = !engine.isSyncing; // a long sync is not waited for
  return await engine.withIndex(async (index) => {
    const { ino = 0, size = 0, mtimeMs = 0 } = statsOf(paths.usage) ?? {};
    const hour = now().toISOString().slice(0, 13); // what is stale changes with the hours
    const stamp = [index.path, await index.generation(), all.length, ino, size, mtimeMs, hour]
      .join(" ");
    const made = await listed.made(
      "catalogue",
      stamp,
      async () => entriesOf(await index.heads(all), all, context),
    );
    /** It is fresh if files that were changed by hand are in it; else it is still being read. */
    return { ...made, stamp, isFresh };
  });
}

/** Every memory folder, of all projects. */
export function foldersOf({ listed, place }: CallContext): Promise<MemoryFolder[]> {
  const at = Math.floor(performance.now() / FOLDERS_MS);
  return listed.made("folders", at, () => everyFolder(place));
}

function entriesOf(
  heads: readonly MemoryHead[],
  all: readonly MemoryFolder[],
  { paths, now }: CallContext,
) {
  const [uses, at] = [readUsage(paths.usage), now()];
  const byFolder = new Map(all.map((folder) => [folder.path, folder]));
  const entries = heads.flatMap((head): CatalogueEntry[] => {
    const folder = byFolder.get(head.folder);
    if (folder === undefined) return [];
    const usage = usageOf(uses, head.path);
    const states: Readonly<Record<MemoryState, boolean>> = {
      pinned: head.pinned,
      unused: usage.used === 0,
      stale: isStale(head, { now: at, usage }),
      held: isSuspectMemory(head),
    };
    return [{
      ...{ head, folder, changed: changedAt(head) },
      project: folder.project === undefined ? undefined : shortDigest(folder.project),
      states: STATES.filter((state) => states[state]),
    }];
  }).sort((a, b) => b.changed - a.changed || (a.head.path < b.head.path ? -1 : 1));
  // The page gets no path, and so a key for each project.
  const roots = [...new Set(all.flatMap(({ project }) => project ?? []))];
  return {
    entries,
    byPath: new Map(entries.map((entry) => [entry.head.path, entry])),
    projects: roots.map((root) => ({ key: shortDigest(root), name: basename(root) || root })),
    folders: all,
  };
}
