import { ageInDays } from "../../memory/age.ts";
import type { MemoryFile } from "../../memory/memory.ts";

/** A memory as `memo list --json` prints it. */
export function describe(memory: MemoryFile, now: Date) {
  const { name, description, type, tags, scope, path, created, updated, problems } = memory;
  const days = ageInDays(memory, now);
  return { name, description, type, tags, scope, path, days, created, updated, problems };
}
