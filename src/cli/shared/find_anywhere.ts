import { MemoError } from "../../errors.ts";
import { findMemory, type FindOptions, type Found } from "../../memory/find.ts";
import { memoryFolders } from "../../memory/scopes.ts";
import type { CliContext } from "./command.ts";

/** A memory, and whether it is in the archive. */
export interface FoundAnywhere extends Found {
  readonly archived: boolean;
}

/** Finds a memory by name, first among those in use, then in the archive. */
export function findAnywhere(
  name: string,
  { cwd, place }: CliContext,
  options: Pick<FindOptions, "exact"> = {},
): FoundAnywhere {
  const folders = memoryFolders(place);
  try {
    return { ...findMemory(name, folders, { cwd, ...options }), archived: false };
  } catch (error) {
    if (!(error instanceof MemoError && error.kind === "not-found")) throw error;
    try {
      return { ...findMemory(name, folders, { cwd, archived: true, ...options }), archived: true };
    } catch (second) {
      // The first error suggests similar names among memories in use.
      throw second instanceof MemoError && second.kind === "not-found" ? error : second;
    }
  }
}
