import { MemoError } from "../errors.ts";
import { findMemory, type Found } from "../memory/find.ts";
import { memoryFolders } from "../memory/scopes.ts";
import type { CliContext } from "./command.ts";

/** A memory that a person names, and whether it lies in the archive; archived ones come second. */
export function findAnywhere(
  name: string,
  { cwd, paths }: CliContext,
): Found & { readonly archived: boolean } {
  const folders = memoryFolders({ cwd, claude: paths.claude });
  try {
    return { ...findMemory(name, folders, { cwd }), archived: false };
  } catch (error) {
    if (!(error instanceof MemoError && error.kind === "not-found")) throw error;
    try {
      return { ...findMemory(name, folders, { cwd, archived: true }), archived: true };
    } catch (second) {
      // The nearest names are those of the memories that are there.
      throw second instanceof MemoError && second.kind === "not-found" ? error : second;
    }
  }
}
