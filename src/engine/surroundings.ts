import type { Surroundings } from "../change/follow.ts";
import type { Log } from "../files/log.ts";
import type { Engine } from "./engine.ts";

/** Where an engine makes changes: it updates its own index, and the daemon leaves notices of what it did. */
export function surroundingsOf(
  engine: Engine,
  { log, now, session }: {
    readonly log: Log;
    readonly now: Date;
    /** The session on whose behalf it is done. */
    readonly session?: string | undefined;
  },
): Surroundings {
  return {
    now,
    sync: (folders) => Promise.all(folders.map((folder) => engine.sync(folder))),
    warn: (failed) => log("change", { failed }),
    notices: engine.isBackground ? { path: engine.paths.notices, session } : undefined,
  };
}
