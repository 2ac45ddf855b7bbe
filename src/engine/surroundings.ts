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
  const warn = (failed: string) => log("change", { failed });
  return {
    now,
    sync: (changed) => engine.follow(changed, warn),
    warn,
    notices: engine.isBackground ? { path: engine.paths.notices, session } : undefined,
  };
}
