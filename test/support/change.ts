import { addition, type Change, type FileChange } from "../../src/core/change/change.ts";
import { type Applied, carryOut, carryOutOne, type Done } from "../../src/core/change/carry_out.ts";
import type { Surroundings } from "../../src/core/change/follow.ts";
import type { Memory, MemoryFolder } from "../../src/core/memory/memory.ts";

/** Surroundings without an index. */
export function surroundings(now = new Date("2026-11-21T12:00:00Z")): Surroundings {
  return {
    now,
    sync: (changed) => Promise.resolve(changed.map(({ folder }) => folder)),
    warn: () => {},
  };
}

/** Makes changes where there is no index. */
export async function change(changes: readonly Change[], now?: Date): Promise<Applied> {
  return await carryOut(changes, surroundings(now));
}

/** Makes one change where there is no index. */
export async function changeOne(one: FileChange, now?: Date): Promise<Done> {
  return await carryOutOne(one, surroundings(now));
}

/** Adds a memory and returns its path. */
export async function add(memory: Memory, folder: MemoryFolder, now?: Date): Promise<string> {
  return (await changeOne(addition(memory, folder), now)).path;
}
