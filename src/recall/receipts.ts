import { appendLine, readLastLines } from "../files/jsonl.ts";
import type { GateReason } from "./gate.ts";

/** How recall ended for one prompt. */
export type Outcome =
  | "hit"
  | "no hit"
  | "below threshold"
  | "nothing new"
  | "gated"
  | "timed out"
  | "no daemon"
  | "late" // the hook had given up waiting when the answer came
  | "failed";

/** A memory that was handed over. */
export interface ReceiptMemory {
  readonly path: string;
  /** undefined for what a session begins with: nothing was ranked. */
  readonly score?: number;
  readonly strategy?: string;
}

/** A memory that came near and was left out. */
export interface ReceiptMiss extends ReceiptMemory {
  readonly because: string;
}

/** What one prompt, or another event, got: one line in the state folder. */
export interface Receipt {
  /** ISO 8601. */
  readonly at: string;
  /** The hook event that was answered. */
  readonly event?: string | undefined;
  readonly session?: string | undefined;
  readonly prompt_id?: string | undefined;
  readonly cwd?: string | undefined;
  /** Where the session is written down: what was delivered can be told from it. */
  readonly transcript?: string | undefined;
  readonly outcome: Outcome;
  /** Why it was gated, or what failed. */
  readonly why?: GateReason | string | undefined;
  readonly memories: readonly ReceiptMemory[];
  /** What the prompt begins with, without its secrets. */
  readonly prompt?: string | undefined;
  /** The best memories that were left out, and why. */
  readonly misses?: readonly ReceiptMiss[];
  /** UTF-16 units of the block. */
  readonly chars: number;
  /** Names the block, so that its delivery can be told from the transcript. */
  readonly block?: string;
  /** Milliseconds of each step. */
  readonly ms: Readonly<Record<string, number>>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Appends a receipt. */
export function writeReceipt(path: string, receipt: Receipt): void {
  appendLine(path, receipt, MAX_BYTES);
}

/** Whether a receipt is a prompt's, and not that of a session's start, say. */
export function isPrompt({ event = "UserPromptSubmit" }: Receipt): boolean {
  return event === "UserPromptSubmit";
}

/** The last receipts, newest first. */
export function readReceipts(path: string, limit: number): Receipt[] {
  return readLastLines(path, limit) as Receipt[];
}
