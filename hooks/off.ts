// Whether memo is off in a session's folders, for the hook: it loads what knows work trees only in one.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { offIn, resolved, sayOff } from "../src/core/files/off.ts";
import type { Paths } from "../src/paths.ts";

/** Why memo is off, in one line; undefined where it works. */
export async function whyOff(
  paths: Paths,
  place: { readonly cwd: string; readonly projectDir: string },
): Promise<string | undefined> {
  const folders = [place.cwd, place.projectDir];
  const found = offIn(folders, paths) ??
    ([...folders, ...folders.map(resolved)].some(isLinked)
      ? (await import("../src/core/memory/off.ts")).offAt({ ...paths, ...place })
      : undefined);
  return found && sayOff(found);
}

/** Whether a folder is in a work tree that is not its repository's main one. */
function isLinked(folder: string): boolean {
  const git = statSync(join(folder, ".git"), { throwIfNoEntry: false });
  const above = dirname(folder);
  return git === undefined && above !== folder ? isLinked(above) : git?.isFile() === true;
}
