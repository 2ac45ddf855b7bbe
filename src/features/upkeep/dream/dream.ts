// Looks through the memories of a folder and tidies them: merges what says the same, and with a language model also
// drops what has expired and resolves contradictions. Everything is decided before anything is written, kept as a plan,
// applied as one change that can be reverted, and reported with its reasons.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ApplyOptions } from "../../../core/change/apply.ts";
import { carryOut } from "../../../core/change/carry_out.ts";
import type { Plan } from "../../../core/change/change.ts";
import type { Surroundings } from "../../../core/change/follow.ts";
import { dropPlan, keepPlan, keptPlan } from "../../../core/change/keep.ts";
import { messageOf } from "../../../errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic.ts";
import { DistinctPairs } from "../../../core/relation/distinct.ts";
import { type Logged, newChangeId, readChanges } from "../../../core/ledger/change_log.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import { readMemories } from "../../../core/memory/list.ts";
import { isSuspectMemory } from "../../../core/memory/provenance.ts";
import {
  byPath,
  type ListedFile,
  memoryNow,
  walkMemoryFiles,
} from "../../../core/memory/folder.ts";
import { type Paths, shortHash } from "../../../paths.ts";
import { redactTexts } from "../../../core/redact/texts.ts";
import type { Ask } from "../../../../strategies/strategy.ts";
import { readState } from "../../../core/files/state.ts";
import { namesIn } from "../../../core/files/there.ts";
import { breathe, type Pause } from "./breathe.ts";
import { refusalOf } from "./check.ts";
import { type Draft, DreamFolder, type Step } from "./dream_folder.ts";
import { findDuplicates } from "./duplicates.ts";
import { lastDream, takeDreamLock } from "./lock.ts";
import { type Proposal, readProposals } from "./operations.ts";
import { batchesOf, mostUrgent, type Near, questionFor } from "./question.ts";

export interface DreamOptions {
  readonly paths: Pick<Paths, "dreams">;
  readonly now: Date;
  /** Asks a language model; without it, only what says the same is merged. */
  readonly ask?: Ask | undefined;
  /** The memories nearest to one in the index; without it, common words tell what is shown together. */
  readonly near?: ((path: string) => Promise<readonly string[]>) | undefined;
  /** The id of the change, for dreams about several folders that are undone together; default: a new one. */
  readonly id?: string | undefined;
  /** The user's own patterns of secrets. */
  readonly patterns: readonly RegExp[];
  /** Lets other work go first, every few memories; default: what waits for its turn. */
  readonly pause?: Pause | undefined;
  /** Drops any share of the memories, and does again what the user has undone. */
  readonly force?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Where a dream's changes are made. */
export type DreamSurroundings = Surroundings & Pick<ApplyOptions, "onStep">;

type Healing = Pick<DreamOptions, "paths"> & DreamSurroundings;

/** A proposal that was not carried out. */
export interface Refusal {
  readonly op: string;
  readonly names: readonly string[];
  readonly because: string;
}

/** What a dream did, or would do. */
export interface Dream {
  /** The id of its change. */
  readonly id: string;
  readonly at: string;
  readonly folder: string;
  /** Memories before and after. */
  readonly before: number;
  readonly after: number;
  readonly steps: readonly Step[];
  /** Steps that were not done, because a memory was changed meanwhile. */
  readonly left: readonly Step[];
  readonly refused: readonly Refusal[];
  /** Why no language model was asked, or not about all of it. */
  readonly unasked?: string | undefined;
}

/** The share of a folder's memories that a dream drops at most, and the number that it always may. */
const DROP_SHARE = 0.25;
const DROP_ALWAYS = 3;
const REPORTS = 20;

/** Decides what to do with the memories of a folder. Writes nothing; a model that does not answer is no failure. */
export async function planDream(folder: MemoryFolder, options: DreamOptions): Promise<Dream> {
  const { now, pause, force = false } = options;
  const files = await readCalmly(folder, pause);
  const drafts = new DreamFolder(folder, []);
  for (const [i, file] of files.entries()) {
    await breathe(i, pause);
    drafts.add(file);
  }
  const distinct = new DistinctPairs(readChanges([folder]));
  const undone = force ? new Set<string>() : undoneIn(folder);
  const refused: Refusal[] = [];
  for (const { kept, others } of await findDuplicates(drafts.remaining, pause)) {
    const [first, ...rest] = [kept, ...others].flatMap(({ path }) => drafts.find(path) ?? []) as [
      Draft,
      ...Draft[],
    ];
    const all = [first, ...rest];
    const because = all.some(({ digest }) => undone.has(digest))
      ? UNDONE
      : areDistinct(all, distinct)
      ? DISTINCT
      : undefined;
    if (because === undefined) drafts.merge(first, rest, { because: "they say the same" });
    else refused.push({ op: "merge", names: all.map(({ memory }) => memory.name), because });
  }
  const unasked = await askAbout(drafts, { ...options, undone, distinct, refused });
  const { id = newDreamId() } = options;
  return {
    id,
    at: now.toISOString(),
    folder: folder.path,
    before: files.length,
    after: files.length - drafts.steps(id).filter(({ kind }) => kind === "archive").length,
    steps: drafts.steps(id),
    left: [],
    refused,
    unasked,
  };
}

/** The memories of a folder, without those that wait for review; a command, which has no prompts to let by, asks the index. */
async function readCalmly(folder: MemoryFolder, pause?: Pause): Promise<MemoryFile[]> {
  if (folder.known !== undefined) {
    return readMemories(folder).memories.filter((memory) => !isSuspectMemory(memory));
  }
  const listed: ListedFile[] = [];
  for (const file of walkMemoryFiles(folder)) await breathe(listed.push(file), pause);
  const files: MemoryFile[] = [];
  for (const [i, { path }] of listed.sort(byPath).entries()) {
    await breathe(i, pause);
    const memory = memoryNow(path, folder.scope);
    if (memory !== undefined) files.push(memory);
  }
  return files.filter((memory) => !isSuspectMemory(memory));
}

/** Looks through a folder and applies what is decided; undefined if another process is dreaming about it. */
export async function dream(
  folder: MemoryFolder,
  options: DreamOptions & DreamSurroundings,
): Promise<Dream | undefined> {
  const { paths, now } = options;
  const lock = takeDreamLock(lockFile(paths, folder), now);
  if (lock === undefined) return undefined;
  let isDone = false;
  try {
    await healFolder(folder, options);
    const planned = await planDream(folder, options);
    const { steps } = planned;
    let left: readonly unknown[] = [];
    if (steps.length > 0) {
      keepPlan(planFile(paths, folder), { plan: { changes: steps } });
      ({ left } = await carryOut(steps, options));
      dropPlan(planFile(paths, folder));
    }
    isDone = true;
    const done = steps.filter((step) => !left.includes(step));
    const gone = done.filter(({ kind }) => kind === "archive").length;
    const result: Dream = {
      ...planned,
      after: planned.before - gone,
      steps: done,
      left: steps.filter((step) => left.includes(step)),
    };
    writeReport(paths, result);
    return result;
  } finally {
    lock.release(isDone);
  }
}

/** Finishes the plan that a killed dream of a folder has left. Call it under the lock. */
async function healFolder(
  folder: MemoryFolder,
  options: Healing,
): Promise<void> {
  const path = planFile(options.paths, folder);
  const kept = keptPlan<{ plan: Plan }>(path);
  // A plan that was changed to lead elsewhere is dropped.
  if (kept?.plan.changes.every((change) => change.folder.path === folder.path)) {
    await carryOut(kept.plan.changes, options);
  }
  dropPlan(path);
}

/** Finishes what a killed dream has left, unless it is still at work; resolves with whether there was something. */
export async function heal(
  folder: MemoryFolder,
  options: Healing,
): Promise<boolean> {
  const { paths, now } = options;
  if (keptPlan(planFile(paths, folder)) === undefined) return false;
  const lock = takeDreamLock(lockFile(paths, folder), now);
  if (lock === undefined) return false;
  try {
    await healFolder(folder, options);
    return true;
  } finally {
    lock.release(true);
  }
}

/** When the last dream of a folder began, and how many memories it left. */
export function lastDreamOf(
  folder: MemoryFolder,
  paths: DreamOptions["paths"],
): { readonly at: number; readonly after: number } {
  const report = readReports(paths).findLast((each) => each.folder === folder.path);
  return { at: lastDream(lockFile(paths, folder)), after: report?.after ?? 0 };
}

/** The reports of the last dreams, oldest first. */
export function readReports({ dreams }: DreamOptions["paths"]): Dream[] {
  return reportNames(dreams).flatMap((name) =>
    (readState(join(dreams, name)) as Dream | undefined) ?? [] // damaged, or just replaced
  );
}

/** An id for a dream. */
export function newDreamId(): string {
  return `dream-${newChangeId()}`;
}

/** The id of the last dream in some folders that has not been undone. */
export function lastDreamId(folders: readonly MemoryFolder[]): string | undefined {
  const last = readChanges(folders).findLast((change) => isDreams(change) && !change.undone);
  return last?.group?.split("/")[0];
}

/** Whether a change is a dream's. */
function isDreams({ group }: Logged): boolean {
  return group?.startsWith("dream-") ?? false;
}

/** The contents that a dream has changed and the user has restored: they are to stay as they are. */
function undoneIn(folder: MemoryFolder): Set<string> {
  return new Set(
    readChanges([folder]).filter((change) => isDreams(change) && change.undone)
      .flatMap(({ before }) => before?.digest ?? []),
  );
}

/** Whether a person has said that some of these are two. */
function areDistinct(drafts: readonly Draft[], distinct: DistinctPairs): boolean {
  return drafts.some(({ memory }, i) =>
    drafts.slice(i + 1).some((other) => distinct.has(memory, other.memory))
  );
}

const DISTINCT = "you have said that they are two";
const UNDONE = "you have undone it; `--force` does it again";

/** Asks about all batches, and carries out what is allowed; returns why it could not ask. */
async function askAbout(
  drafts: DreamFolder,
  options: DreamOptions & {
    readonly undone: ReadonlySet<string>;
    readonly distinct: DistinctPairs;
    /** Takes what is not carried out. */
    readonly refused: Refusal[];
  },
): Promise<string | undefined> {
  const { ask, now, signal, onProgress, undone, distinct, refused } = options;
  if (ask === undefined) {
    return "Only memories that say the same are merged: no language model may be asked";
  }
  const removals: Removal[] = [];
  let unasked: string | undefined;
  const { remaining } = drafts;
  const near = await nearIn(remaining, options);
  const all = await batchesOf(remaining, near);
  const batches = mostUrgent(all);
  for (const [i, batch] of batches.entries()) {
    onProgress?.(i, batches.length);
    signal?.throwIfAborted();
    try {
      const proposals = readProposals(await ask(questionFor(batch, { now, near }), signal));
      for (const proposal of await redactedAll(proposals, options)) {
        const targets = proposal.memories.map((number) =>
          drafts.find(batch[number - 1]?.path ?? "")
        );
        const names = targets.flatMap((target) => target?.memory.name ?? []);
        const isUndone = targets.some((target) => target && undone.has(target.digest));
        const present = targets.filter((target) => target !== undefined);
        const because = isUndone
          ? UNDONE
          : areDistinct(present, distinct)
          ? DISTINCT
          : refusalOf(proposal, targets, drafts);
        if (because !== undefined) refused.push({ op: proposal.op, names, because });
        else decide(proposal, targets as Draft[], { drafts, removals });
      }
    } catch (error) {
      signal?.throwIfAborted();
      unasked = `The language model was not asked about all memories: ${messageOf(error)}`;
      break; // a provider that failed would fail for the next batch, too
    }
  }
  onProgress?.(batches.length, batches.length);
  remove(removals, { drafts, refused, options });
  return unasked ??
    (all.length > batches.length
      ? `The language model was asked about ${batches.length} of ${all.length} groups of memories`
      : undefined);
}

/** What the index has near each memory; an index that fails costs no more than that. */
async function nearIn(
  memories: readonly MemoryFile[],
  { near, signal }: Pick<DreamOptions, "near" | "signal">,
): Promise<Near> {
  const found = new Map<string, readonly string[]>();
  for (const { path } of near === undefined ? [] : memories) {
    signal?.throwIfAborted();
    found.set(path, await near!(path).catch(() => []));
  }
  return found;
}

/** A memory to remove, once all are known: too many are none. */
interface Removal {
  readonly proposal: Proposal;
  readonly targets: readonly Draft[];
}

function decide(
  proposal: Proposal,
  targets: readonly Draft[],
  { drafts, removals }: { readonly drafts: DreamFolder; readonly removals: Removal[] },
): void {
  const { op, name, description, body, because } = proposal;
  if (op !== "merge") return void removals.push({ proposal, targets });
  const kept = newestOf(targets, drafts);
  const text = {
    body,
    ...name === "" ? {} : { name },
    ...description === "" ? {} : { description },
  };
  drafts.merge(kept, targets.filter((target) => target !== kept), { because, text });
}

/** Removes what the model wants to remove, unless that is more than a model is trusted with. */
function remove(
  removals: readonly Removal[],
  { drafts, refused, options: { force = false } }: {
    readonly drafts: DreamFolder;
    readonly refused: Refusal[];
    readonly options: DreamOptions;
  },
): void {
  const total = drafts.remaining.length;
  const most = Math.max(DROP_ALWAYS, Math.floor(DROP_SHARE * total));
  const isTooMuch = !force && removals.length > most;
  for (const { proposal: { op, because }, targets } of removals) {
    const names = targets.map(({ memory }) => memory.name);
    const isGone = targets.some((target) => target.isGone);
    const why = isTooMuch
      ? `the model would remove ${removals.length} of ${total} memories; without --force at most ${most}`
      : isGone
      ? "a memory that is gone"
      : undefined;
    if (why !== undefined) refused.push({ op, names, because: why });
    else if (op === "drop") drafts.drop(targets[0]!, because);
    else drafts.contradict(targets[0]!, targets[1]!, because);
  }
}

function newestOf(targets: readonly Draft[], drafts: DreamFolder): Draft {
  return targets.reduce((newest, each) => drafts.isOlder(newest, each) ? each : newest);
}

/** The proposals without secrets: a model can put a split one back together. */
async function redactedAll(
  proposals: readonly Proposal[],
  { patterns }: DreamOptions,
): Promise<Proposal[]> {
  const texts = proposals.map(({ name, description, body, because }) => ({
    name,
    description,
    body,
    because,
  }));
  const { value } = await redactTexts(texts, patterns);
  return proposals.map((proposal, i): Proposal => ({ ...proposal, ...value[i]! }));
}

function lockFile(paths: DreamOptions["paths"], folder: MemoryFolder): string {
  return planFile(paths, folder).replace(/plan$/, "lock");
}

function planFile({ dreams }: DreamOptions["paths"], { path }: MemoryFolder): string {
  return join(dreams, `${shortHash(path)}${shortHash(`${path}/`)}.plan`);
}

function writeReport({ dreams }: DreamOptions["paths"], report: Dream): void {
  mkdirSync(dreams, { recursive: true, mode: 0o700 });
  const name = `${report.at.replace(/\W/g, "")}-${report.id}-${shortHash(report.folder)}.json`;
  writeFileAtomic(join(dreams, name), JSON.stringify(report, null, 1) + "\n");
  for (const old of reportNames(dreams).slice(0, -REPORTS)) {
    rmSync(join(dreams, old), { force: true });
  }
}

function reportNames(dreams: string): string[] {
  return namesIn(dreams).filter((name) => name.endsWith(".json"));
}
