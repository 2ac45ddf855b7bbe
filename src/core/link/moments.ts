// Whether a project has anything for a moment. A hook tells by one look at the disk: most reads of files need no daemon.

import type { Moment } from "../../../hooks/events.ts";
import { type Paths, shortHash } from "../../paths.ts";
import { fileStatus } from "./io.ts";
import { join } from "./plain_path.ts";

/** Where a session runs, as hook and daemon both know it. */
export interface MomentPlace extends Pick<Paths, "claude" | "moments"> {
  /** The folder that Claude Code runs in. */
  readonly projectDir: string;
}

/** The file that is there as long as a project has something for a kind of moment (`src/features/guard/moments.ts`). */
export function markerOf({ claude, moments, projectDir }: MomentPlace, moment: Moment): string {
  const key = `${claude}\n${projectDir}`;
  return join(moments, `${shortHash(key)}${shortHash(key + "\n")}.${moment}`);
}

/** Whether a project has something for one of these kinds of moments. */
export async function hasMoment(where: MomentPlace, moments: readonly Moment[]): Promise<boolean> {
  for (const moment of moments) {
    if (await fileStatus(markerOf(where, moment)) !== undefined) return true;
  }
  return false;
}
