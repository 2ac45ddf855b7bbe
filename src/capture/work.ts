// From a transcript to memory files, in portions, so that a kill at any moment loses nothing and doubles nothing:
// a portion's plan is kept with the cursor it leads to before anything of it is done, and doing it twice is doing it once.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import { UnusableAnswer } from "../llm/provider.ts";
import { advance, capturedBeside, cursorOf, noteSeen, sizeOf, type Whereabouts } from "./cursor.ts";
import { tell } from "./pieces.ts";
import type { Plan } from "./plan.ts";
import { defer, finish, type Job, noteDropped } from "./queue.ts";
import { readState, writeState } from "./state_file.ts";
import { readTurns } from "../transcript/turns.ts";
import type { Turn } from "../transcript/turn.ts";

/** What becomes of turns. */
export interface Pipeline {
  /** Decides what is to be written. Rejects when nobody could be asked: the turns are then offered again. */
  plan(
    turns: readonly Turn[],
    where: Whereabouts & { readonly signal: AbortSignal; readonly isLastTry?: boolean },
  ): Promise<Plan>;
  /** Does it; what has been done of it before is not done again. */
  apply(plan: Plan, where: Whereabouts): Promise<void>;
}

/** The way of a portion through the worker, in order. */
export const STEPS = ["read", "plan", "keep", "apply", "commit", "clear", "finish"] as const;
export type Step = typeof STEPS[number];

export interface WorkOptions {
  /** Capture's folder. */
  readonly capture: string;
  readonly pipeline: Pipeline;
  readonly log: Log;
  /** Turns with this much text are planned at once. */
  readonly portionChars?: number;
  /** Whether to begin with the first turn, though it may have been captured. */
  readonly again?: boolean | undefined;
  /** Aborted when the worker has to stop; it stops between two steps. */
  readonly signal: AbortSignal;
  now(): Date;
  /** What the model said last in a transcript, while that may not be in the file. */
  lastMessage(transcript: string): string | undefined;
  /** Is called when a step has been done; work goes on when it resolves. */
  after(step: Step): Promise<void>;
}

/** A portion whose plan has been made. */
interface Kept {
  readonly plan: Plan;
  readonly where: Whereabouts;
  /** The cursor's place once the plan is done. */
  readonly offset: number;
  readonly turns: readonly string[];
  /** How often it could not be done. */
  readonly attempts: number;
}

/** A few questions to a language model; what is planned is not asked again when the next portion fails. */
const PORTION_CHARS = 24_000;
/** Short turns wait until they have as much text together, most of what one question takes … */
const ENOUGH_CHARS = 4000;
/** … but no longer than this: other sessions want to know it, too. */
const PATIENCE_MS = 5 * 60_000;
/** After as many tries a piece of conversation without a usable answer is given up. */
const MAX_UNUSABLE = 3;
/** A plan that cannot be done as often is given up, and its turns are planned anew. */
const MAX_ATTEMPTS = 5;

/**
 * Captures what is new in a transcript. Rejects when that cannot be done now; what was done stays done. Resolves with
 * whether all of it was done: a little waits for more.
 */
export async function capture(job: Job, options: WorkOptions): Promise<boolean> {
  const where = whereaboutsOf(job);
  for await (const portion of portions(job, options)) {
    const { offset, passed, size } = portion;
    await step("read", options);
    const until = waitsUntil(job, portion);
    if (options.now() < until) {
      defer(options.capture, job, until);
      return false;
    }
    if (portion.turns.length > 0) {
      const isLastTry = job.attempts >= MAX_UNUSABLE;
      const plan = await options.pipeline.plan(portion.turns, {
        ...where,
        signal: options.signal,
        isLastTry,
      });
      await step("plan", options);
      keep(options.capture, { plan, where, ...reach(plan, portion), attempts: 0 });
      await step("keep", options);
      await complete(options);
      if (plan.dropped !== undefined) {
        noteDropped(options.capture, { ...job, because: plan.dropped }, options.now());
      }
      if (plan.rest !== undefined) throw new UnusableAnswer(plan.rest.because);
    } else if (passed.length > 0) advance(options.capture, { ...where, offset, turns: passed });
    if (portion.hasMore) continue;
    if (!portion.isOpen) noteSeen(options.capture, where, size);
    finish(options.capture, job);
    await step("finish", options);
  }
  return true;
}

/** How far the cursor goes when a plan is done: to the end of its portion, or to where an answer was of no use. */
function reach(
  { rest }: Plan,
  { offset, passed, turns }: Portion,
): Pick<Kept, "offset" | "turns"> {
  const last = turns.find(({ id }) => id === rest?.after);
  return last === undefined
    ? { offset, turns: passed }
    : { offset: last.end, turns: passed.slice(0, passed.indexOf(last.id) + 1) };
}

/** When a portion is to be captured that may wait for more. */
function waitsUntil(
  { since, isUrgent }: Job,
  { turns, chars, hasMore }: Portion,
): Date {
  const mayWait = !isUrgent && !hasMore && turns.length > 0 && chars < ENOUGH_CHARS;
  return new Date(mayWait ? Date.parse(since) + PATIENCE_MS : 0);
}

/** Has everything new in a transcript planned, and leaves it at that. */
export async function preview(job: Job, options: WorkOptions): Promise<void> {
  const { pipeline, signal } = options;
  for await (const { turns } of portions(job, options)) {
    if (turns.length > 0) await pipeline.plan(turns, { ...whereaboutsOf(job), signal });
  }
}

function whereaboutsOf({ transcript, cwd, projectDir, claude, isPlain }: Job): Whereabouts {
  return { transcript, cwd, projectDir, claude, isPlain };
}

/** Whether a plan was kept that is not done yet. */
export function hasKept(capture: string): boolean {
  return existsSync(planFile(capture));
}

/** Does what a plan that was kept has left to do. */
export async function complete(options: WorkOptions): Promise<void> {
  const { capture, pipeline, log } = options;
  const path = planFile(capture);
  const kept = readState(path) as Kept | undefined;
  if (kept === undefined) {
    if (existsSync(path)) log("capture", { failed: "the plan that was kept is damaged" });
    rmSync(path, { force: true });
    return;
  }
  const { plan, where, offset, turns, attempts } = kept;
  try {
    await pipeline.apply(plan, where);
  } catch (error) {
    if (attempts + 1 < MAX_ATTEMPTS) keep(capture, { ...kept, attempts: attempts + 1 });
    else {
      log("capture", { transcript: where.transcript, gaveUp: messageOf(error), attempts });
      rmSync(path, { force: true });
    }
    throw error;
  }
  await step("apply", options);
  advance(capture, { ...where, offset, turns });
  await step("commit", options);
  rmSync(path, { force: true });
  await step("clear", options);
}

interface Portion {
  /** What is to be captured. */
  readonly turns: readonly Turn[];
  /** All turns that it goes past, those too that another transcript had. */
  readonly passed: readonly string[];
  /** How much text `turns` have. */
  readonly chars: number;
  /** Where it ends. */
  readonly offset: number;
  /** The transcript's size before it was read. */
  readonly size: number;
  readonly hasMore: boolean;
  /** Whether the turn that is under way was left. */
  readonly isOpen: boolean;
}

/** What is new in a transcript, in portions. The next one is read when the one before has been dealt with. */
async function* portions(job: Job, options: WorkOptions): AsyncGenerator<Portion> {
  let from = options.again ? 0 : cursorOf(options.capture, job).offset;
  for (let hasMore = true; hasMore;) {
    const portion = await read(job, { ...options, from });
    yield portion;
    ({ offset: from, hasMore } = portion);
  }
}

/** The next turns of a transcript that have not been captured, up to the one that is under way. */
async function read(
  job: Job,
  { capture, lastMessage, again, from, portionChars = PORTION_CHARS }: WorkOptions & {
    readonly from: number;
  },
): Promise<Portion> {
  const { transcript, overAt = "" } = job;
  let offset = from;
  const size = sizeOf(transcript);
  const known = again ? new Set() : capturedBeside(capture, transcript);
  const turns: Turn[] = [];
  const passed: string[] = [];
  let chars = 0;
  const portion = (rest: Pick<Portion, "hasMore" | "isOpen">) => ({
    turns,
    passed,
    chars,
    offset,
    size,
    ...rest,
  });
  if (size === 0) return portion({ hasMore: false, isOpen: false });
  const options = { from, lastMessage: lastMessage(transcript) };
  for await (const turn of readTurns(transcript, options)) {
    // A later turn is under way by now: the last message was not its own.
    if (turn.open && turn.at > overAt) return portion({ hasMore: false, isOpen: true });
    // What a plan is made of belongs to one project.
    const isElsewhere = turns.length > 0 && turn.cwd !== turns[0]!.cwd;
    if (isElsewhere || chars >= portionChars) return portion({ hasMore: true, isOpen: false });
    passed.push(turn.id);
    offset = turn.end;
    if (known.has(turn.id)) continue;
    turns.push(turn);
    chars += tell(turn).length;
  }
  return portion({ hasMore: false, isOpen: false });
}

function keep(capture: string, kept: Kept): void {
  writeState(planFile(capture), kept, { durable: true });
}

function planFile(capture: string): string {
  return join(capture, "plan.json");
}

async function step(done: Step, { after, signal }: WorkOptions): Promise<void> {
  await after(done);
  signal.throwIfAborted();
}
