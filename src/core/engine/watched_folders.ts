// Which files of memory folders have changed, by the system's own word: without it, only a look at every file can tell.
// Linux queues all changes of a process's watched folders in one line (inotify): files of memo's own, written
// when somebody asks, come through behind everything that was written before.

import {
  type FSWatcher,
  lstatSync,
  mkdirSync,
  rmSync,
  statfsSync,
  watch as watchFolder,
  writeFileSync,
} from "node:fs";
import { join, sep } from "node:path";
import { statsOf } from "../files/there.ts";
import { within } from "../link/within.ts";
import { isHidden, mayHold, type Walker } from "../memory/folder.ts";
import type { MemoryFolder } from "../memory/memory.ts";

/** Maximum wait for memo's own file. */
const SETTLED_MS = 50;
/** Maximum changed files of a folder, and folders below it: a look at all of them is as good then. */
const MOST_FILES = 100;
const MOST_FOLDERS = 200;
/** After so many changes in all, some may be lost: the system drops those that do not fit into its queue of 16,384. */
const MOST_CHANGES = 8192;
/** A folder is looked at as a whole after this long all the same. */
const WATCHED_MS = 3_600_000;

/** File systems whose changes are all made on this machine: ext, xfs, btrfs, tmpfs, overlay, f2fs, ZFS, bcachefs. */
const LOCAL: ReadonlySet<number> = new Set(
  [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
);

/** Tells of each change in a folder, in their order and those of all folders in one line. */
export type Watch = (
  path: string,
  options: { readonly persistent: false },
  changed: (kind: string, name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

/** How this runtime does that; undefined where it is not known to: Deno begins late, and has a line for each folder. */
export const SYSTEM_WATCH: Watch | undefined =
  process.platform === "linux" && "bun" in process.versions ? watchFolder : undefined;

interface Watched {
  readonly identity: string;
  readonly since: number;
  /** What watches each folder, by path. */
  readonly watchers: Map<string, Pick<FSWatcher, "close">>;
  /** The paths of files that have changed since somebody last asked. */
  readonly changed: Set<string>;
  /** Whether everything in it has been looked at. */
  isWhole: boolean;
}

/** Watches memory folders, each from a look at the whole of it on. */
export class WatchedFolders {
  readonly #watch: Watch;
  /** The folder of memo's own files. */
  readonly #own: string;
  readonly #folders = new Map<string, Watched>();
  readonly #waiting = new Map<string, () => void>();
  #ownWatcher: Pick<FSWatcher, "close"> | undefined;
  #asked = 0;
  #changes = 0;

  constructor(own: string, watch: Watch) {
    this.#own = own;
    this.#watch = watch;
  }

  /**
   * Begins to watch a folder; to be told by the walk through it that follows. undefined where changes can come unseen:
   * on a server's disk, or by a decision about a repository's files.
   */
  begin({ path, trust }: MemoryFolder): Walker | undefined {
    this.drop(path);
    const identity = identityOf(path);
    if (trust !== undefined || identity === undefined) return undefined;
    const watched: Watched = {
      ...{ identity, since: performance.now(), isWhole: false },
      ...{ watchers: new Map(), changed: new Set() },
    };
    this.#folders.set(path, watched);
    const lose = () => this.#lose(path, watched);
    return {
      entered: (folder) => {
        if (this.#folders.get(path) !== watched) return;
        if (watched.watchers.size === MOST_FOLDERS) return lose();
        try {
          const watcher = this.#watch(folder, { persistent: false }, (_kind, name) => {
            this.#changes++;
            if (name === null) lose();
            else if (!isHidden(name)) this.#note(watched, folder + sep + name, { name, lose });
          });
          watcher.on("error", lose);
          watched.watchers.set(folder, watcher);
        } catch {
          lose(); // the system has no more watches
        }
      },
      onLink: lose,
    };
  }

  /** The walk has ended, and everything that it found is known. */
  ended({ path }: MemoryFolder): void {
    const watched = this.#folders.get(path);
    if (watched !== undefined) watched.isWhole = true;
  }

  /**
   * Waits until everything is known that was written before; whether it is. What comes together is told folder by folder,
   * in any order, and only a second file comes after all of it: a prompt goes without that half millisecond.
   */
  async settled({ isCertain }: { readonly isCertain: boolean }): Promise<boolean> {
    if (this.#folders.size === 0 || !await this.#comesThrough()) return false;
    if (isCertain && !await this.#comesThrough()) return false;
    if (this.#changes > MOST_CHANGES) this.close();
    this.#changes = 0;
    return true;
  }

  /** Writes a file of memo's own and waits until the system tells of it; whether it did. */
  async #comesThrough(): Promise<boolean> {
    const name = String(++this.#asked), path = join(this.#own, name);
    const { promise, resolve } = Promise.withResolvers<true>();
    this.#waiting.set(name, () => resolve(true));
    try {
      this.#ownWatcher ??= this.#watchOwn();
      writeFileSync(path, "", { mode: 0o600 });
      return await within(SETTLED_MS, promise) !== undefined;
    } catch {
      return false; // nothing can be written there
    } finally {
      this.#waiting.delete(name);
      rmSync(path, { force: true });
    }
  }

  /** The files of a folder that have changed since this was last asked; undefined: only a look at all can tell. */
  take({ path }: MemoryFolder): readonly string[] | undefined {
    const watched = this.#folders.get(path);
    if (watched === undefined || !watched.isWhole) return undefined;
    const isOld = performance.now() - watched.since > WATCHED_MS;
    const isMuch = watched.changed.size > MOST_FILES;
    if (isOld || isMuch || watched.identity !== identityOf(path)) {
      this.drop(path);
      return undefined;
    }
    const changed = [...watched.changed];
    watched.changed.clear();
    return changed;
  }

  /** Whether a folder is watched, and has been looked at. */
  has(path: string): boolean {
    return this.#folders.get(path)?.isWhole === true;
  }

  /** Watches a folder no longer. */
  drop(path: string): void {
    const watched = this.#folders.get(path);
    if (watched !== undefined) this.#lose(path, watched);
  }

  /** Watches nothing any more. */
  close(): void {
    for (const path of [...this.#folders.keys()]) this.drop(path);
    this.#ownWatcher?.close();
    this.#ownWatcher = undefined;
  }

  #watchOwn(): Pick<FSWatcher, "close"> {
    mkdirSync(this.#own, { recursive: true, mode: 0o700 });
    return this.#watch(this.#own, { persistent: false }, (_kind, name) => {
      this.#waiting.get(name ?? "")?.();
    }).on("error", () => this.close());
  }

  #note(
    { watchers, changed }: Watched,
    path: string,
    { name, lose }: { readonly name: string; readonly lose: () => void },
  ): void {
    const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (watchers.has(path) || isFolder) lose();
    else if (mayHold(name) && changed.size <= MOST_FILES) changed.add(path);
  }

  #lose(path: string, watched: Watched): void {
    for (const watcher of watched.watchers.values()) watcher.close();
    watched.watchers.clear();
    if (this.#folders.get(path) === watched) this.#folders.delete(path);
  }
}

/** Tells whether a path leads to the same folder as before; undefined: not to one of this machine. */
function identityOf(path: string): string | undefined {
  const stats = statsOf(path);
  if (!stats?.isDirectory() || !isOwnDisk(path)) return undefined;
  return `${stats.dev} ${stats.ino}`;
}

/** Whether a file system tells of every change in it. */
export function isOwnDisk(path: string): boolean {
  return LOCAL.has(Number(statfsSync(path).type) >>> 0);
}
