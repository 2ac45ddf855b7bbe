// Why a memory came with a prompt or stayed out, and why nothing came: the page and `memo recall` say it in these words.

import { shorten } from "../memory/title.ts";
import { visible } from "../text/neutralise.ts";
import { oneLine } from "../text/one_line.ts";
import type { Dropped } from "./fuse.ts";

/** Maximum characters of the prompt of the turn before. */
const BEFORE_CHARS = 60;

const CAME: Readonly<Record<string, string>> = {
  hybrid: "fits by words and meaning",
  keyword: "fits by words",
  recency: "is the most recent",
  sidequery: "picked by the language model",
  verify: "confirmed by the language model",
  trigger: "called by its name or trigger",
  sibling: "from the same conversation as another that fits",
  successor: "replaces one that fits",
};

const STAYED: Readonly<Record<Dropped["because"], string>> = {
  "not for such prompts": "kept away by `never`",
  "below threshold": "not near enough",
  "far below the best": "far below the best",
  "waits for the language model": "waited for the language model",
  "seen in this session": "in this conversation already",
  "written from this conversation": "written from this conversation",
  "held back": "held back for your review",
  faded: "faded: old, and not confirmed since",
  "repeats another": "says the same as another",
  "in MEMORY.md": "in MEMORY.md already",
  overtaken: "overtaken by a later one",
  "no room": "no room left",
};

/** A memory that was ranked for a prompt. */
export interface Considered {
  readonly strategy?: string | undefined;
  /** How it came; undefined: whole. */
  readonly form?: string | undefined;
  /** Why it stayed out; undefined: it came. */
  readonly because?: string | undefined;
  /** The name of the memory that has overtaken it. */
  readonly by?: string | undefined;
}

/** Why a memory came or stayed out; `before`: the prompt of the turn before, if that was searched for as well. */
export function reasonOf({ strategy, form, because, by }: Considered, before?: string): string {
  if (by !== undefined) return `overtaken by “${visible(by)}”`;
  if (because !== undefined) return STAYED[because as Dropped["because"]] ?? because;
  if (strategy === undefined) return "given";
  const came = CAME[strategy] ?? `by ${strategy}`;
  const how = before !== undefined && came.startsWith("fits")
    ? `by the turn before: “${visible(shorten(oneLine(before), BEFORE_CHARS))}”`
    : came;
  if (form === "title") return `${how}; likely, not sure: title only`;
  return form === "line" ? `${how}; its title, to look up` : how;
}

/** A memory that stayed out, with its score and what kept it out. */
export interface Miss extends Considered {
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
    return `Nothing with this prompt: ${outcome === "gated" ? why : outcome}`;
  }
  const start = nearest.isAtStart ? "; its title is in every session's start" : "";
  return `Nothing with this prompt. Nearest: ${formatMiss(nearest)}${start}.`;
}
