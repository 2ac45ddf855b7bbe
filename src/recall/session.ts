import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { shortHash } from "../paths.ts";

/** What one session of Claude Code was shown. It lies in a file, so that it outlives the daemon. */
export interface SessionState {
  /** Paths of the memories in the blocks it got. */
  readonly seen: readonly string[];
  /** Bytes of those blocks. */
  readonly bytes: number;
}

/** A session that was shown nothing. */
export const FRESH_SESSION: SessionState = { seen: [], bytes: 0 };
/** Sessions not heard of for this long are forgotten. */
const MAX_AGE_MS = 30 * 86_400_000;

/** The state of a session; a fresh one when there is none, or its file is damaged. */
export function loadSession(folder: string, session: string): SessionState {
  try {
    const state = JSON.parse(readFileSync(fileOf(folder, session), "utf8"));
    const seen = Array.isArray(state.seen)
      ? state.seen.filter((path: unknown) => typeof path === "string")
      : [];
    return { seen, bytes: Number.isFinite(state.bytes) ? Math.max(0, state.bytes) : 0 };
  } catch {
    return FRESH_SESSION;
  }
}

/** The state once a block with these memories in it has been shown. */
export function withShown(
  state: SessionState,
  block: string,
  paths: readonly string[],
): SessionState {
  return {
    seen: [...new Set([...state.seen, ...paths])],
    bytes: state.bytes + Buffer.byteLength(block),
  };
}

export function saveSession(folder: string, session: string, state: SessionState): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileAtomic(fileOf(folder, session), JSON.stringify(state) + "\n", { durable: false });
}

/** Starts a session afresh: after `clear` and `compact` the model no longer has what it was shown. */
export function resetSession(folder: string, session: string): void {
  rmSync(fileOf(folder, session), { force: true });
}

/** Removes the files of sessions that are long over. */
export function sweepSessions(folder: string, now: Date): void {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return; // no session yet
  }
  for (const name of names) {
    const path = join(folder, name);
    try {
      if (now.getTime() - statSync(path).mtimeMs > MAX_AGE_MS) rmSync(path);
    } catch {
      // another process was faster
    }
  }
}

/** A session id comes from outside: only a plain one becomes a file name as it is. */
function fileOf(folder: string, session: string): string {
  const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(session);
  return join(
    folder,
    `${plain ? session : "x-" + shortHash(session) + shortHash(session + "/")}.json`,
  );
}
