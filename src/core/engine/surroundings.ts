import type { Surroundings } from "../change/follow.ts";
import type { Log } from "../files/log.ts";
import type { Engine } from "./engine.ts";
import type { Location } from "../capture/cursor.ts";
import type { CaptureContext } from "../capture/capture.ts";
import type { Pipeline } from "../capture/work.ts";
import { carryOut } from "../change/carry_out.ts";
import { placeIn } from "../memory/scopes.ts";
import type { Env } from "../../paths.ts";

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

/** Captures turns with the engine's index and the login and settings of their session. */
export function capturePipeline(
  engine: Engine,
  log: Log,
  { envFor, onProgress, scope, now = () => new Date() }:
    & Pick<CaptureContext, "onProgress" | "scope">
    & Partial<Pick<CaptureContext, "now">>
    & {
      /** The environment of a transcript's session; throws if it ended with the session. */
      envFor(where: Location): Env;
    },
): Pipeline {
  return {
    async plan(turns, { signal, isLastTry, ...where }) {
      // It has many redaction rules, and is loaded for this alone.
      const { planCapture } = await import("../capture/capture.ts");
      const { transcript, conversation, claude, projectDir = where.cwd } = where;
      const paths = { ...engine.paths, claude };
      const cwd = turns[0]?.cwd ?? where.cwd;
      const env = envFor(where);
      const context: CaptureContext = {
        ...{ paths, env, cwd, log, now, transcript, conversation, projectDir, signal, isLastTry },
        config: engine.config(placeIn(paths, cwd, projectDir), env),
        embedder: () => engine.model.embedder(),
        similar: engine.similar.bind(engine),
        ...{ onProgress, scope },
      };
      return await planCapture(turns, context);
    },
    async apply({ changes }) {
      await carryOut(changes, surroundingsOf(engine, { log, now: now() }));
    },
  };
}
