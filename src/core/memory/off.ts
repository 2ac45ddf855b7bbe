// Where memo is off: in the folders that the person's setting `off` names, and in the work trees of their repositories.

import { MemoError } from "../../errors.ts";
import { hasOff, offIn, type OffSource, sayOff } from "../files/off.ts";
import {
  type KnownProject,
  knownProjects,
  mainRepositoryRoot,
  type Place,
  realPath,
} from "./project.ts";
import type { ProjectRecord } from "./project_record.ts";

/** The pattern that switches memo off at a place; undefined where memo works. */
export function offAt(
  { cwd, projectDir = cwd, ...source }: OffSource & Pick<Place, "cwd" | "projectDir">,
): string | undefined {
  if (!hasOff(source)) return undefined;
  const folders = [cwd, projectDir];
  const both = new Set([...folders, ...folders.map(realPath)]); // a link may lead into a work tree
  return offIn(folders, source) ??
    offIn([...both].flatMap((folder) => mainRepositoryRoot(folder) ?? []), source);
}

/** Throws where memo is off. */
export function refuseOff(place: Parameters<typeof offAt>[0]): void {
  const pattern = offAt(place);
  if (pattern !== undefined) throw new MemoError("usage", sayOff(pattern));
}

/** Every project that has a private folder and where memo works, by root, with what is recorded of it. */
export function projectsOn(
  place: Pick<Place, "claude"> & OffSource,
): (KnownProject & ProjectRecord)[] {
  return knownProjects(place.claude).filter(({ root }) =>
    offAt({ ...place, cwd: root, projectDir: root }) === undefined
  );
}
