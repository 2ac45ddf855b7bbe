import { readFileSync } from "node:fs";
import { basisOf, markOf } from "../memory/basis.ts";
import type { MemoryFile, MemoryFolder } from "../memory/memory.ts";
import { asMarked } from "../memory/provenance.ts";
import { addition, archival, type FileChange } from "./change.ts";

/** A memory with the folder that it is in. */
interface In {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
}

/**
 * Adds a memory to the project's repository, or takes it back out. A memory private to the project is archived there; one
 * of the user's, or of Claude Code's, applies elsewhere too and stays. The copy names neither its source conversation
 * nor the prompts that it is not for, which are private.
 */
export function sharing({ memory, folder }: In, to: MemoryFolder, group: string): FileChange[] {
  const isMoved = folder.scope === "project" || folder.scope === "shared";
  const change = { what: "share", group } as const;
  const original = readFileSync(memory.path, "utf8");
  const isUnmarked = basisOf(memory) === "elsewhere" && markOf(memory) === undefined;
  const same = isUnmarked ? asMarked(memory, "elsewhere") : memory; // whose word it is, its folder said
  return [
    addition({ ...same, source: undefined, never: undefined }, to, { original, ...change }),
    ...isMoved ? [archival({ memory, folder }, change)] : [],
  ];
}
