// Looks through the memories of a folder and tidies them: merges what says the same, and with a language model also
// drops what has expired and resolves contradictions. Everything is decided before anything is written, kept as a plan,
// applied as one change that can be reverted, and reported with its reasons.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ApplyOptions, carryOut } from "../../../core/change/carry_out.ts";
import { type ChangePlan, dropPlan, keepPlan, keptPlan } from "../../../core/change/change.ts";
import type { Surroundings } from "../../../core/change/follow.ts";
import { messageOf } from "../../../errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic.ts";
import { takeLock } from "../../../core/files/lock.ts";
import { newChangeId, readChanges } from "../../../core/ledger/change_log.ts";
import { DistinctPairs } from "../../../core/relation/relate.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import { readMemories } from "../../../core/memory/list.ts";
import { isSuspectMemory } from "../../../core/memory/provenance.ts";
import { byPath, memoryNow, walkMemoryFiles } from "../../../core/memory/folder.ts";
import { type Paths, shortHash } from "../../../paths.ts";
import { redactTexts } from "../../../core/redact/texts.ts";
import type { Ask } from "../../../../strategies/strategy.ts";
import { readState } from "../../../core/files/state.ts";
import { namesIn } from "../../../core/files/there.ts";
import { type DreamDraft, DreamFolder, type DreamStep, paced, type Pause } from "./dream_folder.ts";
import { findDuplicates } from "./duplicates.ts";
import { type DreamProposal, readProposals, refusalOf } from "./proposals.ts";
import { batchesOf, mostUrgent, type NearPaths, questionFor } from "./question.ts";

export interface DreamOptions {
  readonly paths: Pick<Paths, "dreams">;
  readonly now: Date;
  /** Asks a language model; without it, only what says the same is merged. */
  readonly ask?: Ask | undefined;
  /** The memories nearest to one in the index; without it, common words tell what is shown together. */
  readonly near?: ((path: string) => Promise<readonly string[]>) | undefined;
  /** Pairs that contradict each other in the index, the older one first. */
  readonly contradictions?: (() => Promise<readonly (readonly [string, string])[]>) | undefined;
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

/** What a dream did, or would do. */
export interface Dream {
  /** The id of its change. */
  readonly id: string;
  readonly at: string;
  readonly folder: string;
  /** Memories before and after. */
  readonly before: number;
  readonly after: number;
  readonly steps: readonly DreamStep[];
  /** Steps that were not done, because a memory was changed meanwhile. */
  readonly left: readonly DreamStep[];
  /** Proposals that were not carried out. */
  readonly refused: readonly {
    readonly op: string;
    readonly names: readonly string[];
    readonly because: string;
  }[];
  /** Why no language model was asked, or not about all of it. */
  readonly unasked?: string | undefined;
}

/** The share of a folder's memories that a dream drops at most, and the number that it always may. */
const DROP_SHARE = 0.25;
const DROP_ALWAYS = 3;
/** Reports that are kept of a folder. */
const REPORTS = 20;
/** A dream that lasts longer hangs, and its lock is taken over. */
const LOCK_FRESH_MS = 3_600_000;

/** A dream while it is planned. */
interface DreamRun extends DreamOptions {
  readonly drafts: DreamFolder;
  /** What speaks against changing some memories, whoever proposes it. */
  readonly objection: (targets: readonly DreamDraft[]) => string | undefined;
  /** Takes what is not carried out. */
  readonly refused: Dream["refused"][number][];
}

/** Decides what to do with the memories of a folder. Writes nothing; a model that does not answer is no failure. */
export async function planDream(folder: MemoryFolder, options: DreamOptions): Promise<Dream> {
  const { now, pause, force = false, id = newDreamId() } = options;
  const files = await readCalmly(folder, pause);
  const drafts = new DreamFolder(folder, files);
  const run: DreamRun = { ...options, drafts, objection: objectionsIn(folder, force), refused: [] };
  for (const { kept, others } of await findDuplicates(drafts.remaining, pause)) {
    const all = [kept, ...others].flatMap(({ path }) => drafts.find(path) ?? []);
    if (all.length <= others.length) continue; // one has changed since
    const because = run.objection(all);
    if (because === undefined) {
      drafts.merge(all[0]!, all.slice(1), { because: "they say the same thing" });
    } else run.refused.push({ op: "merge", names: namesOf(all), because });
  }
  const unasked = await askAbout(run);
  const steps = drafts.steps(id), before = files.length, after = before - countArchived(steps);
  return {
    ...{ id, at: now.toISOString(), folder: folder.path, before, after },
    ...{ steps, left: [], refused: run.refused, unasked },
  };
}

/** The memories of a folder, without those that wait for review; a command, which has no prompts to let by, asks the index. */
async function readCalmly(folder: MemoryFolder, pause?: Pause): Promise<MemoryFile[]> {
  const files: MemoryFile[] = [];
  if (folder.known !== undefined) files.push(...readMemories(folder).memories);
  else {
    const listed = await Array.fromAsync(paced(walkMemoryFiles(folder), pause));
    for await (const { path } of paced(listed.sort(byPath), pause)) {
      files.push(...[memoryNow(path, folder.scope) ?? []].flat());
    }
  }
  return files.filter((memory) => !isSuspectMemory(memory));
}

/** What the person has said of some memories that a dream is not to change. */
function objectionsIn(folder: MemoryFolder, force: boolean): DreamRun["objection"] {
  const changes = readChanges([folder]);
  const distinct = new DistinctPairs(changes);
  const undone = new Set(
    changes.filter((change) => !force && change.undone && isDreams(change))
      .flatMap(({ before }) => before?.digest ?? []),
  );
  return (targets) => {
    if (targets.some(({ digest }) => undone.has(digest))) {
      return "you undid it; `--force` does it again";
    }
    const isTwo = targets.some(({ memory }, i) =>
      targets.slice(i + 1).some((other) => distinct.has(memory, other.memory))
    );
    return isTwo ? "you said they are different" : undefined;
  };
}

/** Looks through a folder and applies what is decided; undefined if another process is dreaming about it. */
export async function dream(
  folder: MemoryFolder,
  options: DreamOptions & DreamSurroundings,
): Promise<Dream | undefined> {
  const { paths } = options;
  return await locked(folder, paths, async () => {
    await finish(folder, options);
    const planned = await planDream(folder, options);
    let undone: readonly unknown[] = [];
    if (planned.steps.length > 0) {
      keepPlan(planFile(paths, folder), { plan: { changes: planned.steps } });
      ({ left: undone } = await carryOut(planned.steps, options));
      dropPlan(planFile(paths, folder));
    }
    const steps = planned.steps.filter((step) => !undone.includes(step));
    const left = planned.steps.filter((step) => undone.includes(step));
    const result = { ...planned, after: planned.before - countArchived(steps), steps, left };
    writeReport(paths, result);
    return result;
  });
}

/** Finishes what a killed dream has left, unless it is still at work; resolves with whether there was something. */
export async function heal(
  folder: MemoryFolder,
  options: Pick<DreamOptions, "paths"> & DreamSurroundings,
): Promise<boolean> {
  if (keptPlan(planFile(options.paths, folder)) === undefined) return false;
  return await locked(folder, options.paths, async () => {
    await finish(folder, options);
    return true;
  }) ?? false;
}

/** Finishes the plan that a killed dream of a folder has left. */
async function finish(
  folder: MemoryFolder,
  options: Pick<DreamOptions, "paths"> & DreamSurroundings,
): Promise<void> {
  const path = planFile(options.paths, folder);
  const kept = keptPlan<{ plan: ChangePlan }>(path);
  // A plan that was changed to lead elsewhere is dropped.
  if (kept?.plan.changes.every((change) => change.folder.path === folder.path)) {
    await carryOut(kept.plan.changes, options);
  }
  dropPlan(path);
}

/** Works under the lock of a folder's dreams; undefined if another process holds it. */
async function locked<T>(
  folder: MemoryFolder,
  paths: DreamOptions["paths"],
  work: () => Promise<T>,
): Promise<T | undefined> {
  mkdirSync(paths.dreams, { recursive: true, mode: 0o700 });
  const release = takeLock(planFile(paths, folder).replace(/plan$/, "lock"), LOCK_FRESH_MS);
  if (release === undefined) return undefined;
  try {
    return await work();
  } finally {
    release();
  }
}

/** When the last dream of a folder was, in milliseconds since 1970, and how many memories it left; 0: none was. */
export function lastDreamOf(
  { path }: MemoryFolder,
  { dreams }: DreamOptions["paths"],
): { readonly at: number; readonly after: number } {
  const last = reportNames(dreams, path).at(-1);
  const { at, after = 0 } = (last && readState(join(dreams, last)) || {}) as Partial<Dream>;
  return { at: at === undefined ? 0 : Date.parse(at), after };
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
function isDreams({ group }: { readonly group?: string | undefined }): boolean {
  return group?.startsWith("dream-") ?? false;
}

/** Asks about all batches, and carries out what is allowed; returns why it could not ask. */
async function askAbout(run: DreamRun): Promise<string | undefined> {
  const { ask, now, signal, onProgress, drafts, objection, refused } = run;
  if (ask === undefined) {
    return "Only duplicates are merged: no language model is available";
  }
  const removals: (readonly [DreamProposal, readonly DreamDraft[]])[] = [];
  let unasked: string | undefined;
  const near = await nearIn(run);
  const all = await batchesOf(drafts.remaining, near, await run.contradictions?.().catch(() => []));
  const batches = mostUrgent(all);
  for (const [i, batch] of batches.entries()) {
    onProgress?.(i, batches.length);
    signal?.throwIfAborted();
    try {
      const proposals = readProposals(await ask(questionFor(batch, { now, near }), signal));
      for (const proposal of await withoutSecrets(proposals, run)) {
        const found = proposal.memories.map((n) => drafts.find(batch[n - 1]?.path ?? ""));
        const targets = found.filter((target) => target !== undefined);
        const because = objection(targets) ?? refusalOf(proposal, found, drafts);
        if (because !== undefined) {
          refused.push({ op: proposal.op, names: namesOf(targets), because });
        } else if (proposal.op === "merge") merge(proposal, targets, drafts);
        else removals.push([proposal, targets]);
      }
    } catch (error) {
      signal?.throwIfAborted();
      unasked = `The language model did not check all memories: ${messageOf(error)}`;
      break; // a provider that failed would fail for the next batch, too
    }
  }
  onProgress?.(batches.length, batches.length);
  remove(removals, run);
  return unasked ??
    (all.length > batches.length
      ? `The language model checked ${batches.length} of ${all.length} groups of memories`
      : undefined);
}

/** What the index has near each memory; an index that fails costs no more than that. */
async function nearIn({ drafts, near, signal }: DreamRun): Promise<NearPaths> {
  const found = new Map<string, readonly string[]>();
  for (const { path } of near === undefined ? [] : drafts.remaining) {
    signal?.throwIfAborted();
    found.set(path, await near!(path).catch(() => []));
  }
  return found;
}

/** Puts the text that the model proposes into the newest of its sources. */
function merge(
  { name, description, body, because }: DreamProposal,
  targets: readonly DreamDraft[],
  drafts: DreamFolder,
): void {
  const kept = targets.reduce((newest, each) => drafts.isOlder(newest, each) ? each : newest);
  const text = { body, ...name !== "" && { name }, ...description !== "" && { description } };
  drafts.merge(kept, targets.filter((target) => target !== kept), { because, text });
}

/** Removes what the model wants to remove, unless that is more than a model is trusted with. */
function remove(
  removals: readonly (readonly [DreamProposal, readonly DreamDraft[]])[],
  { drafts, refused, force = false }: DreamRun,
): void {
  const total = drafts.remaining.length;
  const most = Math.max(DROP_ALWAYS, Math.floor(DROP_SHARE * total));
  const isTooMuch = !force && removals.length > most;
  for (const [{ op, because }, targets] of removals) {
    const why = isTooMuch
      ? `the model would remove ${removals.length} of ${total} memories; the limit without \`--force\` is ${most}`
      : targets.some((target) => target.isGone)
      ? "a memory no longer exists"
      : undefined;
    if (why !== undefined) refused.push({ op, names: namesOf(targets), because: why });
    else if (op === "drop") drafts.drop(targets[0]!, because);
    else drafts.contradict(targets[0]!, targets[1]!, because);
  }
}

/** The proposals without secrets: a model can put a split one back together. */
async function withoutSecrets(
  proposals: readonly DreamProposal[],
  { patterns }: DreamOptions,
): Promise<DreamProposal[]> {
  const texts = proposals.map(({ op: _op, memories: _memories, ...texts }) => texts);
  const { value } = await redactTexts(texts, patterns);
  return proposals.map((proposal, i): DreamProposal => ({ ...proposal, ...value[i]! }));
}

function namesOf(drafts: readonly DreamDraft[]): string[] {
  return drafts.map(({ memory }) => memory.name);
}

function countArchived(steps: readonly DreamStep[]): number {
  return steps.filter(({ kind }) => kind === "archive").length;
}

function planFile({ dreams }: DreamOptions["paths"], { path }: MemoryFolder): string {
  return join(dreams, `${shortHash(path)}${shortHash(`${path}/`)}.plan`);
}

function writeReport({ dreams }: DreamOptions["paths"], report: Dream): void {
  const { at, id, folder } = report;
  const name = `${at.replace(/\W/g, "")}-${id}-${shortHash(folder)}.json`;
  writeFileAtomic(join(dreams, name), JSON.stringify(report, null, 1) + "\n");
  for (const old of reportNames(dreams, folder).slice(0, -REPORTS)) rmSync(join(dreams, old));
}

/** The files of a folder's reports, oldest first. */
function reportNames(dreams: string, folder: string): string[] {
  return namesIn(dreams).filter((name) => name.endsWith(`-${shortHash(folder)}.json`)).sort();
}
