// The guards that the user has switched on. They are the user's state: each names a memory and the content that the
// user said yes to, so that a rule that is changed, forgotten or not trusted guards nothing until it is asked about again.

import { changeState } from "../../core/files/state.ts";
import { statsOf } from "../../core/files/stats.ts";
import { textIfThere } from "../../core/files/there.ts";
import { memoryNow } from "../../core/memory/folder.ts";
import type { MemoryFile, MemoryFolder } from "../../core/memory/memory.ts";
import { isWithin } from "../../core/memory/project.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import { keyOf } from "../../core/memory/suggested.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { isPattern, type Pattern } from "./pattern.ts";

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
    guards = guardsIn(textIfThere(file));
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
