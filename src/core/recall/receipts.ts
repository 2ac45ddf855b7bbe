import { appendLine, readLastLines } from "../files/jsonl.ts";
import type { GateReason } from "./gate.ts";
import { shorten } from "../memory/title.ts";
import { oneLine, visible } from "../text/neutralise.ts";

/** The outcome of recall for one prompt. */
export type RecallOutcome =
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
  /** What speaks most for it, by the names of features. */
  readonly reasons?: readonly string[];
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
  readonly outcome: RecallOutcome;
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

// Why a memory came with a prompt or stayed out, and why nothing came: the page and `memo recall` say it in these words.
/** Maximum characters of the prompt of the turn before. */
const BEFORE_CHARS = 60;

const CAME: Readonly<Record<string, string>> = {
  hybrid: "matched on words and meaning",
  keyword: "matched on words",
  recency: "most recent",
  sidequery: "picked by the language model",
  verify: "confirmed by the language model",
  trigger: "exact match for its name or trigger",
  sibling: "from the same conversation as a match",
  successor: "replaces a match",
};

/** Why a memory that was found is dropped, and the words for it. */
const STAYED = {
  "not for such prompts": "excluded by `never`",
  "below threshold": "score too low",
  "far below the best": "score far below the best",
  "waits for the language model": "not confirmed by the language model in time",
  "seen in this session": "already in this conversation",
  "written from this conversation": "written from this conversation",
  "held back": "needs your review",
  faded: "faded: old and not confirmed since",
  "repeats another": "same as another memory",
  "in MEMORY.md": "already in MEMORY.md",
  overtaken: "replaced by a newer one",
  "no room": "no room left",
} as const;
export type DropReason = keyof typeof STAYED;

/** A memory that was ranked for a prompt: how it came (default: whole), or why it stayed out, and what has overtaken it. */
export type Considered =
  & Pick<ReceiptMemory, "reasons">
  & {
    readonly [key in "strategy" | "form" | "because" | "by"]?: string | undefined;
  };

/** Why a memory came or stayed out; `before`: the prompt of the turn before, if that was searched for as well. */
export function reasonOf(
  { strategy, form, because, by, reasons = [] }: Considered,
  before?: string,
): string {
  if (by !== undefined) return `replaced by “${visible(by)}”`;
  if (because !== undefined) return STAYED[because as DropReason] ?? because;
  if (strategy === undefined) return "given";
  const came = reasons.length > 0
    ? `matched on ${reasons.join(" and ")}`
    : CAME[strategy] ?? `by ${strategy}`;
  const how = before !== undefined && came.startsWith("matched")
    ? `matched the previous prompt: “${visible(shorten(oneLine(before), BEFORE_CHARS))}”`
    : came;
  if (form === "title") return `${how}; possibly relevant, title only`;
  return form === "line" ? `${how}; title and path only` : how;
}

interface Miss extends Considered {
  readonly title: string;
  readonly score: number;
  /** A receipt of an older memo has none. */
  readonly threshold?: number | undefined;
}

/** A memory that stayed out, in words: “Use pnpm” 0.26, needs 0.35. */
export function formatMiss({ title, score, threshold, ...miss }: Miss): string {
  const isLow = miss.because === "below threshold" && threshold !== undefined;
  const reason = isLow ? `needs ${threshold}` : reasonOf(miss);
  return `${title} ${score.toFixed(2)}, ${reason}`;
}

/** That nothing comes with a prompt: why, or what is nearest, and whether each session has its title. */
export function formatNothing(
  { outcome, why, nearest }: {
    readonly outcome: string;
    readonly why?: string | undefined;
    readonly nearest?: (Miss & { readonly isAtStart: boolean }) | undefined;
  },
): string {
  if (nearest === undefined) {
    return `Nothing recalled: ${outcome === "gated" ? why : outcome}`;
  }
  const start = nearest.isAtStart ? "; its title is shown at session start" : "";
  return `Nothing recalled. Nearest: ${formatMiss(nearest)}${start}.`;
}
