import { isWithin, projectAt, realPath } from "../../core/memory/project.ts";
import type { ImportPlace } from "./record.ts";

/** Whether a source's file belongs to the project of the working directory. */
export function isInProject(path: string, place: ImportPlace): boolean {
  const root = projectAt(place)?.root;
  return root !== undefined && isWithin(realPath(path), realPath(root));
}
