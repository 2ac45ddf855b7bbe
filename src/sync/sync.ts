// Sync between one's own machines: what is on disk becomes a commit, is merged with what the others have pushed, pushed,
// and written back. A file that changes meanwhile is merged once more, so nothing is overwritten unseen.

import { basename, join } from "node:path";
import { MemoError } from "../errors.ts";
import { waitForLock } from "../files/lock.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { userFolder } from "../memory/scopes.ts";
import { type Env, lockOf, type Paths } from "../paths.ts";
import { apply } from "./apply.ts";
import { withConflicts } from "./conflicts.ts";
import { erasedBy } from "./erased.ts";
import { keepReplaced } from "./keep.ts";
import { type Decision, type Loss, lossesOf } from "./losses.ts";
import { type MergeOptions, mergeTrees, type Note, placeOf, type Tree } from "./merge_trees.ts";
import { identityText, type Synced, syncedProjects } from "./projects.ts";
import { PROJECT_FILE, REPLACES, Repository } from "./repository.ts";
import { type HeldBack, scan } from "./scan.ts";

export type { HeldBack } from "./scan.ts";

/** The result of a sync. */
export interface SyncReport {
  /** Files that other machines have got from this one, and this one from them. */
  readonly sent: number;
  readonly received: number;
  readonly conflicts: readonly Note[];
  readonly heldBack: readonly HeldBack[];
  /** Projects that are not on this machine; their memories wait in the repository. */
  readonly waiting: readonly string[];
  /** Folders whose files have changed on this machine. */
  readonly folders: readonly MemoryFolder[];
  /** Losses because of which nothing was done. */
  readonly stopped: readonly Loss[];
}

export interface SyncOptions {
  readonly paths: Pick<Paths, "claude" | "sync">;
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
  readonly decide?: (losses: readonly Loss[]) => Promise<Decision>;
  /** Called for each file that is checked, then for each that is written. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called between steps, so that a test can change files there. */
  readonly onStep?: (step: "scanned" | "pushed") => void;
}

/** Pushes lost to other machines before giving up. */
const TRIES = 6;
const LOCK_FRESH_MS = 10 * 60_000;
const LOCK_WAIT_MS = 30_000;
const NOTHING_DONE = { sent: 0, received: 0, conflicts: [], waiting: [], folders: [] } as const;

/** The repository of this machine. */
export function repositoryIn(paths: Pick<Paths, "sync">, env: Env): Repository {
  return new Repository(join(paths.sync, "repository.git"), env);
}

/** Syncs every memory folder of this machine with the remote. */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const { paths, env } = options;
  const repository = repositoryIn(paths, env);
  if (!repository.exists()) {
    throw new MemoError("usage", "Cannot sync: no remote is set", {
      hint: "Run `memo sync init REMOTE` with the address of an empty repository of yours",
    });
  }
  const release = await waitForLock(lockOf(join(paths.sync, "sync")), {
    freshMs: LOCK_FRESH_MS,
    waitMs: LOCK_WAIT_MS,
  });
  if (release === undefined) {
    throw new MemoError("timeout", "Cannot sync: another sync is running");
  }
  try {
    return await syncOnce(repository, options);
  } finally {
    release();
  }
}

async function syncOnce(repository: Repository, options: SyncOptions): Promise<SyncReport> {
  const { paths, env, now, roots, machine, onProgress, onStep = () => {} } = options;
  const here = await repository.here();
  const before = await repository.treeOf(here);
  let remote = await repository.fetch();
  let theirs = await repository.treeOf(remote);
  const there = theirs;
  const folders: Synced[] = [
    { place: "user", folder: userFolder(paths) },
    ...await syncedProjects([before, there], {
      claude: paths.claude,
      env,
      repository,
      file: join(paths.sync, "projects.json"),
      roots,
    }),
  ];
  const last = await repository.disk();
  const scanned = await scan(folders, namedBy(folders, last, "place"), { repository, ...options });
  const { disk, heldBack } = scanned;
  onStep("scanned");
  const message = `Memories of ${machine}`;
  const decided = decider(folders, options);

  // What has changed here since the last sync, in the tree of the last sync.
  const merge = merger(repository, now);
  const changed = await merge({ base: scanned.was, ours: disk, theirs: only(before, folders) });
  const own = new Map(before);
  for (const relativePath of only(before, folders).keys()) own.delete(relativePath);
  for (const [relativePath, id] of changed.tree) own.set(relativePath, id);
  for (const { place, identity } of folders) {
    if (identity === undefined) continue;
    own.set(`${place}/${PROJECT_FILE}`, await repository.storeText(identityText(identity)));
  }
  const isErased = erasedBy(repository, [before, own, there]);
  const ours = await decided(before, own, { from: "other machines", isErased });
  if ("stopped" in ours) return { ...NOTHING_DONE, heldBack, ...ours };
  const isChanged = !isSameTree(before, ours.tree) || (here === undefined && remote === undefined);
  const parents = here === undefined ? [] : [here];
  const mine = isChanged ? await repository.commit(ours.tree, { parents, message }) : here;

  let [commit, after, conflicts] = [mine, ours.tree, changed.notes];
  let isAnew = false;
  for (let tries = 0;; tries++) {
    if (remote !== undefined && remote !== mine) {
      const common = mine === undefined ? undefined : await repository.commonOf(mine, remote);
      // Another machine has begun the history anew: from what this one has synced, too.
      isAnew = common === undefined && here !== undefined &&
        await repository.replaces(remote, here);
      const base = isAnew ? before : await repository.treeOf(common);
      const merged = await merge({ base, ours: ours.tree, theirs });
      const isErased = erasedBy(repository, [ours.tree, theirs]);
      const all = await decided(ours.tree, merged.tree, { from: "this machine", isErased });
      if ("stopped" in all) return { ...NOTHING_DONE, heldBack, ...all };
      const trees = { ours: only(ours.tree, folders), merged: all.tree };
      after = await keepReplaced(trees, { repository, isErased, now });
      conflicts = [...changed.notes, ...merged.notes];
      const isAhead = mine === undefined || common === mine || isAnew;
      if (isAhead && isSameTree(after, theirs)) commit = remote;
      else if (isSameTree(after, ours.tree) && common === remote) commit = mine;
      else {
        const parents = [...isAhead ? [] : [mine!], remote];
        commit = await repository.commit(after, { parents, message });
      }
    }
    if (commit === undefined) break; // nothing here, nothing there
    if (commit === remote || await repository.push(commit) === "pushed") break;
    if (tries === TRIES) {
      throw new MemoError("timeout", "Cannot sync: other machines push all the time");
    }
    remote = await repository.fetch();
    theirs = await repository.treeOf(remote);
  }
  if (options.squash && commit !== undefined) {
    commit = await squash(repository, { commit, tree: after, message });
    isAnew = true;
  }
  onStep("pushed");
  const written = await apply(folders, { disk, after }, {
    ...{ repository, now, onProgress, isErased: erasedBy(repository, [ours.tree, after]) },
  });
  if (commit !== undefined) {
    const elsewhere = [...last].filter(([name]) => !folders.some((each) => isOf(name, each)));
    const now = namedBy(folders, written.disk, "folder");
    await repository.setHere(commit, new Map([...elsewhere, ...now]));
    if (isAnew) await repository.prune(commit);
  }
  const sent = [...ours.tree].filter(([relativePath, id]) =>
    there.get(relativePath) !== id && !isProjectFile(relativePath)
  );
  return {
    sent: commit === remote ? 0 : sent.length,
    received: written.received,
    conflicts,
    heldBack: [...heldBack, ...written.failed],
    waiting: waitingIn(after, folders),
    folders: written.folders,
    stopped: [],
  };
}

/** Puts a commit without a history in the place of the remote's last one; it names what it replaces, for other machines. */
async function squash(
  repository: Repository,
  { commit, tree, message }: {
    readonly commit: string;
    readonly tree: Tree;
    readonly message: string;
  },
): Promise<string> {
  const former = (await repository.history(commit)).map((each) => `${REPLACES}${each}\n`);
  const first = await repository.commit(tree, {
    parents: [],
    message: `${message}\n\n${former.join("")}`,
  });
  if (await repository.pushInstead(first, commit) === "pushed") return first;
  throw new MemoError("timeout", "Cannot begin the history anew: another machine has synced", {
    hint: "Run `memo sync squash` again",
  });
}

/** Merges trees of this repository, and stores what is new. */
function merger(repository: Repository, now: Date) {
  return async (trees: Parameters<typeof mergeTrees>[0]) => {
    const options: MergeOptions = {
      read: (id) => repository.readText(id),
      isTooLarge: (relativePath, id) => repository.isTooLarge(relativePath, id),
      isErased: erasedBy(repository, [trees.ours, trees.theirs]),
      now,
    };
    const { tree, notes } = await mergeTrees(trees, options);
    const stored = await repository.stored(tree);
    return { tree: await withConflicts(stored, notes, { repository, now }), notes };
  };
}

/** Asks once when many memories would go, and brings them back if they are to be kept. */
function decider(folders: readonly Synced[], { decide }: SyncOptions) {
  let decision: Decision | undefined;
  return async (
    before: Tree,
    after: Tree,
    about: Omit<Parameters<typeof lossesOf>[2], "folders">,
  ): Promise<{ readonly tree: Tree } | { readonly stopped: readonly Loss[] }> => {
    const losses = await lossesOf(before, after, { folders, ...about });
    if (losses.length === 0) return { tree: after };
    decision ??= await decide?.(losses) ?? "stop";
    if (decision === "stop") return { stopped: losses };
    if (decision === "delete") return { tree: after };
    const gone = losses.flatMap(({ gone }) => gone);
    return {
      tree: new Map([
        ...after,
        ...gone.map((relativePath) => [relativePath, before.get(relativePath)!] as const),
      ]),
    };
  };
}

/** The files of a tree in the places of these folders. */
function only(tree: Tree, folders: readonly Synced[]): Tree {
  const places = new Set(folders.map(({ place }) => place));
  return new Map(
    [...tree].filter(([relativePath]) =>
      places.has(placeOf(relativePath).place) && !isProjectFile(relativePath)
    ),
  );
}

/**
 * A tree with the names of folders in the stead of places, or the other way round. What was on disk is recorded by
 * folder: another clone of a project has another one, and nothing of it was there.
 */
function namedBy(folders: readonly Synced[], tree: Tree, by: "folder" | "place"): Tree {
  const named = new Map<string, string>();
  for (const synced of folders) {
    const [from, to] = by === "place"
      ? [folderName(synced), synced.place]
      : [synced.place, folderName(synced)];
    for (const [name, id] of tree) {
      if (name.startsWith(`${from}/`)) named.set(to + name.slice(from.length), id);
    }
  }
  return named;
}

function folderName({ place, folder }: Synced): string {
  return place === "user" ? place : `projects/${basename(folder.path)}`;
}

function isOf(name: string, synced: Synced): boolean {
  return name.startsWith(`${folderName(synced)}/`);
}

function isSameTree(a: Tree, b: Tree): boolean {
  return a.size === b.size && [...a].every(([relativePath, id]) => b.get(relativePath) === id);
}

function isProjectFile(relativePath: string): boolean {
  return placeOf(relativePath).rest === PROJECT_FILE;
}

/** The names of projects with memories that are not on this machine. */
function waitingIn(tree: Tree, folders: readonly Synced[]): string[] {
  const places = new Set([...tree.keys()].map((relativePath) => placeOf(relativePath).place));
  return [...places].filter((place) =>
    place.startsWith("projects/") && !folders.some((each) => each.place === place)
  ).map((place) => place.slice("projects/".length).replace(/-[0-9a-f]{8}$/, ""));
}
