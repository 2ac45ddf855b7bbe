// The guards that the user has switched on. They are the user's state: each names a memory and the content that the
// user said yes to, so that a rule that is changed, forgotten or not trusted guards nothing until it is asked about again.

import { join, relative } from "node:path";
import { changeState } from "../../core/files/state.ts";
import { orNothing, readIfExists } from "../../core/files/there.ts";
import { memoryNow } from "../../core/memory/folder.ts";
import type { MemoryFile, MemoryFolder } from "../../core/memory/memory.ts";
import { isWithin, type Place, placeIn, projectAt } from "../../core/memory/project.ts";
import { isSuspectMemory } from "../../core/memory/provenance.ts";
import type { Paths } from "../../paths.ts";
import { keyOf } from "../../core/memory/names.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { type GuardedCall, isPattern, matchesCall, type Pattern, readCall } from "./pattern.ts";
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

/** All guards; none if the file is damaged. */
export function readGuards(file: string): readonly Guard[] {
  return orNothing(() => guardsIn(readIfExists(file))) ?? [];
}

/** Takes the guards of rules in a folder along to another one. */
export async function moveGuards(
  { guards: file }: Pick<Paths, "guards">,
  from: MemoryFolder,
  to: MemoryFolder,
): Promise<void> {
  for (const guard of readGuards(file).filter(({ path }) => isWithin(path, from.path))) {
    const path = join(to.path, relative(from.path, guard.path));
    await setGuard(file, guard.path);
    await setGuard(file, path, { ...guard, path });
  }
}

/** Switches the guard of a rule on, in place of another one of it, or off. */
export async function setGuard(file: string, path: string, guard?: Guard): Promise<void> {
  const alter = (guards: readonly Guard[]) => [
    ...guards.filter((each) => each.path !== path),
    ...[guard ?? []].flat(),
  ];
  await changeState(file, (guards: readonly Guard[]) => ({ guards: alter(guards) }), {
    read: guardsIn,
    hint: "Delete the file to remove all guards, then run `memo guard NAME` for each",
  });
}

/** The rule of a guard as it stands here: it is still there, says the same, and may be read; else why not. */
export function standingRule(
  { path, key }: Guard,
  folders: readonly MemoryFolder[],
): MemoryFile | "elsewhere" | "forgotten" | "changed" | "not trusted" {
  const folder = folders.find((each) => isWithin(path, each.path));
  if (folder === undefined) return "elsewhere";
  const rule = memoryNow(path, folder.scope);
  if (rule === undefined) return "forgotten";
  if (!mayRead(folder, rule.digest)) return "not trusted";
  return keyOf(rule) === key && !isSuspectMemory(rule) ? rule : "changed";
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

/** The guard that stops a call, the strictest first, with its rule; undefined lets it through. */
export function stopFor(
  call: GuardedCall,
  { guards: file, folders, root }: {
    /** The file of guards. */
    readonly guards: string;
    /** The memory folders that apply to the session. */
    readonly folders: readonly MemoryFolder[];
    /** The root of the project, which paths are relative to. */
    readonly root: string;
  },
) {
  const guards = readGuards(file);
  const read = guards.length === 0 ? undefined : readCall(call);
  if (read === undefined) return undefined;
  const stops = guards.flatMap((guard) => {
    const pattern = guard.patterns.find((pattern) => matchesCall(pattern, read, root));
    if (pattern === undefined) return [];
    const rule = standingRule(guard, folders);
    return typeof rule === "string" ? [] : [{ guard, rule, pattern }];
  });
  return stops.sort((a, b) => MODES.indexOf(b.guard.mode) - MODES.indexOf(a.guard.mode))[0];
}

/** Whether some guard stands in these folders. */
export function isGuarded(file: string, folders: readonly MemoryFolder[]): boolean {
  return readGuards(file).some((guard) => typeof standingRule(guard, folders) !== "string");
}

/** What a guard would have done in past sessions: how many commands and changes of files it would have looked at. */
export type GuardTrial = Awaited<ReturnType<typeof tryOn>>;

/** Tries patterns on the calls in transcripts; one that cannot be read is skipped. */
export async function tryOn(
  patterns: readonly Pattern[],
  transcripts: readonly string[],
  place: Place,
) {
  const stopped: { session: string; at: string; call: string }[] = [];
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
          if (!patterns.some((pattern) => matchesCall(pattern, read, root))) continue;
          const call = read.files.join(" ") || String(block.input["command"]);
          stopped.push({ session, at, call });
        }
      }
    } catch {
      // deleted meanwhile
    }
  }
  return { sessions: transcripts.length, calls, stopped };
}
