// From what is on disk to a commit that all machines have: what has changed here is committed, merged with what the
// others have pushed, and pushed.

import { isDeepStrictEqual } from "node:util";
import { MemoError } from "../../errors.ts";
import {
  erasedBy,
  keepReplaced,
  type Loss,
  type LossDecision,
  lossesOf,
  withConflicts,
} from "./losses.ts";
import { type FileTree, type MergeConflict, mergeTrees, placeOf } from "./merge_trees.ts";
import { PROJECT_FILE, type Synced } from "./portable.ts";
import { REPLACES, type Snapshot, type SyncRepository } from "./repository.ts";
import type { Scanned } from "./disk.ts";

/** What this machine has, with what could not be merged. */
export interface MergedSnapshot extends Snapshot {
  readonly conflicts: readonly MergeConflict[];
}

/** What all machines have. */
export interface SharedSnapshot extends MergedSnapshot {
  /** Whether the history of the remote has begun anew, without what this machine has synced. */
  readonly isAnew: boolean;
  /** Whether it was not on the remote before. */
  readonly isPushed: boolean;
}

/** Losses because of which nothing is done. */
interface Stop {
  readonly stopped: readonly Loss[];
}

/** The surroundings of a sync. */
interface Round {
  readonly repository: SyncRepository;
  readonly folders: readonly Synced[];
  /** What this machine has synced last. */
  readonly last: Snapshot;
  readonly now: Date;
  readonly decide: ReturnType<typeof decider>;
  /** What the history says of a commit. */
  readonly message: string;
}

/** Pushes lost to other machines before giving up. */
const TRIES = 6;

/** Commits what has changed on disk since the last sync, in the tree of the last sync. */
export async function commitDisk(
  { was, disk }: Scanned,
  remote: Snapshot,
  round: Round,
): Promise<MergedSnapshot | Stop> {
  const { repository, folders, last, decide, message } = round;
  const before = only(last.tree, folders);
  const changed = await merge({ base: was, ours: disk, theirs: before }, round);
  const tree = new Map(last.tree);
  for (const relativePath of before.keys()) tree.delete(relativePath);
  for (const [relativePath, id] of changed.tree) tree.set(relativePath, id);
  const identities = folders.filter(({ identity }) => identity !== undefined).map((
    { place, identity },
  ) => [`${place}/${PROJECT_FILE}`, { text: JSON.stringify(identity, null, 2) + "\n" }] as const);
  for (const [file, id] of await repository.stored(new Map(identities))) tree.set(file, id);
  const isErased = erasedBy(repository, [last.tree, tree, remote.tree]);
  const decided = await decide(last.tree, tree, { from: "other machines", isErased });
  if ("stopped" in decided) return decided;
  const local = { tree: decided.tree, conflicts: changed.notes };
  const isFirst = last.commit === undefined && remote.commit === undefined;
  if (!isFirst && isDeepStrictEqual(last.tree, local.tree)) {
    return { ...local, commit: last.commit };
  }
  const parents = last.commit === undefined ? [] : [last.commit];
  return { ...local, commit: await repository.commit(local.tree, { parents, message }) };
}

/** Pushes what this machine has, merged with what the others have pushed, until no other is faster. */
export async function pushMerged(
  local: MergedSnapshot,
  remote: Snapshot,
  round: Round,
): Promise<SharedSnapshot | Stop> {
  const { repository } = round;
  for (let tries = 0;; tries++) {
    const merged = await mergeRemote(local, remote, round);
    if ("stopped" in merged) return merged;
    const { commit } = merged;
    if (commit === undefined || commit === remote.commit) return { ...merged, isPushed: false };
    if (await repository.push(commit)) return { ...merged, isPushed: true };
    if (tries === TRIES) {
      throw new MemoError("timeout", "Cannot sync: other machines keep pushing");
    }
    remote = await repository.fetch();
  }
}

/** What this machine has, with what the others have pushed. */
async function mergeRemote(
  local: MergedSnapshot,
  remote: Snapshot,
  round: Round,
): Promise<Omit<SharedSnapshot, "isPushed"> | Stop> {
  const { repository, folders, last, now, decide, message } = round;
  if (remote.commit === undefined || remote.commit === local.commit) {
    return { ...local, isAnew: false };
  }
  const common = local.commit === undefined
    ? undefined
    : await repository.commonOf(local.commit, remote.commit);
  // Another machine has begun the history anew: from what this one has synced, too.
  const isAnew = common === undefined && last.commit !== undefined &&
    await repository.replaces(remote.commit, last.commit);
  const base = isAnew ? last.tree : await repository.treeOf(common);
  const merged = await merge({ base, ours: local.tree, theirs: remote.tree }, round);
  const isErased = erasedBy(repository, [local.tree, remote.tree]);
  const decided = await decide(local.tree, merged.tree, { from: "this machine", isErased });
  if ("stopped" in decided) return decided;
  const trees = { ours: only(local.tree, folders), merged: decided.tree };
  const tree = await keepReplaced(trees, { repository, isErased, now });
  const result = { tree, conflicts: [...local.conflicts, ...merged.notes], isAnew };

  const own = local.commit === common || isAnew ? undefined : local.commit;
  if (own === undefined && isDeepStrictEqual(tree, remote.tree)) {
    return { ...result, commit: remote.commit };
  }
  if (common === remote.commit && isDeepStrictEqual(tree, local.tree)) {
    return { ...result, commit: local.commit };
  }
  const parents = [...own === undefined ? [] : [own], remote.commit];
  return { ...result, commit: await repository.commit(tree, { parents, message }) };
}

/** Puts a commit without a history in the place of the remote's last one; it names what it replaces, for other machines. */
export async function beginAnew(
  shared: SharedSnapshot,
  { repository, message }: Pick<Round, "repository" | "message">,
): Promise<SharedSnapshot> {
  const { commit, tree } = shared;
  if (commit === undefined) return shared;
  const former = (await repository.history(commit)).map((each) => `${REPLACES}${each}\n`);
  const about = { parents: [], message: `${message}\n\n${former.join("")}` };
  const first = await repository.commit(tree, about);
  if (await repository.push(first, commit)) {
    return { ...shared, commit: first, isAnew: true, isPushed: true };
  }
  throw new MemoError("timeout", "Cannot squash the history: another machine has synced", {
    hint: "Run `memo sync squash` again",
  });
}

async function merge(
  trees: Parameters<typeof mergeTrees>[0],
  { repository, now }: Round,
): Promise<{ readonly tree: FileTree; readonly notes: readonly MergeConflict[] }> {
  const { tree, notes } = await mergeTrees(trees, {
    repository,
    isErased: erasedBy(repository, [trees.ours, trees.theirs]),
    now,
  });
  const stored = await repository.stored(tree);
  return { tree: await withConflicts(stored, notes, { repository, now }), notes };
}

/** Asks once when many memories would go, and brings them back if they are to be kept. */
export function decider(folders: readonly Synced[], { decide }: {
  readonly decide?: ((losses: readonly Loss[]) => Promise<LossDecision>) | undefined;
}) {
  let decision: LossDecision | undefined;
  return async (
    before: FileTree,
    after: FileTree,
    about: Omit<Parameters<typeof lossesOf>[2], "folders">,
  ): Promise<{ readonly tree: FileTree } | Stop> => {
    const losses = await lossesOf(before, after, { folders, ...about });
    if (losses.length === 0) return { tree: after };
    decision ??= await decide?.(losses) ?? "stop";
    if (decision === "stop") return { stopped: losses };
    if (decision === "delete") return { tree: after };
    const gone = losses.flatMap(({ gone }) => gone);
    return { tree: new Map([...after, ...gone.map((path) => [path, before.get(path)!] as const)]) };
  };
}

function only(tree: FileTree, folders: readonly Synced[]): FileTree {
  const places = new Set(folders.map(({ place }) => place));
  return new Map(
    [...tree].filter(([relativePath]) =>
      places.has(placeOf(relativePath).place) && !isProjectFile(relativePath)
    ),
  );
}

/** Whether a file of a tree is the identity of a project. */
export function isProjectFile(relativePath: string): boolean {
  return placeOf(relativePath).rest === PROJECT_FILE;
}
