// Sync between one's own machines: what is on disk becomes a commit, is merged with what the others have pushed, pushed,
// and written back. A file that changes meanwhile is left as it is, and another round merges it.

import { basename, join } from "node:path";
import type { ChangedFolder } from "../../core/change/follow.ts";
import { MemoError } from "../../errors.ts";
import { waitForLock } from "../../core/files/lock.ts";
import { userFolder } from "../../core/memory/scopes.ts";
import { type Env, lockOf, type Paths } from "../../paths.ts";
import { apply, scan, type WithheldFile } from "./disk.ts";
import { erasedBy, type Loss, type LossDecision } from "./losses.ts";
import { type FileTree, type MergeConflict, placeOf } from "./merge_trees.ts";
import { PLACES, type Synced, syncedProjects } from "./portable.ts";
import { SyncRepository } from "./repository.ts";
import { beginAnew, commitDisk, decider, isProjectFile, pushMerged } from "./snapshot.ts";
import { readState, writeState } from "../../core/files/state.ts";
import { type JobContext, runDetached } from "../../core/engine/jobs.ts";

export type { Loss, LossDecision } from "./losses.ts";
export { placeOf } from "./merge_trees.ts";
export { moveSynced } from "./portable.ts";

/** The result of a sync. */
export interface SyncReport {
  /** Files that other machines have got from this one, and this one from them. */
  readonly sent: number;
  readonly received: number;
  readonly conflicts: readonly MergeConflict[];
  readonly heldBack: readonly WithheldFile[];
  /** Projects that are not on this machine; their memories wait in the repository. */
  readonly waiting: readonly string[];
  /** What has changed on this machine. */
  readonly changed: readonly ChangedFolder[];
  /** Losses because of which nothing was done. */
  readonly stopped: readonly Loss[];
}

export interface SyncOptions {
  readonly paths: Pick<Paths, "claude" | "sync" | "config" | "home">;
  readonly env: Env;
  readonly now: Date;
  /** The user's own patterns of secrets. */
  readonly patterns: readonly RegExp[];
  /** Roots of projects that are on this machine. */
  readonly roots: readonly string[];
  /** The name of this machine, for the history. */
  readonly machine: string;
  /** Sends files with secrets, too. */
  readonly anyway?: boolean;
  /** Begins the history of the remote anew, without what it has had. */
  readonly squash?: boolean;
  /** What to do when many memories would go; by default the sync stops. */
  readonly decide?: (losses: readonly Loss[]) => Promise<LossDecision>;
  /** Called for each file that is checked, then for each that is written. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called between steps, so that a test can change files there. */
  readonly onStep?: (step: "scanned" | "pushed") => void;
}

const LOCK = { freshMs: 10 * 60_000, waitMs: 30_000 };
const NOTHING_DONE = { sent: 0, received: 0, conflicts: [], waiting: [], changed: [] } as const;

/** The repository of this machine. */
export function repositoryIn(paths: Pick<Paths, "sync">, env: Env): SyncRepository {
  return new SyncRepository(join(paths.sync, "repository.git"), env);
}

/** Syncs every memory folder of this machine with the remote. */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const { paths, env } = options;
  const repository = repositoryIn(paths, env);
  if (!repository.exists()) {
    throw new MemoError("usage", "Cannot sync: no remote is set", {
      hint: "Run `memo sync init REMOTE` with the address of an empty repository",
    });
  }
  const release = await waitForLock(lockOf(join(paths.sync, "sync")), LOCK);
  if (release === undefined) throw new MemoError("timeout", "Cannot sync: another sync is running");
  try {
    const { report, isStale } = await syncOnce(repository, options);
    if (!isStale) return report;
    const again = (await syncOnce(repository, { ...options, squash: false })).report;
    return {
      ...again,
      sent: report.sent + again.sent,
      received: report.received + again.received,
      conflicts: [...report.conflicts, ...again.conflicts],
      changed: [...report.changed, ...again.changed],
    };
  } finally {
    release();
  }
}

async function syncOnce(
  repository: SyncRepository,
  options: SyncOptions,
): Promise<{ readonly report: SyncReport; readonly isStale?: boolean }> {
  const { paths, env, now, roots, machine, squash, onProgress, onStep = () => {} } = options;
  const last = await repository.here();
  const remote = await repository.fetch();
  const folders: Synced[] = [
    { place: "user", folder: userFolder(paths) },
    ...await syncedProjects([last.tree, remote.tree], {
      ...{ paths, env, repository, roots },
      file: join(paths.sync, PLACES),
    }),
  ];
  const before = await repository.disk();
  const were = namedBy(folders, before, "place");
  const scanned = await scan(folders, were, { repository, ...options });
  const { disk, heldBack } = scanned;
  onStep("scanned");

  const decide = decider(folders, options);
  const round = { repository, folders, last, now, decide, message: `Memories of ${machine}` };
  const local = await commitDisk(scanned, remote, round);
  if ("stopped" in local) return { report: { ...NOTHING_DONE, heldBack, ...local } };
  const merged = await pushMerged(local, remote, round);
  if ("stopped" in merged) return { report: { ...NOTHING_DONE, heldBack, ...merged } };
  const all = squash ? await beginAnew(merged, round) : merged;
  onStep("pushed");

  const isErased = erasedBy(repository, [local.tree, all.tree]);
  const trees = { disk, after: all.tree };
  const written = await apply(folders, trees, { repository, now, onProgress, isErased });
  if (all.commit !== undefined) {
    const names = new Set(folders.map(folderName));
    const elsewhere = [...before].filter(([name]) => !names.has(placeOf(name).place));
    const here = namedBy(folders, written.disk, "folder");
    await repository.setHere(all.commit, new Map([...elsewhere, ...here]));
    if (all.isAnew) await repository.prune(all.commit);
  }
  const sent = [...local.tree].filter(([relativePath, id]) =>
    remote.tree.get(relativePath) !== id && !isProjectFile(relativePath)
  );
  const report = {
    sent: all.isPushed ? sent.length : 0,
    ...{ received: written.received, conflicts: all.conflicts, changed: written.changed },
    heldBack: [...heldBack, ...written.failed],
    waiting: waitingIn(all.tree, folders),
    stopped: [],
  };
  return { report, isStale: written.isStale };
}

/**
 * A tree with the names of folders in the stead of places, or the other way round. What was on disk is recorded by
 * folder: another clone of a project has another one, and nothing of it was there.
 */
function namedBy(folders: readonly Synced[], tree: FileTree, by: "folder" | "place"): FileTree {
  const names = new Map(folders.map((synced) => {
    const [name, place] = [folderName(synced), synced.place];
    return by === "place" ? [name, place] : [place, name];
  }));
  return new Map([...tree].flatMap(([path, id]) => {
    const { place, rest } = placeOf(path);
    const name = names.get(place);
    return name === undefined ? [] : [[`${name}/${rest}`, id]];
  }));
}

function folderName({ place, folder }: Synced): string {
  return place === "user" ? place : `projects/${basename(folder.path)}`;
}

function waitingIn(tree: FileTree, folders: readonly Synced[]): string[] {
  const places = new Set([...tree.keys()].map((relativePath) => placeOf(relativePath).place));
  const others = places.difference(new Set(folders.map(({ place }) => place)));
  return [...others].filter((place) => place.startsWith("projects/"))
    .map((place) => place.slice("projects/".length).replace(/-[0-9a-f]{8}$/, ""));
}

interface LastSync {
  /** ISO 8601. */
  readonly at: string;
  /** Why it has stopped; undefined: it has not. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** Files that were not synced. */
  readonly heldBack?: number | undefined;
  /** Those of them that seem to contain a secret. */
  readonly withSecrets?: number | undefined;
}

/** The last sync of this machine; undefined: there was none. */
export function readLast({ sync }: Pick<Paths, "sync">): LastSync | undefined {
  const last = readState(join(sync, LAST)) as LastSync | undefined;
  return typeof last?.at === "string" ? last : undefined;
}

/** Records how a sync has ended: one that runs by itself has nobody to tell. */
export function writeLast({ sync }: Pick<Paths, "sync">, last: LastSync): void {
  writeState(join(sync, LAST), last);
}

const LAST = "last.json";

/** Syncs at most this often: the end of a session and of its capture come together. */
const GAP_MS = 20_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Syncs soon, with the environment of the session that has ended. Several calls in a row make one sync. The daemon may
 * end meanwhile; the next session syncs then.
 */
export function syncLater(
  context: Pick<JobContext, "env" | "place" | "log">,
  gapMs: number = GAP_MS,
): void {
  if (context.env === undefined) return;
  clearTimeout(timer);
  timer = setTimeout(() => runDetached(["sync", "--quiet"], context), gapMs);
}
