import { messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import { memoryFolders, type Place } from "../memory/scopes.ts";
import type { Env } from "../paths.ts";
import type { Config } from "../settings/config.ts";
import { dreamStore } from "./dream_store.ts";
import type { Engine } from "./engine.ts";
import { enrichStore } from "./enrich_store.ts";
import { refreshBriefing } from "./refresh_briefing.ts";
import { syncLater } from "./apart.ts";

/** Where a conversation has been captured, and on whose behalf a job runs. */
export interface UpkeepContext {
  readonly engine: Engine;
  readonly place: Place;
  /** The environment of the session whose login the language model is asked with. */
  readonly env: Env;
  readonly log: Log;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** The settings that are on or off. */
type Switch = { [Key in keyof Config]: Config[Key] extends boolean ? Key : never }[keyof Config];

/** Work on the store that nobody waits for. */
export interface UpkeepJob {
  /** Its name in the log. */
  readonly name: string;
  /** The setting that turns it on; without one it always runs. */
  readonly setting?: Switch;
  run(context: UpkeepContext): unknown;
}

/** Everything that runs after a conversation has been captured, in order. */
export const UPKEEP: readonly UpkeepJob[] = [
  {
    name: "history",
    run: ({ engine, place, env }) => engine.syncHistory(place, memoryFolders(place), env),
  },
  { name: "briefing", setting: "briefing.refresh", run: refreshBriefing },
  { name: "enrich", setting: "enrich.enabled", run: enrichStore },
  { name: "dream", setting: "dream.enabled", run: dreamStore },
  {
    name: "sync",
    setting: "sync.auto",
    run: ({ env, log, place }) => syncLater({ env, cwd: place.cwd, log }),
  },
];

/** Runs the jobs that the settings of a place turn on; one that fails is logged, and the next one runs. */
export async function runUpkeep(
  context: UpkeepContext,
  jobs: readonly UpkeepJob[] = UPKEEP,
): Promise<void> {
  const { engine, place, env, log, signal } = context;
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
