import type { Trigger } from "../capture/queue.ts";
import { capturePipeline } from "../engine/surroundings.ts";
import type { Engine } from "../engine/engine.ts";
import { runJobs } from "../engine/jobs.ts";
import type { Log } from "../files/log.ts";
import { llmError, loginOf } from "../llm/mod.ts";
import { type Place, placeIn } from "../memory/scopes.ts";
import { isCapturing } from "../settings/purposes.ts";
import { CaptureWorker } from "./capture_worker.ts";
import type { Sessions } from "./sessions.ts";

/** The worker that captures with an engine, each conversation with the login of its session. */
export function captureFor(engine: Engine, sessions: Sessions, log: Log): CaptureWorker {
  const { paths } = engine;
  const placeOf = ({ claude, cwd, projectDir = cwd }: Where): Place =>
    placeIn({ ...paths, claude }, cwd, projectDir);
  return new CaptureWorker({
    folder: paths.capture,
    pipeline: capturePipeline(engine, log, {
      envFor: (where) => sessions.envFor(where) ?? sessionHasGone(),
    }),
    log,
    envFor: (job) => sessions.envFor(job),
    loginOf: (job, env) =>
      loginOf({ paths, env, cwd: job.cwd, config: engine.config(placeOf(job), env) }),
    isEnabled: (job, env) => isCapturing(engine.config(placeOf(job), env)),
    afterCapture: (job, env, signal) =>
      runJobs({
        engine,
        place: placeOf(job),
        env,
        log,
        now: new Date(),
        signal,
        after: "capture",
      }),
    yieldToPrompts: () => engine.yieldToPrompts(),
    now: () => new Date(),
  });
}

type Where = Pick<Trigger, "claude" | "cwd" | "projectDir">;

function sessionHasGone(): never {
  throw llmError("The session whose credentials this conversation needs has ended");
}
