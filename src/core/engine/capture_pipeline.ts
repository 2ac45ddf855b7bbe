import type { CaptureContext } from "../capture/capture.ts";
import type { Location } from "../capture/cursor.ts";
import type { Pipeline } from "../capture/work.ts";
import { carryOut } from "../change/carry_out.ts";
import type { Log } from "../files/log.ts";
import { placeIn } from "../memory/scopes.ts";
import type { Env } from "../../paths.ts";
import type { Engine } from "./engine.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface PipelineOptions extends Pick<CaptureContext, "onProgress"> {
  /** The environment of a transcript's session; throws if it ended with the session. */
  envFor(where: Location): Env;
  /** The time of the capture; default: now. */
  readonly now?: () => Date;
}

/** Captures turns with the engine's index and the login and settings of their session. */
export function capturePipeline(
  engine: Engine,
  log: Log,
  { envFor, onProgress, now = () => new Date() }: PipelineOptions,
): Pipeline {
  return {
    async plan(turns, { signal, isLastTry, ...where }) {
      const { planCapture } = await import("../capture/capture.ts"); // loads many redaction rules
      const { transcript, conversation, claude, projectDir = where.cwd } = where;
      const paths = { ...engine.paths, claude };
      const cwd = turns[0]?.cwd ?? where.cwd;
      const env = envFor(where);
      const context: CaptureContext = {
        paths,
        env,
        cwd,
        config: engine.config(placeIn(paths, cwd, projectDir), env),
        log,
        now,
        transcript,
        conversation,
        embedder: () => engine.embedder(),
        projectDir,
        signal,
        isLastTry,
        onProgress,
      };
      return await planCapture(turns, context);
    },
    async apply({ changes }) {
      await carryOut(changes, surroundingsOf(engine, { log, now: now() }));
    },
  };
}
