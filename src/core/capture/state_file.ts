import { join } from "node:path";
import { namesIn } from "../files/there.ts";
import { shortHash } from "../../paths.ts";

/**
 * The state file of a transcript in one of capture's folders, named by a hash because an outside path is not a safe
 * file name.
 */
export function fileFor(folder: string, transcript: string): string {
  return join(folder, `${shortHash(transcript)}${shortHash(transcript + "/")}.json`);
}

/** The paths of all files in one of capture's folders. */
export function filesIn(folder: string): string[] {
  return namesIn(folder).filter((name) => /^\w+\.json$/.test(name)).map((name) =>
    join(folder, name)
  );
}
