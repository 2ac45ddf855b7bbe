import type { CaptureContext } from "../capture/capture.ts";
import type { Pipeline } from "../capture/work.ts";
import type { Log } from "../files/log.ts";
import { placeIn } from "../memory/scopes.ts";
import type { Engine } from "./engine.ts";

export interface PipelineOptions extends Pick<CaptureContext, "onProgress"> {
  /** The time of the capture; default: the clock's. */
  readonly now?: () => Date;
}

/** How turns become memories, with the engine's settings, index and language model. */
export function capturePipeline(
  engine: Engine,
  log: Log,
  { onProgress, now = () => new Date() }: PipelineOptions = {},
): Pipeline {
  return {
    async plan(turns, { transcript, claude, cwd, projectDir = cwd, signal }) {
      const { planCapture } = await import("../capture/capture.ts"); // its rules of secrets are many
      const paths = { ...engine.paths, claude };
      const context: CaptureContext = {
        paths,
        env: engine.env,
        config: engine.config(placeIn(paths, turns[0]?.cwd ?? cwd, projectDir)),
        log,
        now,
        transcript,
        projectDir,
        similar: engine.similar.bind(engine),
        signal,
        onProgress,
      };
      return await planCapture(turns, context);
    },
    async apply(plan) {
      const { applyPlan } = await import("../capture/apply.ts");
      const { folders } = await applyPlan(plan, { now, log });
      for (const folder of folders) await engine.sync(folder);
    },
  };
}
