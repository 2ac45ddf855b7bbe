// A person has paused memo in a session: with `memo pause`, or by switching Claude Code's auto memory off meanwhile.
// Nothing is recalled or captured then. Prompts of a pause are kept by id, or by their time where a client has none:
// their turns are never read later, in a fork of the session neither.

import { join } from "node:path";
import { appendLine, readLines } from "../files/jsonl.ts";
import { autoMemory } from "../memory/claude_settings.ts";
import type { OffSource } from "../files/off.ts";
import { offAt } from "../memory/off.ts";
import type { Place } from "../memory/project.ts";
import type { Paths } from "../../paths.ts";
import type { Prompt } from "./entry.ts";

/** What is known of pauses, one thing a line. */
interface PauseLine {
  readonly session: string;
  /** The person's word, of which the last counts. */
  readonly isPaused?: boolean;
  readonly prompt?: string | undefined;
  /** When it was typed, in milliseconds since 1970: what a client's prompt without an id is known by. */
  readonly at?: number | undefined;
  /** The session began with Claude Code's auto memory off: that it is off says nothing about memo. */
  readonly beganOff?: true;
}

/** Sessions of years; the rotated file is read too. */
const FILE = "paused.jsonl", MAX_BYTES = 1024 * 1024;
/** A hook and the client's own line about one prompt are at most this far apart. */
const NEAR_MS = 10_000;

/** Notes something about a session's pause. */
export function notePause({ capture }: Pick<Paths, "capture">, line: PauseLine): void {
  const at = line.prompt === undefined ? Date.now() : undefined;
  appendLine(join(capture, FILE), { ...line, at }, MAX_BYTES);
}

/** Pauses a session, or goes on. A busy daemon may hear of a prompt after its hook: the same one counts once. */
export function togglePause(
  paths: Pick<Paths, "capture">,
  { session, prompt }: Pick<PauseLine, "session" | "prompt">,
): void {
  const words = linesOf(paths.capture).filter((line) => line.isPaused !== undefined);
  if (prompt !== undefined && words.some((line) => line.prompt === prompt)) return;
  const last = words.findLast((line) => line.session === session);
  notePause(paths, { session, prompt, isPaused: last?.isPaused !== true });
}

/** Whether memo is paused in a session. */
export function isPaused(
  paths: Pick<Paths, "capture">,
  session: string,
  place: Pick<Place, "claude" | "home">,
): boolean {
  const lines = linesOf(paths.capture).filter((line) => line.session === session);
  if (lines.findLast((line) => line.isPaused !== undefined)?.isPaused) return true;
  return autoMemory(place).isOff && !lines.some(({ beganOff }) => beganOff);
}

/** Tells of a prompt in a transcript whether its turn is not to be read, and of a folder whether nothing in it is. */
export interface Paused {
  has(prompt: Pick<Prompt, "promptId" | "session" | "at">): boolean;
  isOff(cwd: string | undefined): boolean;
}

/** The prompts whose turns are not to be read, and the folders where memo is off. */
export function pausedPrompts(capture: string, off: OffSource): Paused {
  const lines = linesOf(capture).filter(({ beganOff }) => !beganOff);
  const ids = new Set(lines.map(({ prompt }) => prompt)), folders = new Map<string, boolean>();
  return {
    has({ promptId, session, at }) {
      if (promptId !== undefined) return ids.has(promptId);
      return lines.some((line) =>
        line.session === session && Math.abs(Date.parse(at) - (line.at ?? 0)) < NEAR_MS
      );
    },
    isOff(cwd = "") {
      if (cwd !== "" && !folders.has(cwd)) folders.set(cwd, offAt({ ...off, cwd }) !== undefined);
      return folders.get(cwd) ?? false;
    },
  };
}

function linesOf(capture: string): Partial<PauseLine>[] {
  return readLines(join(capture, FILE)) as Partial<PauseLine>[];
}
