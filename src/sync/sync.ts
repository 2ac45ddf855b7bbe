// Sync between one's own machines: what is on disk becomes a commit, is merged with what the others have pushed, pushed,
// and written back. A file that changes meanwhile is merged once more, so nothing is overwritten unseen.

import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoError, messageOf } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { waitForLock } from "../files/lock.ts";
import { statsOf } from "../files/stats.ts";
import { refuseLink, refuseOutside } from "../memory/folder.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { userFolder } from "../memory/scopes.ts";
import { makeFolder } from "../memory/store.ts";
import { type Env, lockOf, type Paths } from "../paths.ts";
import { redact } from "../redact/redact.ts";
import { mergeFile } from "./merge.ts";
import { type Content, mergeTrees, type Note, placeOf, type Tree } from "./merge_trees.ts";
import { MAX_FILE, portableFiles } from "./portable.ts";
import { identityText, type Synced, syncedProjects } from "./projects.ts";
import { PROJECT_FILE, Repository } from "./repository.ts";

/** A file that stays on this machine. */
export interface HeldBack {
  readonly path: string;
  readonly because: string;
}

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
  /** Called for each file that is checked, then for each that is written. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called between steps, so that a test can change files there. */
  readonly onStep?: (step: "scanned" | "pushed") => void;
}

/** Pushes lost to other machines before giving up. */
const TRIES = 6;
const LOCK_FRESH_MS = 10 * 60_000;
const LOCK_WAIT_MS = 30_000;

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
  const there = await repository.treeOf(remote);
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
  const { tree: ours, heldBack } = await scan(folders, before, { repository, options });
  onStep("scanned");
  const message = `Memories of ${machine}`;
  const parents = here === undefined ? [] : [here];
  const isChanged = !isSameTree(before, ours) || (here === undefined && remote === undefined);
  const own = isChanged ? await repository.commit(contents(ours), { parents, message }) : here;
  let conflicts: readonly Note[] = [];
  let commit = own;
  for (let tries = 0;; tries++) {
    if (remote !== undefined) {
      ({ commit, notes: conflicts } = await join_(repository, { own, remote }, { now, message }));
    }
    if (commit === undefined) break; // nothing here, nothing there
    if (commit === remote || await repository.push(commit) === "pushed") break;
    if (tries === TRIES) {
      throw new MemoError("timeout", "Cannot sync: other machines push all the time");
    }
    remote = await repository.fetch();
  }
  onStep("pushed");
  const after = await repository.treeOf(commit);
  const written = await apply(folders, { ours, after }, { repository, now, onProgress });
  if (commit !== undefined) await repository.setHere(commit);
  const sent = [...ours].filter(([way, id]) => there.get(way) !== id && !isProjectFile(way)).length;
  return {
    sent: commit === remote ? 0 : sent,
    received: written.received,
    conflicts,
    heldBack: [...heldBack, ...written.failed],
    waiting: waitingIn(after, folders),
    folders: written.folders,
  };
}

/** What is on disk, as a tree: of folders that are not here, what was there before. */
async function scan(
  folders: readonly Synced[],
  before: Tree,
  { repository, options }: { readonly repository: Repository; readonly options: SyncOptions },
): Promise<{ readonly tree: Map<string, string>; readonly heldBack: readonly HeldBack[] }> {
  const tree = new Map(before);
  const heldBack: HeldBack[] = [];
  for (const { place, folder, identity } of folders) {
    if (identity !== undefined) {
      tree.set(`${place}/${PROJECT_FILE}`, await repository.storeText(identityText(identity)));
    }
    if (!existsSync(folder.path)) continue; // deleted as a whole, or not mounted: it comes back
    for (const way of before.keys()) {
      if (placeOf(way).place === place && !isProjectFile(way)) tree.delete(way);
    }
    const files = portableFiles(folder);
    const large = files.filter(({ path }) => (statsOf(path)?.size ?? 0) > MAX_FILE);
    for (const { path } of large) heldBack.push({ path, because: "it is too large for a note" });
    const small = files.filter((file) => !large.includes(file));
    const ids = await repository.store(small.map(({ path }) => path));
    for (const [i, { way, path }] of small.entries()) {
      options.onProgress?.(i, small.length);
      const name = `${place}/${way}`;
      const id = ids[i]!;
      const isNew = before.get(name) !== id;
      const secrets = isNew && !options.anyway
        ? await secretsIn({ path, id }, repository, options)
        : [];
      if (secrets.length === 0) tree.set(name, id);
      else {
        heldBack.push({ path, because: `it seems to hold a secret (${secrets.join(", ")})` });
        if (before.has(name)) tree.set(name, before.get(name)!);
      }
    }
  }
  return { tree, heldBack };
}

async function secretsIn(
  { path, id }: { readonly path: string; readonly id: string },
  repository: Repository,
  { patterns }: SyncOptions,
): Promise<string[]> {
  const there = readFileSync(path);
  // What is looked at is what was stored, also if the file has changed since.
  const bytes = idOf(there) === id ? there : await repository.read(id);
  const { found } = await redact(bytes.toString("utf8"), patterns);
  return Object.keys(found);
}

/** One commit of both: the later of the two if one has the other in its history, else a merge. */
async function join_(
  repository: Repository,
  { own, remote }: { readonly own: string | undefined; readonly remote: string },
  { now, message }: { readonly now: Date; readonly message: string },
): Promise<{ readonly commit: string; readonly notes: readonly Note[] }> {
  if (own === undefined || await repository.isAncestor(own, remote)) {
    return { commit: remote, notes: [] };
  }
  if (await repository.isAncestor(remote, own)) return { commit: own, notes: [] };
  const base = await repository.treeOf(await repository.commonOf(own, remote));
  const [ours, theirs] = [await repository.treeOf(own), await repository.treeOf(remote)];
  const { tree, notes } = await mergeTrees({ base, ours, theirs }, {
    read: (id) => repository.readText(id),
    now,
  });
  const commit = await repository.commit(tree, { parents: [own, remote], message });
  return { commit, notes };
}

interface Applied {
  readonly received: number;
  readonly folders: readonly MemoryFolder[];
  readonly failed: readonly HeldBack[];
}

/** Writes what is new into the folders; a file that is not as it was scanned is merged with it. */
async function apply(
  folders: readonly Synced[],
  { ours, after }: { readonly ours: Tree; readonly after: Tree },
  { repository, now, onProgress }:
    & { readonly repository: Repository }
    & Pick<SyncOptions, "now" | "onProgress">,
): Promise<Applied> {
  const touched = new Map<string, MemoryFolder>();
  const failed: HeldBack[] = [];
  let received = 0;
  const fresh = [...after].filter(([way, id]) => ours.get(way) !== id).map(([, id]) => id);
  const contents = await repository.readAll(fresh);
  const read = async (id: string) => contents.get(id) ?? await repository.read(id);
  for (const way of new Set([...ours.keys(), ...after.keys()])) {
    const { place, rest } = placeOf(way);
    const found = folders.find((each) => each.place === place);
    if (found === undefined || rest === PROJECT_FILE) continue;
    const { folder } = found;
    const isMissing = !existsSync(folder.path);
    if (ours.get(way) === after.get(way) && !isMissing) continue;
    const path = join(folder.path, rest);
    try {
      const versions = { base: ours.get(way), theirs: after.get(way), isMissing };
      onProgress?.(received, fresh.length);
      if (await applyFile(path, rest, versions, { read, folder, now })) {
        received++;
        touched.set(folder.path, folder);
      }
    } catch (error) {
      failed.push({ path, because: messageOf(error) });
    }
  }
  for (const folder of touched.values()) writeIndexFile(folder);
  return { received, folders: [...touched.values()], failed };
}

interface FileVersions {
  readonly base: string | undefined;
  readonly theirs: string | undefined;
  /** The whole folder is missing, which deletes nothing. */
  readonly isMissing: boolean;
}

/** Brings one file to its merged content; resolves with whether it has changed. */
async function applyFile(
  path: string,
  way: string,
  { base, theirs, isMissing }: FileVersions,
  { read, folder, now }: {
    readonly read: (id: string) => Promise<Buffer>;
    readonly folder: MemoryFolder;
    readonly now: Date;
  },
): Promise<boolean> {
  const bytes = readRegular(path);
  const present = bytes === undefined ? undefined : idOf(bytes);
  if (present === theirs) return false;
  if (present === base || (bytes === undefined && isMissing)) {
    if (theirs === undefined) rmSync(path, { force: true });
    else write(path, await read(theirs), folder);
    return true;
  }
  const text = async (id: string | undefined) =>
    id === undefined ? undefined : (await read(id)).toString("utf8");
  const merged = mergeFile(way, {
    base: await text(base),
    ours: bytes?.toString("utf8"),
    theirs: await text(theirs),
  });
  const extra = merged.kept ?? merged.sibling;
  if (extra !== undefined) {
    const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
    const name = path.replace(/\.md$/, "") + `-${stamp}-${idOf(Buffer.from(extra)).slice(0, 6)}.md`;
    write(name, Buffer.from(extra), folder);
  }
  if (merged.text !== undefined) write(path, Buffer.from(merged.text), folder);
  return true;
}

function write(path: string, bytes: Uint8Array, folder: MemoryFolder): void {
  makeFolder(folder);
  refuseLink(folder.path);
  for (const at of foldersBetween(folder.path, path)) refuseLink(at);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  refuseOutside(path, folder.path);
  writeFileAtomic(path, bytes);
}

/** The folders between a folder and a file in it. */
function* foldersBetween(folder: string, path: string): Generator<string> {
  for (let at = dirname(path); at.length > folder.length; at = dirname(at)) yield at;
}

/** The bytes of a regular file; undefined if there is nothing. Throws for anything else. */
function readRegular(path: string): Buffer | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error("there is something at its path that is no file");
  return readFileSync(path);
}

/** git's id of a content. */
function idOf(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function isSameTree(a: Tree, b: Tree): boolean {
  return a.size === b.size && [...a].every(([way, id]) => b.get(way) === id);
}

function contents(tree: Tree): Map<string, Content> {
  return new Map([...tree].map(([way, id]) => [way, { id }]));
}

function isProjectFile(way: string): boolean {
  return placeOf(way).rest === PROJECT_FILE;
}

/** The names of projects with memories that are not on this machine. */
function waitingIn(tree: Tree, folders: readonly Synced[]): string[] {
  const places = new Set([...tree.keys()].map((way) => placeOf(way).place));
  return [...places].filter((place) =>
    place.startsWith("projects/") && !folders.some((each) => each.place === place)
  ).map((place) => place.slice("projects/".length).replace(/-[0-9a-f]{8}$/, ""));
}
