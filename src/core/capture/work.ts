// Turns a transcript into memory files, in portions. A kill at any moment neither loses nor duplicates anything: a
// portion's plan is saved with its next cursor before it is applied, and applying it twice has the same effect as once.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { dropPlan, keepPlan, keptPlan } from "../change/change.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import type { OffSource } from "../files/off.ts";
import { offAt } from "../memory/off.ts";
import { UnusableAnswer } from "../llm/mod.ts";
import type { CapturePlan } from "./capture.ts";
import { ConversationProof } from "./conversation.ts";
import { advance, capturedBeside, cursorOf, type Location, sizeOf } from "./cursor.ts";
import { lastTurns, pieces, tell } from "./pieces.ts";
import { type CaptureJob, defer, finish, noteDropped } from "./queue.ts";
import { localTime } from "../text/counted.ts";
import { formatOf } from "../transcript/entries.ts";
import { pausedPrompts } from "../transcript/pause.ts";
import { readSummaries, readTurns, type Turn } from "../transcript/turns.ts";

/** How turns become memories. */
export interface Pipeline {
  /** Plans what to write. Rejects if no model could be asked: the turns are then offered again. */
  plan(
    turns: readonly Turn[],
    where: Location & {
      readonly signal: AbortSignal;
      readonly isLastTry?: boolean;
      /** What was read of the transcript for the portions before. */
      readonly conversation?: ConversationProof;
    },
  ): Promise<CapturePlan>;
  /** Applies a plan; steps already done are skipped. */
  apply(plan: CapturePlan, where: Location): Promise<void>;
}

/** The steps of a portion, in order. */
export const STEPS = ["read", "plan", "keep", "apply", "commit", "clear", "finish"] as const;
type CaptureStep = typeof STEPS[number];

export interface WorkOptions {
  readonly capture: string;
  /** Says in which folders memo is off. */
  readonly off: OffSource;
  readonly pipeline: Pipeline;
  readonly log: Log;
  /** Turns with this much text are planned at once. */
  readonly portionChars?: number;
  /** Whether to begin with the first turn, even if it was captured before. */
  readonly again?: boolean | undefined;
  /** Whether to take the transcript as it is, although its client may still write to it. */
  readonly isNow?: boolean;
  /** The turns of a conversation that is no file; the position of each is its number, counted from 1. */
  readonly turns?: readonly Turn[] | undefined;
  /** Aborted when the worker must stop; it stops between two steps. */
  readonly signal: AbortSignal;
  now(): Date;
  /** The model's last message in a transcript, while the file may lack it. */
  lastMessage(transcript: string): string | undefined;
  /** Called after each step; work continues when it resolves. */
  after(step: CaptureStep): Promise<void>;
}

interface Kept {
  readonly plan: CapturePlan;
  readonly where: Location;
  /** The cursor's position after the plan is applied. */
  readonly offset: number;
  readonly turns: readonly string[];
  readonly attempts: number;
}

/** Characters that are captured at a time, a few LLM calls: what is planned is not asked about again if a later one fails. */
const BATCH_CHARS = 24_000;
/** Short turns wait until together they fill most of one LLM call, but at most this long: other sessions need them too. */
const ENOUGH_CHARS = 4000, PATIENCE_MS = 5 * 60_000;
/** A client that writes late has done so after this; a transcript that is not there yet comes within a minute, or never. */
const LATE_MS = 5_000, MISSING_MS = 60_000;
/** A piece without a usable answer is dropped after this many tries. */
const MAX_UNUSABLE = 3;
/** A plan that fails this often is dropped, and its turns are planned anew. */
const MAX_ATTEMPTS = 5;

/**
 * Captures the new turns of a transcript. Rejects if that is impossible now; finished portions stay. Resolves with
 * whether everything was captured: a short rest waits for more text.
 */
export async function capture(job: CaptureJob, options: WorkOptions): Promise<boolean> {
  const { capture: folder } = options;
  const where = locationOf(job), begun = options.now().getTime();
  if (!options.isNow && isIncomplete(job, begun)) {
    defer(folder, job, new Date(begun + LATE_MS));
    return false;
  }
  await captureSummaries(job, options);
  const conversation = new ConversationProof(job.transcript);
  for (const turn of options.turns ?? []) await conversation.add(turn);
  for await (const batch of batches(job, options)) {
    const { turns, passed, offset } = batch;
    await step("read", options);
    const now = options.now();
    // A job of the future is of before the clock was set back.
    const queued = Date.parse(job.since), until = new Date(queued + PATIENCE_MS);
    const mayWait = !job.isUrgent && !batch.hasMore && turns.length > 0 &&
      batch.chars < ENOUGH_CHARS && queued <= now.getTime();
    if (mayWait && now < until) {
      defer(folder, job, until);
      return false;
    }
    if (turns.length > 0) {
      const isLastTry = job.attempts >= MAX_UNUSABLE;
      const plan = await planOf(turns, { ...where, conversation, isLastTry }, options);
      if (plan === undefined) return await capture(job, { ...options, portionChars: 1 });
      await step("plan", options);
      const { rest, dropped } = plan;
      // The cursor goes to the end of the portion, or to the unusable answer.
      const last = turns.find(({ id }) => id === rest?.after);
      const read = last === undefined ? passed : passed.slice(0, passed.indexOf(last.id) + 1);
      const kept = { plan, where, offset: last?.end ?? offset, turns: read, attempts: 0 };
      keepPlan(planFile(folder), kept);
      await step("keep", options);
      await complete(options);
      if (dropped !== undefined) noteDropped(folder, { ...job, because: dropped }, options.now());
      if (rest !== undefined) throw new UnusableAnswer(rest.because, undefined, rest.hint);
    } else if (passed.length > 0) advance(folder, { ...where, offset, turns: passed });
    if (batch.hasMore) continue;
    if (!batch.isOpen) advance(folder, { ...where, offset: 0, turns: [], seen: batch.size });
    finish(folder, job);
    await step("finish", options);
  }
  return true;
}

/** Plans everything new in a transcript without applying it. */
export async function preview(job: CaptureJob, options: WorkOptions): Promise<void> {
  for await (const { turns } of batches(job, options)) {
    if (turns.length > 0 && await planOf(turns, locationOf(job), options) === undefined) {
      return await preview(job, { ...options, portionChars: 1 });
    }
  }
}

/** The questions that some turns take, and the characters of conversation in them. */
export function questionsAbout(turns: readonly Turn[]): { questions: number; chars: number } {
  const batches: Turn[][] = [];
  let size = Infinity;
  for (const turn of turns) {
    if (size >= BATCH_CHARS || turn.cwd !== batches.at(-1)![0]!.cwd) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)!.push(turn);
    size += tell(turn).length;
  }
  const cut = batches.flatMap((batch) =>
    pieces(lastTurns(batch.map((turn) => ({ turn, text: tell(turn) }))))
  );
  return { questions: cut.length, chars: cut.reduce((sum, { text }) => sum + text.length, 0) };
}

/** The plan for turns without what cannot be read; undefined: one of several makes it fail, so each is planned alone. */
async function planOf(
  turns: readonly Turn[],
  where: Omit<Parameters<Pipeline["plan"]>[1], "signal">,
  { pipeline, signal, log }: WorkOptions,
): Promise<CapturePlan | undefined> {
  let left = turns.find(({ unread }) => unread !== undefined), because = left?.unread;
  let plan: CapturePlan = { changes: [] };
  try {
    plan = await pipeline.plan(turns, { ...where, signal });
  } catch (error) {
    // memo itself is at fault, and would be again: not the system, nor the language model.
    const isOwnFault = [TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind);
    if (signal.aborted || !isOwnFault) throw error;
    if (turns.length > 1) return undefined;
    [left, because] = [turns[0], messageOf(error)];
  }
  if (left === undefined) return plan;
  const { day, time } = localTime(new Date(left.at));
  const dropped = `Cannot read all of the turn of ${day} ${time}: ${because}`;
  log("capture", { session: left.session, dropped });
  return { dropped, ...plan };
}

/** Whether the client may still write what was said before the job was last asked for. */
function isIncomplete({ transcript, since, overAt = since }: CaptureJob, now: number): boolean {
  const passed = now - Date.parse(overAt);
  if (passed < 0) return false; // the clock was set back
  if (sizeOf(transcript) === 0) return passed < MISSING_MS;
  return passed < LATE_MS && formatOf(transcript)?.isWrittenLate === true;
}

/** Writes the journal entries of compactions, which need no language model and so wait for none. */
async function captureSummaries(job: CaptureJob, options: WorkOptions): Promise<void> {
  const { capture, again, off } = options;
  if (sizeOf(job.transcript) === 0) return;
  const where = locationOf(job);
  const { offset } = cursorOf(capture, job);
  const known = again ? new Set() : capturedBeside(capture, job.transcript);
  const reading = { from: again ? 0 : offset, paused: pausedPrompts(capture, off) };
  for await (const summary of readSummaries(job.transcript, reading)) {
    if (known.has(summary.id)) continue;
    const plan = await planOf([summary], where, options) ?? { changes: [] };
    keepPlan(planFile(capture), { plan, where, offset, turns: [summary.id], attempts: 0 });
    await complete(options);
  }
}

function locationOf({ transcript, cwd, projectDir, claude, isPlain }: CaptureJob): Location {
  return { transcript, cwd, projectDir, claude, isPlain };
}

/** Whether a saved plan is unfinished. */
export function hasKept(capture: string): boolean {
  return existsSync(planFile(capture));
}

/** Finishes the saved plan. */
export async function complete(options: WorkOptions): Promise<void> {
  const { capture, off, pipeline, log } = options;
  const path = planFile(capture);
  const kept = keptPlan<Kept>(path);
  if (kept === undefined) {
    if (existsSync(path)) log("capture", { failed: "the saved plan is damaged" });
    return dropPlan(path);
  }
  const { plan, where, offset, turns, attempts } = kept;
  if (offAt({ ...off, ...where }) !== undefined) return dropPlan(path); // switched off meanwhile
  try {
    await pipeline.apply(plan, where);
  } catch (error) {
    if (attempts + 1 < MAX_ATTEMPTS) keepPlan(path, { ...kept, attempts: attempts + 1 });
    else {
      log("capture", { transcript: where.transcript, gaveUp: messageOf(error), attempts });
      dropPlan(path);
    }
    throw error;
  }
  await step("apply", options);
  advance(capture, { ...where, offset, turns });
  await step("commit", options);
  dropPlan(path);
  await step("clear", options);
}

/** The new turns of a transcript in portions; each is read after the one before is handled. */
async function* batches(job: CaptureJob, options: WorkOptions) {
  // What a chat has in a place can have been edited.
  const isWhole = options.again || options.turns !== undefined;
  let from = isWhole ? 0 : cursorOf(options.capture, job).offset;
  for (let hasMore = true; hasMore;) {
    const batch = await portionFrom(from, job, options);
    yield batch;
    ({ offset: from, hasMore } = batch);
  }
}

/** The next uncaptured turns of a transcript, up to the turn in progress. */
async function portionFrom(
  from: number,
  { transcript, overAt = "" }: CaptureJob,
  { capture, off, lastMessage, again, portionChars = BATCH_CHARS, turns }: WorkOptions,
) {
  const batch = {
    /** The turns to capture, and the characters of text in them. */
    ...{ turns: [] as Turn[], chars: 0 },
    /** All turns that it skips or captures, including those already captured from another transcript. */
    passed: [] as string[],
    /** Its end in the transcript, in bytes, and the transcript's size before it was read. */
    ...{ offset: from, size: turns?.length ?? sizeOf(transcript) },
    /** Whether more follows, and whether the turn in progress was left out. */
    ...{ hasMore: false, isOpen: false },
  };
  if (batch.size === 0) return batch;
  const known = again ? new Set() : capturedBeside(capture, transcript);
  const paused = pausedPrompts(capture, off);
  const reading = { from, lastMessage: lastMessage(transcript), paused };
  for await (const turn of turns?.slice(from) ?? readTurns(transcript, reading)) {
    // A later turn has begun, so the last message belongs to that one.
    batch.isOpen = turn.open === true && turn.at > overAt;
    const isElsewhere = turn.cwd !== (batch.turns[0] ?? turn).cwd; // a plan belongs to one project
    batch.hasMore = !batch.isOpen && (isElsewhere || batch.chars >= portionChars);
    if (batch.isOpen || batch.hasMore) break;
    batch.passed.push(turn.id);
    batch.offset = turn.end;
    if (known.has(turn.id)) continue;
    batch.turns.push(turn);
    batch.chars += tell(turn).length;
  }
  return batch;
}

function planFile(capture: string): string {
  return join(capture, "plan.json");
}

async function step(done: CaptureStep, { after, signal }: WorkOptions): Promise<void> {
  await after(done);
  signal.throwIfAborted();
}
