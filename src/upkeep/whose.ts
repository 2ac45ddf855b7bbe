// Finds the project of a session from the data that still exists: memo's notes about it, its transcript and its
// receipts.

import { closeSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { type Cursor, readCursors } from "../capture/cursor.ts";
import type { Source } from "../memory/memory.ts";
import { projectAt } from "../memory/project.ts";
import { placeIn } from "../memory/scopes.ts";
import type { Paths } from "../paths.ts";
import { readReceipts } from "../recall/receipts.ts";
import { sessionOf } from "../transcript/find.ts";

/** The project of a session: its root, `none` if it ran outside any, undefined if unknown. */
export type Whose = (source: Source) => string | "none" | undefined;

/** A transcript names its working directory in its first lines. */
const HEAD_BYTES = 256 * 1024;
const RECEIPTS = 100_000;

/** Looks up the projects of sessions. */
export function whose(paths: Paths): Whose {
  const cwds = new Map<string, string>();
  for (const { transcript, session, cwd } of readReceipts(paths.receipts, RECEIPTS)) {
    if (typeof cwd !== "string") continue;
    if (transcript !== undefined) cwds.set(transcript, cwd);
    if (session !== undefined) cwds.set(session, cwd);
  }
  for (const { transcript, cwd, projectDir = cwd } of readCursors(paths.capture)) {
    cwds.set(transcript, projectDir);
    cwds.set(sessionOf(transcript), projectDir);
  }
  const known = new Map<string, string | undefined>();
  const cwdOf = ({ transcript, session }: Source): string | undefined => {
    if (transcript === undefined) return session && cwds.get(session);
    if (!known.has(transcript)) {
      known.set(transcript, cwds.get(transcript) ?? cwdIn(transcript) ?? cwds.get(session ?? ""));
    }
    // A deleted session had the same project as its neighbours: Claude Code has a folder for each working directory.
    return known.get(transcript) ?? besides(transcript, cwds);
  };
  return (source) => {
    const cwd = cwdOf(source);
    return cwd === undefined ? undefined : projectAt(placeIn(paths, cwd, cwd))?.root ?? "none";
  };
}

/** The turns that memo has captured on this machine; memo wrote the files about them. */
export function capturedTurns(paths: Pick<Paths, "capture">): Set<string> {
  return new Set(readCursors(paths.capture).flatMap(({ turns }: Cursor) => turns));
}

function besides(transcript: string, cwds: ReadonlyMap<string, string>): string | undefined {
  const folder = dirname(transcript);
  const found = new Set<string>();
  for (const [other, cwd] of cwds) if (dirname(other) === folder) found.add(cwd);
  return found.size === 1 ? [...found][0] : undefined;
}

function cwdIn(transcript: string): string | undefined {
  try {
    const file = openSync(transcript, "r");
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      const text = bytes.subarray(0, readSync(file, bytes)).toString("utf8");
      const found = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
      return found === undefined ? undefined : JSON.parse(found);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // Claude Code deletes them after 30 days
  }
}
