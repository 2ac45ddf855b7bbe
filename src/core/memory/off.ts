// Where memo is off: in the folders that the person's setting `off` names, and in the work trees of their repositories.

import { MemoError } from "../../errors.ts";
import { offIn, type OffSource, sayOff } from "../files/off.ts";
import { type KnownProject, knownProjects, mainRepositoryRoot } from "./project.ts";
import type { Place } from "./project.ts";

/** The pattern that switches memo off at a place; undefined where memo works. */
export function offAt(
  { cwd, projectDir = cwd, ...source }: OffSource & Pick<Place, "cwd" | "projectDir">,
): string | undefined {
  const folders = [cwd, projectDir];
  return offIn(folders, source) ??
    offIn(folders.map((folder) => mainRepositoryRoot(folder) ?? folder), source);
}

/** Throws where memo is off. */
export function refuseOff(place: Parameters<typeof offAt>[0]): void {
  const pattern = offAt(place);
  if (pattern !== undefined) throw new MemoError("usage", sayOff(pattern));
}

/** Every project that has a private folder and where memo works, by root. */
export function projectsOn(place: Pick<Place, "claude"> & OffSource): KnownProject[] {
  return knownProjects(place.claude).filter(({ root }) =>
    offAt({ ...place, cwd: root, projectDir: root }) === undefined
  );
}
