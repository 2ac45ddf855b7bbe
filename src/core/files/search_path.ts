import { statSync } from "node:fs";
import { delimiter, isAbsolute, relative, resolve, sep } from "node:path";

/** Where programs may be searched for on behalf of a project. */
export interface PathSearchOptions {
  /** The project's root: nothing in it is run, unless it is the home folder. */
  readonly project?: string | undefined;
  readonly home: string;
}

/**
 * The folders of a search path from which a program can be run with the user's login: absolute ones outside the project
 * and outside any `node_modules`, not writable by other users.
 */
export function safeFolders(searchPath: string, options: PathSearchOptions): string[] {
  return searchPath.split(delimiter).filter((folder) =>
    isAbsolute(folder) && !folder.split(sep).includes("node_modules") &&
    !isInProject(folder, options) && isOurs(folder)
  );
}

/** Whether a path lies in the project, unless that is the home folder. */
export function isInProject(path: string, { project, home }: PathSearchOptions): boolean {
  return project !== undefined && !isInside(home, project) && isInside(path, project);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === "" || !way.startsWith("..") && !isAbsolute(way);
}

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;

/** Whether a folder belongs to the user or the system and is not writable by others. */
function isOurs(folder: string): boolean {
  if (process.platform === "win32") return true;
  try {
    const { uid, mode } = statSync(folder);
    return (uid === 0 || uid === process.getuid?.()) && (mode & (WRITABLE_BY_ALL | STICKY)) === 0;
  } catch {
    return false;
  }
}
