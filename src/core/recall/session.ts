import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic.ts";
import { namesIn, statsOf } from "../files/there.ts";
import { shortHash } from "../../paths.ts";

/** A block that was given to Claude Code; the transcript tells whether it is in context (`shown.ts`). */
export interface Delivered {
  /** Its name (`blockName`). */
  readonly block: string;
  readonly event: string;
  /** The prompt that it belongs to. */
  readonly prompt?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  /** The version of each memory in it (`versionOf`), by path. */
  readonly memories: Readonly<Record<string, string>>;
  /** The file that it came with, relative to the work tree's top. */
  readonly file?: string | undefined;
  /** The same for memories that it names without their text. */
  readonly listed?: Readonly<Record<string, string>>;
}

/**
 * The saved state of a session: a cache beside the transcript, which is authoritative but may not exist yet. It is
 * kept in a file, so that it outlives the daemon.
 */
export interface SessionState {
  /** Blocks that were in context or on their way to it when the state was saved, oldest first. */
  readonly delivered: readonly Delivered[];
  /** When Claude Code began or resumed the session, in milliseconds since 1970. */
  readonly begun: number;
  /** The transcript that a fork continues, until it has its own. */
  readonly parent?: string | undefined;
  /** Its start had nothing to say: no start block is missing. */
  readonly isBare?: boolean | undefined;
}

/** A session without blocks. */
export const FRESH_SESSION: SessionState = { delivered: [], begun: 0 };
/** Time without an event after which a session is forgotten. */
const MAX_AGE_MS = 30 * 86_400_000;

/** The state of a session; a fresh one if there is none, or its file is damaged. */
export function loadSession(folder: string, session: string): SessionState {
  try {
    const { handed: delivered, begun, parent, isBare } = JSON.parse(
      readFileSync(fileOf(folder, session), "utf8"),
    );
    return {
      delivered: Array.isArray(delivered) ? delivered.filter(isDelivered) : [],
      begun: Number.isFinite(begun) ? begun : 0,
      ...typeof parent === "string" && { parent },
      ...isBare === true && { isBare },
    };
  } catch {
    return FRESH_SESSION;
  }
}

function isDelivered(value: unknown): value is Delivered {
  const { block, event, at, bytes, memories } = (value ?? {}) as Partial<Delivered>;
  return typeof block === "string" && typeof event === "string" && Number.isFinite(at) &&
    Number.isFinite(bytes) && typeof memories === "object" && memories !== null;
}

/** Saves a session's state. */
export function saveSession(folder: string, session: string, state: SessionState): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { delivered, ...rest } = state;
  const text = JSON.stringify({ handed: delivered, ...rest }) + "\n";
  writeFileAtomic(fileOf(folder, session), text, { durable: false });
}

/** Resets a session: after `clear` and `compact` the model no longer has what it was shown. */
export function resetSession(folder: string, session: string): void {
  rmSync(fileOf(folder, session), { force: true });
}

/** The blocks with these names, from the states of all sessions. */
export function recordsOf(folder: string, blocks: ReadonlySet<string>): Delivered[] {
  if (blocks.size === 0) return [];
  const sessions = namesIn(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
  return sessions.flatMap((session) => loadSession(folder, session).delivered)
    .filter(({ block }) => blocks.has(block));
}

/** Removes the state files of sessions that ended long ago. */
export function sweepSessions(folder: string, now: Date): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statsOf(path) ?? {}; // another process may have removed it
    if (now.getTime() - mtimeMs > MAX_AGE_MS) rmSync(path, { force: true });
  }
}

/** A session's file. Its id is untrusted input: only a plain one becomes a file name unchanged. */
export function fileOf(folder: string, session: string, ending = ".json"): string {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(session);
  const name = isPlain ? session : `x-${shortHash(session)}${shortHash(session + "/")}`;
  return join(folder, name + ending);
}
