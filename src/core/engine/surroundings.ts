import type { Surroundings } from "../change/follow.ts";
import type { Log } from "../files/log.ts";
import type { Engine } from "./engine.ts";

/** Where an engine makes changes: it updates its own index, and the daemon leaves notices of what it did. */
export function surroundingsOf(
  engine: Engine,
  { log, now, session, isNoticed = engine.isBackground }: {
    readonly log: Log;
    readonly now: Date;
    /** The session on whose behalf it is done. */
    readonly session?: string | undefined;
    /** Whether the person learns of it by notices. */
    readonly isNoticed?: boolean;
  },
): Surroundings {
  const warn = (failed: string) => log("change", { failed });
  return {
    now,
    sync: (changed) => engine.follow(changed, warn),
    warn,
    notices: isNoticed
      ? { path: engine.paths.notices, session, isOffered: engine.features.isOffered }
      : undefined,
  };
}
