// The guards that the user has switched on. They are the user's state: each names a memory and the content that the
// user said yes to, so that a rule that is changed, forgotten or not trusted guards nothing until it is asked about again.

import { changeState } from "../../core/files/state.ts";
import { readIfExists, statsOf } from "../../core/files/there.ts";
import { memoryNow } from "../../core/memory/folder.ts";
import type { MemoryFile, MemoryFolder } from "../../core/memory/memory.ts";
import { isWithin, type Place, placeIn, projectAt } from "../../core/memory/project.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { keyOf } from "../../core/memory/names.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { type Call, isPattern, matchesCall, type Pattern, readCall } from "./pattern.ts";
import { entriesOf } from "../../core/transcript/entries.ts";
import { sessionOf } from "../../core/transcript/find.ts";

/** What a guard does: it has Claude Code ask the user, or refuses. */
export const MODES = ["ask", "deny"] as const;
export type Mode = typeof MODES[number];

/** A guard that the user has switched on. */
export interface Guard {
  /** The memory with the rule. */
  readonly path: string;
  /** Its content when the user said yes (`keyOf`). */
  readonly key: string;
  readonly patterns: readonly Pattern[];
  readonly mode: Mode;
  /** ISO 8601. */
  readonly at: string;
}

/** A guard with its rule as it is now. */
export interface Standing {
  readonly guard: Guard;
  readonly rule: MemoryFile;
}

/** All guards; none if the file is damaged, which `memo guard` reports. */
export function readGuards(file: string): readonly Guard[] {
  const stats = statsOf(file);
  const stamp = stats === undefined ? "none" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
  if (loaded?.file === file && loaded.stamp === stamp) return loaded.guards;
  let guards: readonly Guard[] = [];
  try {
    guards = guardsIn(readIfExists(file));
  } catch {
    // it stops nothing
  }
  loaded = { file, stamp, guards };
  return guards;
}

let loaded:
  | { readonly file: string; readonly stamp: string; readonly guards: readonly Guard[] }
  | undefined;

/** Switches a guard on, in place of another one of the same rule. */
export async function addGuard(file: string, guard: Guard): Promise<void> {
  await change(file, (guards) => [...guards.filter(({ path }) => path !== guard.path), guard]);
}

/** Switches the guard of a rule off; false: there is none. */
export async function removeGuard(file: string, path: string): Promise<boolean> {
  let isThere = false;
  await change(file, (guards) => {
    isThere = guards.some((guard) => guard.path === path);
    return guards.filter((guard) => guard.path !== path);
  });
  return isThere;
}

/** The guard as it stands here: its rule is still there, says the same, and may be read; else why not. */
export function standingGuard(
  guard: Guard,
  folders: readonly MemoryFolder[],
): Standing | "elsewhere" | "forgotten" | "changed" | "not trusted" {
  const folder = folders.find(({ path }) => isWithin(guard.path, path));
  if (folder === undefined) return "elsewhere";
  const rule = memoryNow(guard.path, folder.scope);
  if (rule === undefined) return "forgotten";
  if (!mayRead(folder, rule.digest)) return "not trusted";
  return keyOf(rule) === guard.key && !isSuspectMemory(rule) ? { guard, rule } : "changed";
}

/** The guards that a file says; throws if it is damaged. */
function guardsIn(text: string | undefined): readonly Guard[] {
  if (text === undefined) return [];
  const { guards } = JSON.parse(text) as { readonly guards?: unknown };
  if (!Array.isArray(guards) || !guards.every(isGuard)) throw new Error("it is damaged");
  return guards;
}

function isGuard(value: unknown): value is Guard {
  const { path, key, patterns, mode, at } = (value ?? {}) as Partial<Guard>;
  return [path, key, at].every((field) => typeof field === "string") &&
    MODES.some((known) => known === mode) && Array.isArray(patterns) && patterns.length > 0 &&
    patterns.every(isPattern);
}

async function change(
  file: string,
  alter: (guards: readonly Guard[]) => readonly Guard[],
): Promise<void> {
  await changeState(file, (guards: readonly Guard[]) => ({ guards: alter(guards) }), {
    read: guardsIn,
    hint: "Remove the file to end all guards, then run `memo guard NAME` for each",
  });
}

/** A call that a guard stops. */
export interface Stop extends Standing {
  readonly pattern: Pattern;
}

export interface Where {
  /** The file of guards. */
  readonly guards: string;
  /** The memory folders that apply to the session. */
  readonly folders: readonly MemoryFolder[];
  /** The root of the project, which paths are relative to. */
  readonly root: string;
}

/** The guard that stops a call, the strictest first; undefined lets it through. */
export function stopFor(call: Call, { guards: file, folders, root }: Where): Stop | undefined {
  const guards = readGuards(file);
  if (guards.length === 0) return undefined;
  const read = readCall(call);
  if (read === undefined) return undefined;
  const stops = guards.flatMap((guard) => {
    const pattern = guard.patterns.find((pattern) => matchesCall(pattern, read, { root }));
    if (pattern === undefined) return [];
    const standing = standingGuard(guard, folders);
    return typeof standing === "string" ? [] : [{ ...standing, pattern }];
  });
  return stops.sort((a, b) => MODES.indexOf(b.guard.mode) - MODES.indexOf(a.guard.mode))[0];
}

/** Whether some guard stands in these folders. */
export function isGuarded(file: string, folders: readonly MemoryFolder[]): boolean {
  return readGuards(file).some((guard) => typeof standingGuard(guard, folders) !== "string");
}

/** A call of a past session that a guard would have stopped. */
interface TrialStop {
  readonly session: string;
  readonly at: string;
  /** The command line, or the file that was changed. */
  readonly call: string;
}

/** What a guard would have done in past sessions. */
export interface Trial {
  readonly sessions: number;
  /** Commands and changes of files that it would have looked at. */
  readonly calls: number;
  readonly stopped: readonly TrialStop[];
}

/** Tries patterns on the calls in transcripts; one that cannot be read is skipped. */
export async function tryOn(
  patterns: readonly Pattern[],
  transcripts: readonly string[],
  place: Place,
): Promise<Trial> {
  const stopped: TrialStop[] = [];
  let calls = 0;
  for (const transcript of transcripts) {
    try {
      for await (const entry of entriesOf(transcript)) {
        if (entry.kind !== "reply") continue;
        const { cwd = place.cwd, at, session = sessionOf(transcript) } = entry;
        for (const block of entry.blocks) {
          if (block.kind !== "call") continue;
          const read = readCall({ tool: block.name, input: block.input, cwd });
          if (read === undefined) continue;
          calls++;
          const root = projectAt(placeIn(place, cwd, cwd))?.top ?? cwd;
          if (!patterns.some((pattern) => matchesCall(pattern, read, { root }))) continue;
          stopped.push({
            session,
            at,
            call: read.files.join(" ") || String(block.input["command"]),
          });
        }
      }
    } catch {
      // deleted meanwhile
    }
  }
  return { sessions: transcripts.length, calls, stopped };
}
