import { dirname, join } from "node:path";
import type { MemoryFolder } from "../memory/memory.ts";
import { type Place, projectFolder, projectFolderToWrite, realPath } from "../memory/scopes.ts";
import type { Candidate } from "./candidate.ts";

/** Types that are about people and tools: they hold in every project unless the model says otherwise. */
const PERSONAL: readonly string[] = ["user", "feedback", "tool"];

/**
 * Where a captured memory goes. Left to itself memo makes no folder in a repository: what is about the project goes there
 * when it has a memory folder, else to the user's.
 */
export function folderToWrite(
  { type, scope }: Pick<Candidate, "type" | "scope">,
  setting: string,
  place: Place,
): MemoryFolder {
  const user: MemoryFolder = { scope: "user", path: join(place.claude, "memory") };
  const isPersonal = type === "user" ||
    (scope ?? (PERSONAL.includes(type) ? "user" : "project")) === "user";
  if (setting === "user" || isPersonal) return user;
  const path = setting === "project" ? projectFolderToWrite(place) : projectFolder(place);
  // Outside a repository that may be Claude Code's own folder.
  if (path === undefined || realPath(dirname(path)) === realPath(place.claude)) return user;
  return { scope: "project", path };
}
