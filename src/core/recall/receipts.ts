import { appendLine, readLastLines } from "../files/jsonl.ts";
import type { GateReason } from "./gate.ts";

/** The outcome of recall for one prompt. */
export type Outcome =
  | "hit"
  | "no hit"
  | "below threshold"
  | "nothing new"
  | "withheld" // for another reason than its score
  | "no room" // in what is left of the session's budget
  | "gated"
  | "timed out"
  | "no daemon" // the hook has answered by words; so with the next
  | "busy" // the daemon was at work on something else
  | "late" // the hook had given up waiting when the answer came
  | "failed";

/** A delivered memory. */
export interface ReceiptMemory {
  readonly path: string;
  /** undefined in a start block, where no memory is ranked. */
  readonly score?: number;
  /** What the score had to reach. */
  readonly threshold?: number;
  readonly strategy?: string;
  /** It was named without its text: with its path, or by its title alone. */
  readonly form?: "line" | "title";
}

/** A memory that came near and was dropped. */
export interface ReceiptMiss extends ReceiptMemory {
  readonly because: string;
}

/** The result of one prompt, or another event: one line in the state folder. */
export interface Receipt {
  /** ISO 8601. */
  readonly at: string;
  /** The hook event. */
  readonly event?: string | undefined;
  readonly session?: string | undefined;
  readonly prompt_id?: string | undefined;
  readonly cwd?: string | undefined;
  /** The session's transcript, which shows what was delivered. */
  readonly transcript?: string | undefined;
  readonly outcome: Outcome;
  /** Why it was gated, the failure, or what brought it while Claude was at work. */
  readonly why?: GateReason | string | undefined;
  /** The file that brought it, relative to the work tree's top. */
  readonly file?: string | undefined;
  readonly memories: readonly ReceiptMemory[];
  /** How many further memories a start block has by title. */
  readonly titles?: number | undefined;
  /** Which: the names of their files, by folder. */
  readonly listed?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The beginning of the prompt, without its secrets. */
  readonly prompt?: string | undefined;
  /** That of the prompt before, if it was searched for as well. */
  readonly before?: string | undefined;
  /** The best memories that were dropped, and why. */
  readonly misses?: readonly ReceiptMiss[];
  /** UTF-16 units of the block. */
  readonly chars: number;
  /** The name of the block, to find its delivery in the transcript. */
  readonly block?: string;
  /** Milliseconds of each step. */
  readonly ms: Readonly<Record<string, number>>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Appends a receipt. */
export function writeReceipt(path: string, receipt: Receipt): void {
  appendLine(path, receipt, MAX_BYTES);
}

/** Whether a receipt is a prompt's, and not that of another event, such as a session's start. */
export function isPrompt({ event = "UserPromptSubmit" }: Receipt): boolean {
  return event === "UserPromptSubmit";
}

/** Whether a line is a receipt, of whatever version: what is missing has no effect, what is malformed would. */
export function isReceipt(line: unknown): line is Receipt {
  const { at, memories, misses = [], ms, chars } = (line ?? {}) as Partial<Receipt>;
  const areNamed = (list: unknown) =>
    Array.isArray(list) && list.every((each) => typeof each?.path === "string");
  return typeof at === "string" && !Number.isNaN(Date.parse(at)) && areNamed(memories) &&
    areNamed(misses) && typeof ms === "object" && ms !== null && Number.isFinite(chars);
}

/** The last receipts, newest first. */
export function readReceipts(path: string, limit: number): Receipt[] {
  return readLastLines(path, limit) as Receipt[];
}
