// The store as it will be after a dream: nothing is written before all operations are decided. What belongs together
// gets one group, which is applied and reverted as a whole.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { changedAt } from "../../../core/memory/age.ts";
import type { Archive, Replace } from "../../../core/change/change.ts";
import type { ChangeKind } from "../../../core/ledger/change_log.ts";
import { memoryIn, serializeMemory } from "../../../core/memory/file.ts";
import {
  inheriting,
  LIMITS,
  type Memory,
  type MemoryFile,
  type MemoryFolder,
  predecessors,
} from "../../../core/memory/memory.ts";
import { digestOf } from "../../../core/memory/trust.ts";
import { orNothing } from "../../../core/files/there.ts";

/** A memory as it is, and as it will be. */
export interface DreamDraft {
  readonly file: MemoryFile;
  readonly original: string;
  readonly digest: string;
  memory: Memory;
  /** Whether it goes to the archive. */
  isGone: boolean;
  /** The last operation on it; undefined: none. */
  what?: ChangeKind;
  because: string[];
  group: number;
}

/** A change of a dream, with the memory's name before. */
export type DreamStep = (Replace | Archive) & { readonly name: string };

/** The memories of one folder during a dream; a file is read when something may be done to its memory. */
export class DreamFolder {
  readonly folder: MemoryFolder;
  /** By path, with the number of its place. */
  readonly #files: Map<string, { readonly file: MemoryFile; readonly group: number }>;
  readonly #drafts = new Map<string, DreamDraft>();
  /** Those drafts that belong together. */
  readonly #groups = new Map<number, readonly DreamDraft[]>();

  constructor(folder: MemoryFolder, files: readonly MemoryFile[]) {
    this.folder = folder;
    const sound = files.filter(({ problems }) => problems.length === 0);
    this.#files = new Map(sound.map((file, group) => [file.path, { file, group }]));
  }

  /** The memories that are still there, with their present texts. */
  get remaining(): MemoryFile[] {
    return [...this.#files.values()].flatMap(({ file }) => {
      const draft = this.#drafts.get(file.path);
      return draft === undefined ? file : draft.isGone ? [] : { ...file, ...draft.memory };
    });
  }

  /** The draft of a memory that is still there. */
  find(path: string): DreamDraft | undefined {
    const draft = this.#drafts.get(path) ?? this.#read(path);
    return draft?.isGone ? undefined : draft;
  }

  #read(path: string): DreamDraft | undefined {
    const { file, group } = this.#files.get(path) ?? {};
    if (file === undefined || group === undefined) return undefined;
    const bytes = orNothing(() => readFileSync(path)), digest = bytes && digestOf(bytes);
    // Another content than the one that was listed: not now.
    if (bytes === undefined || digest === undefined || digest !== file.digest) {
      this.#files.delete(path);
      return undefined;
    }
    const original = bytes.toString("utf8"), memory = memoryIn(original, path);
    const draft = { file, original, digest, memory, isGone: false, because: [], group };
    this.#drafts.set(path, draft);
    this.#groups.set(group, [draft]);
    return draft;
  }

  /** Puts what some memories have into one of them, and the others into the archive. */
  merge(
    kept: DreamDraft,
    others: readonly DreamDraft[],
    { because, text = {} }: {
      readonly because: string;
      readonly text?: Partial<Pick<Memory, "name" | "description" | "body">>;
    },
  ): void {
    const [own, ...rest] = [kept, ...others].map(({ memory }) => memory) as [Memory, ...Memory[]];
    const all = [own, ...rest];
    const dates = all.flatMap(({ created }) => created ?? []).sort();
    const updated = all.flatMap(({ updated }) => updated ?? []).sort();
    const union = (key: "triggers" | "tags" | "never") => [
      ...new Set(all.flatMap((each) => each[key] ?? [])),
    ];
    const never = union("never"), replaced = others.map(({ file }) => basename(file.path));
    kept.memory = {
      ...inheriting(own, rest),
      ...text,
      triggers: union("triggers").slice(0, LIMITS.triggers),
      tags: union("tags"),
      ...never.length > 0 && { never },
      pinned: all.some(({ pinned }) => pinned),
      // Nothing becomes surer or fresher by a merge.
      confidence: Math.min(...all.map(({ confidence }) => confidence)),
      created: own.created === undefined ? undefined : dates[0],
      updated: own.updated === undefined ? undefined : updated.at(-1),
      supersedes: predecessors(...own.supersedes, ...replaced),
    };
    this.#note([kept, ...others], "merge", because);
    for (const other of others) other.isGone = true;
  }

  /** Puts a memory into the archive. */
  drop(draft: DreamDraft, because: string): void {
    draft.isGone = true;
    this.#note([draft], "drop", because);
  }

  /** Puts the older of two into the archive, which the newer one names by its file. */
  contradict(older: DreamDraft, newer: DreamDraft, because: string): void {
    const supersedes = predecessors(...newer.memory.supersedes, basename(older.file.path));
    newer.memory = { ...inheriting(newer.memory, [older.memory]), supersedes };
    older.isGone = true;
    this.#note([newer, older], "contradiction", because);
  }

  /** Whether a memory was last changed before another. */
  isOlder(a: DreamDraft, b: DreamDraft): boolean {
    return changedAt({ ...a.file, ...a.memory }) < changedAt({ ...b.file, ...b.memory });
  }

  /** The steps to the decided state, in groups; the text that stays is written first. */
  steps(run: string): DreamStep[] {
    const touched = [...this.#drafts.values()].filter(({ what }) => what !== undefined);
    return touched.sort((a, b) => a.group - b.group || Number(a.isGone) - Number(b.isGone))
      .map((draft): DreamStep => {
        const { file, digest, what, because, group, memory, original, isGone } = draft;
        const { path, name } = file, { folder } = this;
        const change = {
          ...{ path, folder, name, before: digest, what: what! },
          because: [...new Set(because)].join("; "),
          group: `${run}/${folder.scope}-${group}`,
        };
        return isGone
          ? { kind: "archive", ...change }
          : { kind: "replace", ...change, text: serializeMemory(memory, original) };
      });
  }

  #note(drafts: readonly DreamDraft[], what: ChangeKind, because: string): void {
    const [{ group }] = drafts as [DreamDraft];
    const joined = new Set(drafts.map((draft) => draft.group));
    const members = [...joined].flatMap((each) => this.#groups.get(each) ?? []);
    for (const member of members) member.group = group;
    for (const each of joined) this.#groups.delete(each);
    this.#groups.set(group, members);
    for (const draft of drafts) {
      draft.what = what;
      draft.because.push(because);
    }
  }
}

/** Lets other work go first. */
export type Pause = () => Promise<void>;

/** Memories that are looked at in one go, for some milliseconds; the daemon answers prompts in between. */
const STEP = 5;

/** Gives items one after the other, and lets other work go first every few of them: unless it is said how, what waits for its turn alone. */
export async function* paced<T>(
  items: Iterable<T>,
  pause: Pause = () => setImmediate(),
): AsyncGenerator<T> {
  let round = 0;
  for (const item of items) {
    if (++round % STEP === 0) await pause();
    yield item;
  }
}
