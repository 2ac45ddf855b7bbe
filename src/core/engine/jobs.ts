import type { HookEventName } from "../../../hooks/events.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../files/log.ts";
import type { Place } from "../memory/scopes.ts";
import type { Env } from "../../paths.ts";
import type { Config } from "../settings/config.ts";
import type { Engine } from "./engine.ts";

/** What jobs follow: the capture of a conversation, or the answer to a hook event. */
export type Occasion = "capture" | HookEventName;

/** Where something has happened, and on whose behalf a job runs. */
export interface JobContext {
  readonly engine: Engine;
  readonly place: Place;
  /** The environment of the session, with the login for the language model; undefined while it is not known. */
  readonly env: Env | undefined;
  readonly log: Log;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly after: Occasion;
}

/** The settings that are on or off. */
type Switch = { [Key in keyof Config]: Config[Key] extends boolean ? Key : never }[keyof Config];

/** Work that nobody waits for. */
export interface Job {
  /** Its name in the log. */
  readonly name: string;
  readonly after: readonly Occasion[];
  /** The setting that turns it on; without one it always runs. */
  readonly setting?: Switch;
  run(context: JobContext): unknown;
}

/** Runs the jobs that follow and that the settings of the place turn on; one that fails is logged, and the next one runs. */
export async function runJobs(context: JobContext): Promise<void> {
  const { engine, place, env, log, signal, after } = context;
  const jobs = (engine.features.jobs ?? []).filter((job) => job.after.includes(after));
  for (const { name, setting, run } of jobs) {
    if (signal.aborted) return;
    if (setting !== undefined && !engine.config(place, env)[setting]) continue;
    try {
      await run(context);
    } catch (error) {
      log(name, { failed: messageOf(error) });
    }
  }
}
