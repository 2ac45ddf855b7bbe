import { ageInDays } from "../../../core/memory/age.ts";
import { basisOf } from "../../../core/memory/provenance.ts";
import { idOf } from "../../../core/ledger/find.ts";
import type { MemoryFile, MemoryFolder } from "../../../core/memory/memory.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { existsSync } from "node:fs";
import { Index } from "../../../core/index/mod.ts";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { type Standing, topsOf } from "../../../core/relation/standing.ts";
import type { CliContext } from "./command.ts";

/** Next to the title of a file that came with a repository and that the user has not approved. */
export const UNTRUSTED = "! untrusted, see `memo trust`";

/** The type of a memory and its scope, which is not said twice where they have one word. */
export function kindColumns(type: string, scope: string): [type: string, scope?: string] {
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

/**
 * How the memories of a place stand to the code, by path, as the index last knew it; none where it cannot tell. With a
 * time those alone that a person is to decide about.
 */
export async function standingsHere(
  { paths, place }: Pick<CliContext, "paths" | "place">,
  now?: Date,
): Promise<ReadonlyMap<string, Standing>> {
  if (!existsSync(paths.db)) return new Map();
  try {
    const index = await Index.open(paths.db);
    const tops = topsOf(memoryFolders(place));
    return await index.standings.byPath(tops, now).finally(() => index.close());
  } catch {
    return new Map(); // `memo doctor` says what is wrong with it
  }
}
