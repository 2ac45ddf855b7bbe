import { ageInDays } from "../../../core/memory/age.ts";
import { basisOf } from "../../../core/memory/provenance.ts";
import { idOf } from "../../../core/ledger/find.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import { visible } from "../../../core/text/neutralise.ts";

/** Beside the title of a file that a repository has brought and the user has not approved. */
export const UNTRUSTED = "! untrusted, see `memo trust`";

/** The type of a memory and its scope, which is not said twice where they have one word. */
export function sayKind(type: string, scope: string): [type: string, scope?: string] {
  return type === scope ? [scope] : [visible(type), scope];
}

/** A memory as `memo list --json` prints it. */
export function describe(memory: MemoryFile, folder: MemoryFolder, now: Date) {
  const { name, description, type, tags, scope, path, created, updated, problems } = memory;
  return {
    ...{ id: idOf(memory, folder), name, description, type, tags, scope, basis: basisOf(memory) },
    ...{ path, days: ageInDays(memory, now), created, updated, problems },
  };
}
