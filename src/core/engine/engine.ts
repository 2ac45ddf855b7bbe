import { setImmediate } from "node:timers/promises";
import type { FindSimilar, Similar } from "../capture/remember.ts";
import { type ChangedFolder, listFolder } from "../change/follow.ts";
import type { Config } from "../settings/config.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { embedAll, Index, syncFiles, syncFolder, type SyncResult } from "../index/mod.ts";
import type { Log } from "../files/log.ts";
import { askModel, whyUnavailable } from "../llm/mod.ts";
import type { PurposeName } from "../settings/purposes.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { walkMemoryFiles } from "../memory/folder.ts";
import type { Place } from "../memory/scopes.ts";
import { fileStamp } from "../files/there.ts";
import type { Env, Paths } from "../../paths.ts";
import { within } from "../link/within.ts";
import type { Features } from "./jobs.ts";
import { LiveConfig } from "./live_config.ts";
import { LoadedModel } from "./loaded_model.ts";
import { OpenIndex } from "./open_index.ts";
import { type Watch, WatchedFolders } from "./watched_folders.ts";
import { DeliveryClaims, Prefetches, Tasks } from "../recall/pending.ts";
import { LiveBranches } from "../transcript/live_branch.ts";
import type { Ask } from "../../../strategies/strategy.ts";

/** A folder with at most this many files, a millisecond or two of work, is synced before each prompt. */
const QUICK_FILES = 300;
/** A larger one is synced after a prompt, at most once per this time. */
const REST_MS = 10_000;

/** Changes of more files of a folder than this are found by a look at all of them. */
const FEW_FILES = 100;

/** So many new memories are embedded while a prompt waits: some 30 ms each. */
const FEW_NEW = 12;
/** A session's start waits this long for a sync. */
const AWAITED_MS = 700;

export interface EngineOptions {
  readonly paths: Paths;
  readonly env: Env;
  readonly log: Log;
  /** Embed passages without vectors in the background after a sync; a one-off command does that itself. */
  readonly background: boolean;
  /** Whether somebody waits for that: it gets the priority of a command; default: the lowest. */
  readonly isAwaited?: boolean;
  /** Default: none. */
  readonly features?: Features;
  /** How changes in folders are noticed; default: by a look at all their files. */
  readonly watch?: Watch | undefined;
}

/** Keeps settings, index and model loaded, and the index up to date: as long as the daemon, or a command, runs. */
export class Engine {
  readonly paths: Paths;
  /** LLM calls that prompts have started and not yet received. */
  readonly prefetches = new Prefetches();
  /** Task calls whose subagents have not started yet. */
  readonly tasks = new Tasks();
  /** What is on its way to conversations. */
  readonly told = new DeliveryClaims();
  /** The conversations, read from their transcripts. */
  readonly branches = new LiveBranches();
  readonly log: Log;
  readonly features: Features;
  /** Whether nobody waits for it at a terminal. */
  readonly isBackground: boolean;
  readonly #isAwaited: boolean;
  readonly #config: LiveConfig;
  readonly #index: OpenIndex;
  /** The embedding model of the settings. */
  readonly model: LoadedModel;
  #syncs = new Map<string, Promise<SyncResult>>();
  /** The folder that is being synced, and whether that takes longer than a prompt would wait. */
  #syncing: { readonly path: string; isLong: boolean } | undefined;
  /** Until when somebody may wait for a sync. */
  #awaitedUntil = 0;
  /** When each folder was last synced as a whole with the open index, its number of files, and what was unreadable. */
  #compared = new Map<
    string,
    { readonly at: number; readonly files: number; readonly unreadable: readonly string[] }
  >();
  /** The file list of each folder at its last sync before a prompt. */
  #seen = new Map<string, string>();
  readonly #watched: WatchedFolders | undefined;
  /** Syncs with what has changed in those. */
  #following: Promise<unknown> = Promise.resolve();
  #queue: Promise<unknown> = Promise.resolve();
  /** Writes each `MEMORY.md` that a sync has found out of date. */
  #listing: Promise<unknown> = Promise.resolve();
  /** Work on the index that no sync waits for. */
  #later: Promise<unknown> = Promise.resolve();
  #embedding: Promise<void> | undefined;
  #embedAgain = false;
  #folders = new Map<string, MemoryFolder>();
  readonly #stop = new AbortController();
  #prompts = 0;
  /** Until when a prompt waits for the vectors of new memories. */
  #hurriedUntil = 0;
  #quiet: (() => void)[] = [];

  constructor(
    { paths, env, log, background, isAwaited = false, features = {}, watch }: EngineOptions,
  ) {
    this.paths = paths;
    this.log = log;
    this.features = features;
    this.#config = new LiveConfig(paths.config, { env, log });
    this.isBackground = background;
    this.#isAwaited = isAwaited;
    this.#index = new OpenIndex(paths.db, {
      log,
      onDrop: () => {
        this.#compared.clear();
        this.#seen.clear();
        this.#watched?.close();
      },
    });
    this.model = new LoadedModel({
      paths,
      log,
      isOffLoop: background,
      config: () => this.config(),
      onLoad: () => this.#embedInBackground(), // all again, if it is another than before
    });
    if (watch !== undefined) this.#watched = new WatchedFolders(paths.watched, watch);
  }

  /** The settings in force, with those of a place and of a session's variables; reloads changed files. */
  config(place?: Place, env?: Env): Config {
    return this.#config.at(place, env);
  }

  /** The index; opens it, or recreates it if it was deleted. */
  index(): Promise<Index> {
    return this.#index.get();
  }

  /** The memory that the vectors of the index take. */
  get vectorBytes(): number {
    return this.#index.vectorBytes;
  }

  /** Whether folders are being synced, or wait for it. */
  get isSyncing(): boolean {
    return this.#syncing !== undefined || this.#syncs.size > 0;
  }

  /** Whether it is embedding in the background. */
  get isEmbedding(): boolean {
    return this.#embedding !== undefined;
  }

  /** The vector of a prompt within `ms`, and the vectors of new memories; rejects if the model is still loading by then, or at work. */
  async embedWithin(text: string, ms: number): Promise<Float32Array> {
    const embedding = this.model.embed(text);
    const [vector] = await Promise.all([within(ms, embedding.vector), this.#embedNew(ms / 2)]);
    if (vector !== undefined) return vector;
    throw embedding.late();
  }

  /** The memories of some folders nearest to a new one, with how it stands to each; empty without a model. */
  async similar(
    ...[memory, folders]: Parameters<FindSimilar>
  ): Promise<readonly Similar[]> {
    try {
      const [index, embedder] = [await this.index(), await this.model.embedder()];
      const { similarMemories } = await import("../capture/remember.ts");
      return await similarMemories(memory, folders, { index, embedder });
    } catch (error) {
      if (error instanceof MemoError && error.kind === "model") return [];
      throw error;
    }
  }

  /** Asks a language model for a session, with its login and settings; undefined if there is none, or it may not. */
  askFor(
    env: Env,
    place: Place,
    ...purposes: readonly [PurposeName, ...PurposeName[]]
  ): Ask | undefined {
    const config = this.config(place, env);
    const asked = { paths: this.paths, env, cwd: place.cwd, config };
    if (purposes.every((purpose) => whyUnavailable(asked, purpose))) return undefined;
    return (question, signal) => askModel(question, { ...asked, signal });
  }

  /** Runs work that a prompt waits for; background embedding pauses meanwhile. */
  async first<T>(work: () => Promise<T>): Promise<T> {
    this.#prompts++;
    try {
      return await work();
    } finally {
      if (--this.#prompts === 0) { for (const resume of this.#quiet.splice(0)) resume(); }
    }
  }

  /** Syncs the index with a folder; calls that wait share one. Vectors and `MEMORY.md` follow in the background. */
  sync(folder: MemoryFolder): Promise<SyncResult> {
    this.#awaitedUntil = performance.now() + AWAITED_MS;
    const waiting = this.#syncs.get(folder.path);
    if (waiting !== undefined) return waiting;
    const sync = this.#enqueue(folder, async () => {
      this.#syncs.delete(folder.path);
      const result = await this.#syncWhole(folder);
      if (this.isBackground && isChange(result)) {
        const warn = (failed: string) => this.log("index file", { failed });
        this.#listing = this.#listing.then(() => this.#list(folder, warn));
      }
      return result;
    });
    this.#syncs.set(folder.path, sync);
    return sync;
  }

  /** Brings index and `MEMORY.md` in step with what has changed, at the cost of that; nothing is left to the caller. */
  async follow(
    changed: readonly ChangedFolder[],
    warn: (message: string) => void,
  ): Promise<readonly MemoryFolder[]> {
    await Promise.all(changed.map((one) => this.#follow(one, warn)));
    return [];
  }

  async #follow(
    { folder, paths }: ChangedFolder,
    warn: (message: string) => void,
  ): Promise<void> {
    this.#awaitedUntil = performance.now() + AWAITED_MS;
    const isFew = paths !== undefined && paths.length <= FEW_FILES;
    try {
      if (!isFew) await this.sync(folder);
      else await this.#enqueue(folder, () => this.#syncFew(folder, paths));
    } catch (error) {
      listFolder(folder, { warn }); // the files are there all the same
      throw error;
    }
    await this.#list(folder, warn);
  }

  /** Syncs with one folder after the other, and embeds afterwards. */
  #enqueue(folder: MemoryFolder, work: () => Promise<SyncResult>): Promise<SyncResult> {
    this.#folders.set(folder.path, folder);
    const sync = this.#queue.then(async () => {
      this.#syncing = { path: folder.path, isLong: false };
      const result = await work();
      if (isChange(result) || result.failed.length > 0) {
        this.log("sync", { folder: folder.path, ...result });
      }
      this.#embedInBackground();
      return result;
    });
    this.#queue = sync.catch((error) =>
      this.log("sync", { folder: folder.path, failed: messageOf(error) })
    ).finally(() => this.#syncing = undefined);
    return sync;
  }

  async #syncWhole(folder: MemoryFolder): Promise<SyncResult> {
    const pause = this.isBackground ? (files: number) => this.#pauseSync(files) : undefined;
    const result = await this.#index.mending(async (index) =>
      await syncFolder(index, folder, { pause, walker: this.#watched?.begin(folder) })
    );
    if (result.failed.length === 0) this.#watched?.ended(folder);
    const files = result.added + result.changed + result.unchanged;
    const unreadable = result.failed.map(({ path }) => path);
    this.#compared.set(folder.path, { at: performance.now(), files, unreadable });
    return result;
  }

  /** Syncs with some files of a folder that has been compared as a whole, else with all of them. */
  async #syncFew(folder: MemoryFolder, paths: readonly string[]): Promise<SyncResult> {
    const result = await this.#index.mending(async (index) =>
      this.#compared.has(folder.path) ? await syncFiles(index, folder, paths) : undefined
    );
    const last = this.#compared.get(folder.path); // none of an index that was rebuilt meanwhile
    if (result === undefined || last === undefined) return await this.#syncWhole(folder);
    const unreadable = last.unreadable.filter((path) => !paths.includes(path));
    unreadable.push(...result.failed.map(({ path }) => path));
    this.#compared.set(folder.path, { ...last, unreadable });
    return result;
  }

  /** Writes `MEMORY.md` from the index; from the files where the index has not been compared with them. */
  async #list(folder: MemoryFolder, warn: (message: string) => void): Promise<void> {
    const lines = async () => {
      const last = this.#compared.get(folder.path);
      return last && await (await this.index()).lines(folder, last.unreadable);
    };
    listFolder(folder, { lines: await lines().catch(() => undefined), warn });
  }

  /** Those of some folders of which everything is in the index that was written before this was asked. */
  async current(folders: readonly MemoryFolder[]): Promise<MemoryFolder[]> {
    await this.index(); // notices a deleted index here
    const watched = await this.#followWatched(folders, { isCertain: true });
    await this.#following;
    return watched.filter(({ path }) => this.#watched?.has(path));
  }

  /** Begins to sync with what has changed in watched folders, and returns these. */
  async #followWatched(
    folders: readonly MemoryFolder[],
    asked: { readonly isCertain: boolean },
  ): Promise<MemoryFolder[]> {
    if (!await this.#watched?.settled(asked)) return [];
    return folders.filter((folder) => {
      const paths = this.#watched!.take(folder);
      if (paths === undefined || paths.length === 0) return paths !== undefined;
      const warn = (failed: string) => this.log("index file", { failed });
      const follow = this.#follow({ folder, paths }, warn)
        .catch(() => this.#watched!.drop(folder.path)); // logged
      this.#following = Promise.all([this.#following, follow]);
      return true;
    });
  }

  /**
   * Syncs files that were saved without a hook, such as in an editor: what has changed in a watched folder, and all of
   * another, immediately if that is small or was never synced with this index, else after the prompt.
   */
  async freshen(folders: readonly MemoryFolder[]): Promise<void> {
    await this.index(); // notices a deleted index here
    const watched = await this.#followWatched(folders, { isCertain: false });
    for (const folder of folders) {
      if (watched.includes(folder)) continue;
      const last = this.#compared.get(folder.path);
      const isSyncing = this.#syncing?.path === folder.path;
      if (isSyncing && (last === undefined || this.#syncing?.isLong)) continue;
      if (last === undefined) {
        void this.sync(folder).catch(() => {}); // logged
      } else if (last.files <= QUICK_FILES) {
        const now = stampOf(folder);
        if (this.#seen.get(folder.path) === now) continue;
        this.#seen.set(folder.path, now);
        void this.sync(folder).catch(() => this.#seen.delete(folder.path)); // logged
      } else if (performance.now() - last.at > REST_MS) {
        void this.yieldToPrompts().then(() => this.sync(folder)).catch(() => {});
      }
    }
    if (!this.#syncing?.isLong) await this.#queue;
  }

  /** Has prompts go before a long sync that nobody waits for. */
  async #pauseSync(files: number): Promise<void> {
    const isLong = files > QUICK_FILES;
    if (this.#syncing !== undefined) this.#syncing.isLong = isLong;
    await (isLong && performance.now() > this.#awaitedUntil
      ? this.yieldToPrompts()
      : setImmediate());
  }

  /** Runs work on the index for which nobody waits, one after the other; vectors are computed afterwards. */
  async later(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    const round = this.#later.then(async () => {
      if (signal.aborted) return;
      await work(signal);
      this.#embedInBackground();
    });
    this.#later = round.catch(() => {}); // the caller has it
    await round;
  }

  /** Has the vectors of a few new memories made first, and waits: a prompt finds them by words alone till then. */
  async #embedNew(ms: number): Promise<void> {
    const embedding = this.#embedding;
    if (embedding === undefined) return;
    const waiting = await (await this.index()).queue.size();
    if (waiting === 0 || waiting > FEW_NEW) return;
    this.#hurriedUntil = performance.now() + ms;
    for (const resume of this.#quiet.splice(0)) resume();
    await within(ms, embedding);
  }

  /** Resolves when every passage is embedded. */
  async embedded(): Promise<void> {
    await this.#queue;
    await this.#later;
    await this.#embedding;
  }

  /** Runs work on the index; a damaged one is rebuilt from the folders in use, and the work retried once. */
  async withIndex<T>(work: (index: Index) => Promise<T>): Promise<T> {
    return await this.#index.mending(work, async () => {
      for (const folder of this.#folders.values()) await this.sync(folder);
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#queue.catch(() => {});
    await this.#listing;
    await this.#later;
    await this.#embedding;
    await this.#index.drop();
    await this.model.close();
  }

  /** Starts to embed passages without vectors; if that is in progress, repeats it once afterwards. */
  #embedInBackground(): void {
    if (!this.isBackground || this.#stop.signal.aborted) return;
    this.#embedAgain = this.#embedding !== undefined;
    this.#embedding ??= this.#embedAll().catch((error) => {
      this.log("embed", { failed: messageOf(error) });
    }).finally(() => {
      this.#embedding = undefined;
      if (this.#embedAgain) this.#embedInBackground();
    });
  }

  async #embedAll(): Promise<void> {
    const index = await this.index();
    const embedder = await this.model.embedder().catch(async (error) => {
      await index.judgeNew(undefined, { signal: this.#stop.signal });
      throw error;
    });
    if (await index.useModel(embedder.id, embedder.dimensions)) {
      this.log("embed", { found: "vectors of another model; rebuilding them" });
    }
    const start = performance.now();
    const texts = await embedAll(index, embedder, {
      isUrgent: this.#isAwaited,
      signal: this.#stop.signal,
      yieldToPrompts: () => this.yieldToPrompts(),
    });
    if (texts === 0) return;
    this.log("embed", { texts, ms: Math.round(performance.now() - start) });
  }

  /** Lets pending events run first, and waits while prompts are being answered. */
  async yieldToPrompts(): Promise<void> {
    await setImmediate();
    const isHurried = performance.now() < this.#hurriedUntil;
    if (this.#prompts > 0 && !isHurried) {
      await new Promise<void>((resolve) => this.#quiet.push(resolve));
    }
  }
}

function isChange({ added, changed, removed }: SyncResult): boolean {
  return added + changed + removed > 0;
}

/** A folder's files with their modification times, of many the first: equal as long as nothing has been saved. */
function stampOf(folder: MemoryFolder): string {
  const stamps = [folder.trust === undefined ? "" : fileStamp(folder.trust)];
  for (const { path, size, mtimeMs } of walkMemoryFiles(folder)) {
    if (stamps.push(`${path} ${size} ${mtimeMs}`) > 2 * QUICK_FILES) break;
  }
  return stamps.sort().join("\n");
}
