import { statsOf } from "../files/stats.ts";
import type { MemoryFolder } from "./memory.ts";
import { knownProjects, type Place } from "./project.ts";
import { memoryFolders, placeIn, privateFolder } from "./scopes.ts";

/** Every memory folder of a person: those that apply at a place, then those of all other known projects, each once. */
export function everyFolder(place: Place): MemoryFolder[] {
  const folders = new Map(memoryFolders(place).map((folder) => [folder.path, folder]));
  for (const project of knownProjects(place.claude)) {
    const isThere = statsOf(project.root)?.isDirectory() ?? false;
    const own = isThere
      ? memoryFolders(placeIn(place, project.root, project.root))
      : [privateFolder(project)]; // moved or deleted, and what memo knows of it is still there
    for (const folder of own) if (!folders.has(folder.path)) folders.set(folder.path, folder);
  }
  return [...folders.values()];
}
