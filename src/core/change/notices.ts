// What memo has done to memories without a person at a terminal, until somebody has been told: capture ends after the
// answer, perhaps after the session.

import { readState, writeState } from "../files/state.ts";
import type { Against } from "./change.ts";

/** What is told of a change. */
export const NOTICED = ["saved", "updated", "forgot", "held", "offered"] as const;

/** A change that nobody has been told of. */
export interface Notice {
  readonly at: string;
  readonly what: typeof NOTICED[number];
  /** The memory's name. */
  readonly name: string;
  /** The name of the memory whose place it took. */
  readonly replaced?: string | undefined;
  /** The memory that it overtakes or contradicts, and that is still there. */
  readonly against?: Pick<Against, "kind" | "name"> | undefined;
  /** The memory folder: where it applies, its sessions are told. */
  readonly folder: string;
  /** The memory's file, without which there is nothing to tell but that it was forgotten. */
  readonly path?: string | undefined;
  /** The conversation that it comes from. */
  readonly session?: string | undefined;
}

/** Where nobody is ever told, the oldest are given up. */
const MOST = 50;

/** The notices that wait, oldest first. */
export function readNotices(path: string): Notice[] {
  const notices: unknown = readState(path);
  return Array.isArray(notices) ? notices.filter(isNotice) : [];
}

/** Leaves notices for the next hook that can show them; no hook speaks for a client without a session. */
export function leaveNotices(path: string, notices: readonly Notice[]): void {
  const left = notices.filter(({ session }) => session);
  if (left.length === 0) return;
  const isForgotten = ({ name, folder }: Notice) =>
    left.some((other) => other.what === "forgot" && other.name === name && other.folder === folder);
  const before = readNotices(path).filter((notice) => !isForgotten(notice));
  writeState(path, [...before, ...left].slice(-MOST));
}

/** Takes notices away that have been shown. */
export function dropNotices(path: string, shown: readonly Notice[]): void {
  const gone = new Set(shown.map((notice) => JSON.stringify(notice)));
  const left = readNotices(path).filter((notice) => !gone.has(JSON.stringify(notice)));
  writeState(path, left);
}

function isNotice(value: unknown): value is Notice {
  const { at, what, name, replaced = "", folder } = (value ?? {}) as Partial<
    Record<keyof Notice, unknown>
  >;
  return [at, name, replaced, folder].every((field) => typeof field === "string") &&
    NOTICED.some((known) => known === what);
}
