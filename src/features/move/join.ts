import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { moveFolder } from "../../core/change/incoming.ts";
import type { Follow } from "../../core/engine/jobs.ts";
import { noteUses, readUsage } from "../../core/ledger/usage.ts";
import type { MemoryFolder } from "../../core/memory/memory.ts";
import { isWithin, type KnownProject, projectOf } from "../../core/memory/project.ts";
import { recordRoot } from "../../core/memory/project_record.ts";
import { privateFolder } from "../../core/memory/scopes.ts";
import { moveTrust } from "../../core/memory/trust.ts";
import type { Paths } from "../../paths.ts";

/**
 * Moves all that memo keeps of a project to another root, merged with what it has of that: memories, archive, journal,
 * log, trust, use, and what features keep. Returns both folders; the index is the caller's to update.
 */
export async function joinProject(
  old: KnownProject,
  root: string,
  { paths, follows = [] }: { readonly paths: Paths; readonly follows?: readonly Follow[] },
): Promise<{ readonly from: MemoryFolder; readonly to: MemoryFolder }> {
  const from = privateFolder(old), to = privateFolder(projectOf(root, paths.claude));
  if (from.path !== to.path) {
    const uses = usesMoved(paths.usage, from.path, to.path);
    moveFolder(from, to);
    noteUses(paths.usage, uses);
  }
  recordRoot(to.path, root);
  await moveTrust(paths.trust, old.root, root);
  for (const follow of follows) await follow(paths, from, to);
  return { from, to };
}

/** The use of memories in a folder, for their paths in another one; none for a path that has a memory there. */
function usesMoved(file: string, from: string, to: string) {
  return [...readUsage(file)].flatMap(([path, { shown, used, lastShown, lastUsed }]) => {
    const moved = join(to, relative(from, path));
    if (!isWithin(path, from) || existsSync(moved)) return [];
    return [
      ...shown > 0 ? [{ path: moved, at: lastShown!, shown }] : [],
      ...used > 0 ? [{ path: moved, at: lastUsed!, used }] : [],
    ];
  });
}
