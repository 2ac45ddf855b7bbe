import type { MemoryFolder } from "../../core/memory/memory.ts";
import { type Call, matchesCall, readCall } from "./call.ts";
import { MODES, readGuards, type Standing, standingGuard } from "./guards.ts";
import type { Pattern } from "./pattern.ts";

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
