import type { MemoryFolder } from "../memory/memory.ts";
import { type Place, projectAt } from "../memory/project.ts";
import { privateFolder, sharedFolderToWrite, userFolder } from "../memory/scopes.ts";
import type { Candidate } from "./candidate.ts";

/** Types about people and tools, which hold in every project unless the model says otherwise. */
const PERSONAL: readonly string[] = ["user", "feedback", "tool"];

/**
 * Chooses the folder of a captured memory: the user's folder for memories about the user, else the project's private
 * one. Nothing goes into the repository unless the user has set `capture.scope` to `shared`.
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
