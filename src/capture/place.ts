import type { MemoryFolder } from "../memory/memory.ts";
import { type Place, projectAt } from "../memory/project.ts";
import { privateFolder, sharedFolderToWrite, userFolder } from "../memory/scopes.ts";
import type { Candidate } from "./candidate.ts";

/** Types that are about people and tools: they hold in every project unless the model says otherwise. */
const PERSONAL: readonly string[] = ["user", "feedback", "tool"];

/**
 * Where a captured memory goes: what is about the user to the user's folder, the rest to the project's private one.
 * Nothing goes into the repository unless the user has set `capture.scope` to `shared`.
 */
export function folderToWrite(
  { type, scope }: Pick<Candidate, "type" | "scope">,
  setting: string,
  place: Place,
): MemoryFolder {
  const project = projectAt(place);
  const isPersonal = (scope ?? (PERSONAL.includes(type) ? "user" : "project")) === "user";
  const isUsers = type === "user" || setting === "user" || (isPersonal && setting !== "project");
  if (project === undefined || isUsers) return userFolder(place);
  return setting === "shared" ? sharedFolderToWrite(project, place) : privateFolder(project);
}
