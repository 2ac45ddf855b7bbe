// Every memory of every project without its text, as the index has it: read once per generation of the index, so that
// no answer to the page reads files.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { MemoryHead } from "../../../core/index/corpus.ts";
import { statsOf } from "../../../core/files/stats.ts";
import { changedAt } from "../../../core/memory/age.ts";
import { everyFolder } from "../../../core/memory/every_folder.ts";
import { mayChange, type MemoryFolder } from "../../../core/memory/memory.ts";
import { isSuspectMemory } from "../../../core/memory/provenance.ts";
import { isStale } from "../../../core/ledger/usage_score.ts";
import { readUsage, type Usage, usageOf } from "../../../core/ledger/usage.ts";
import { within } from "../../../core/link/within.ts";
import { folded } from "../../../core/text/folded.ts";
import type { CallContext } from "../calls/call.ts";

/** A memory as the page lists it. */
export interface Entry {
  readonly head: MemoryHead;
  /** Its name, as a search compares it. */
  readonly folded: string;
  readonly folder: MemoryFolder;
  /** The key of its project; undefined for what applies everywhere. */
  readonly project: string | undefined;
  /** When it was last changed, in milliseconds. */
  readonly changed: number;
  readonly usage: Usage;
  readonly origin: Origin;
  /** What is to be looked after. */
  readonly states: readonly State[];
}

/** Where memories come from. */
export const ORIGINS = ["conversation", "import", "hand"] as const;
export type Origin = typeof ORIGINS[number];

/** What a memory can be, besides what it says. */
export const STATES = ["pinned", "unused", "stale", "held"] as const;
export type State = typeof STATES[number];

/** A project that has memories. */
export interface ListedProject {
  /** By which the page names it: its path is never used. */
  readonly key: string;
  readonly name: string;
  readonly root: string;
}

/** All memories, newest first. */
export interface Catalogue {
  readonly entries: readonly Entry[];
  readonly byPath: ReadonlyMap<string, Entry>;
  /** Those that wait for the person's word. */
  readonly held: readonly Entry[];
  readonly projects: readonly ListedProject[];
  readonly folders: readonly MemoryFolder[];
  /** Whether files that were changed by hand are in it; else it is still being read. */
  readonly isFresh: boolean;
}

/** What the index and the folders say of all memories: their use changes with each prompt, the rest seldom. */
interface Known extends Pick<Catalogue, "projects" | "folders"> {
  readonly entries: readonly Omit<Entry, "usage" | "states">[];
}

/** The catalogue of each engine, and the states of what it was made from. */
const made = new WeakMap<CallContext["engine"], {
  readonly stamp: string;
  readonly known: Known;
  readonly usageStamp: string;
  readonly catalogue: Omit<Catalogue, "isFresh">;
}>();
/** The first answer waits this long for folders that have not been looked at for a while. */
const FRESHENED_MS = 250;
/** Which folders there are is looked up at most this often. */
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
    const usageStamp = [ino, size, mtimeMs, hour].join(" ");
    const stamp = [index.path, await index.generation(), all.length].join(" ");
    const before = made.get(engine);
    if (before?.stamp === stamp && before.usageStamp === usageStamp) {
      return { ...before.catalogue, isFresh };
    }
    const known = before?.stamp === stamp ? before.known : knownOf(await index.heads(all), all);
    const catalogue = withUse(known, context);
    made.set(engine, { stamp, known, usageStamp, catalogue });
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
export function lookAgain({ engine }: CallContext): void {
  folders.delete(engine);
}

function knownOf(heads: readonly MemoryHead[], all: readonly MemoryFolder[]): Known {
  const byFolder = new Map(all.map((folder) => [folder.path, folder]));
  const projects = new Map<string, ListedProject>();
  for (const { project: root } of all) {
    if (root === undefined || projects.has(root)) continue;
    const key = createHash("sha256").update(root).digest("hex").slice(0, 12);
    projects.set(root, { key, name: basename(root) || root, root });
  }
  const entries = heads.flatMap((head): Known["entries"] => {
    const folder = byFolder.get(head.folder);
    if (folder === undefined) return [];
    return [{
      ...{ head, folded: folded(head.name), folder },
      project: folder.project === undefined ? undefined : projects.get(folder.project)!.key,
      changed: changedAt(head),
      origin: head.importedFrom ? "import" : head.session !== undefined ? "conversation" : "hand",
    }];
  });
  entries.sort((a, b) => b.changed - a.changed || (a.head.path < b.head.path ? -1 : 1));
  return {
    entries,
    projects: [...projects.values()].sort((a, b) => a.name < b.name ? -1 : 1),
    folders: all,
  };
}

function withUse(
  { entries: known, ...rest }: Known,
  { paths, now }: CallContext,
): Omit<Catalogue, "isFresh"> {
  const [uses, at] = [readUsage(paths.usage), now()];
  const entries = known.map((entry): Entry => {
    const { head } = entry;
    const usage = usageOf(uses, head.path);
    const states: readonly (readonly [State, boolean])[] = [
      ["pinned", head.pinned],
      ["unused", usage.used === 0],
      ["stale", isStale(head, { now: at, usage })],
      ["held", isSuspectMemory(head)],
    ];
    return { ...entry, usage, states: states.flatMap(([state, is]) => is ? [state] : []) };
  });
  return {
    ...rest,
    entries,
    byPath: new Map(entries.map((entry) => [entry.head.path, entry])),
    held: entries.filter(({ states, folder }) => states.includes("held") && isOwn(folder)),
  };
}

/** Whether the page may change a memory: neither Claude Code's own nor a copy of a team's. */
export function isOwn({ scope }: MemoryFolder): boolean {
  return mayChange(scope);
}
