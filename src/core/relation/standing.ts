// What has become of the things that a memory names, as far as git tells: derived, kept in the index, and said wherever
// the memory is given.

import type { MemoryFolder } from "../memory/memory.ts";
import { neutraliseLine } from "../text/neutralise.ts";

/** A thing that is not what a memory says it is. */
export interface Drift {
  readonly verdict: "gone" | "moved" | "changed";
  /** The thing as the memory has it. */
  readonly thing: string;
  /** The value that the memory states, if that has changed. */
  readonly from?: string;
  /** Its new place or value. */
  readonly to?: string;
  /** The memory is about it. */
  readonly isMain?: boolean;
  /** The commit that it went or moved with. */
  readonly by?: Witness;
}

/** A commit that something went with. */
export interface Witness {
  readonly commit: string;
  /** `2026-03-03` */
  readonly day: string;
  readonly subject: string;
}

/** How a memory stands to the code of a work tree. */
export interface Standing {
  readonly drift: readonly Drift[];
  /** The branch that it comes from and that HEAD does not have. */
  readonly branch?: string;
  /** Since when nobody has that branch any more, in milliseconds since 1970. */
  readonly lostAt?: number;
}

/** The work trees of some folders' projects. */
export function topsOf(folders: readonly MemoryFolder[]): string[] {
  return [...new Set(folders.flatMap(({ top, project }) => top ?? project ?? []))];
}

/** What is known of how a memory stands to HEAD. */
export type HeadStatus = { readonly standing?: Standing | undefined };

/** Drifts of a memory that are said: one that has more is told of by these. */
const MOST = 4;
const CHARS = 120;
/** Maximum length of a value; what is longer, or has blanks, is a text that the repository brings. */
const VALUE_CHARS = 40;
const VERDICTS = ["gone", "moved", "changed"] as const;
const SAYS = { gone: "no longer in the code", moved: "moved", changed: "changed" } as const;

/** What has become of what a memory names, for the bracket behind its title; empty if nothing has. */
export function formatStatus({ standing }: HeadStatus): string[] {
  const { branch, drift = [] } = standing ?? {};
  const told = Map.groupBy(drift.slice(0, MOST), ({ verdict }) => verdict);
  const facts = VERDICTS.filter((verdict) => told.has(verdict))
    .map((verdict) => `${SAYS[verdict]}: ${told.get(verdict)!.map(formatDriftLine).join("; ")}`);
  const from = branch === undefined ? [] : [`from branch ${line(branch)}, not merged here`];
  return facts.length === 0 ? from : [...from, facts.join("; ")];
}

/** A drift without its verdict: `src/cart.ts → src/basket/cart.ts`; what the repository has now only where it looks like it. */
export function formatDriftLine({ verdict, thing, from, to = "" }: Drift): string {
  const old = [thing, ...from === undefined || from === thing ? [] : [from]].map(line).join(" ");
  const isPlain = /^\S+$/.test(to) && !/<[^\d=]/.test(to) &&
    to.length <= (verdict === "moved" ? CHARS : VALUE_CHARS);
  return isPlain ? `${old} → ${line(to)}` : old;
}

/** What became of a thing and with which commit: `cart.ts moved to src/cart.ts in a1b2c3d, 2026-03-03: Split it`. */
export function formatDrift({ verdict, thing, from, to, by }: Drift): string {
  const told = {
    gone: by === undefined ? "is no longer in the code" : "was removed",
    moved: `moved to ${to}`,
    changed: `changed from ${from} to ${to}`,
  };
  const commit = by === undefined ? "" : ` in ${by.commit.slice(0, 7)}, ${by.day}: ${by.subject}`;
  return neutraliseLine(`${thing} ${told[verdict]}${commit}`);
}

/** The same of a branch. */
export function formatBranch(branch: string): string {
  return neutraliseLine(`from branch ${branch}, which was deleted without being merged`);
}

/** Whether what a memory is about is gone. */
export function isMainGone({ standing }: HeadStatus): boolean {
  return standing?.drift.some(({ verdict, isMain }) => verdict === "gone" && isMain) === true;
}

/** A branch that has been gone for so long, unmerged, will not come back, in milliseconds. */
const LOST_MS = 30 * 86_400_000;

/** Whether a person is to decide about a memory: a branch that is not merged yet may still be. */
export function isLeftBehind({ drift, lostAt }: Standing, now: Date): boolean {
  return drift.length > 0 || (lostAt !== undefined && now.getTime() - lostAt >= LOST_MS);
}

/** Whether something that a memory says is not so any more; what has only moved still holds. */
export function isPast({ standing }: HeadStatus): boolean {
  return standing?.branch !== undefined ||
    standing?.drift.some(({ verdict }) => verdict !== "moved") === true;
}

function line(text: string): string {
  return neutraliseLine(text).slice(0, CHARS).toWellFormed();
}
