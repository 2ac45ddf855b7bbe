import { messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import { memoryFolders, type Place } from "../memory/scopes.ts";
import type { Env } from "../paths.ts";
import { enrich } from "../upkeep/enrich.ts";
import type { Engine } from "./engine.ts";

export interface EnrichStoreOptions {
  /** The environment of the session on whose behalf the language model is asked. */
  readonly env: Env;
  readonly log: Log;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * Adds triggers to the memories that count in a place, if LLM calls are allowed there. It never rejects, because no
 * caller waits for it and the rest is asked next time.
 */
export async function enrichStore(
  engine: Engine,
  place: Place,
  { env, log, now, signal }: EnrichStoreOptions,
): Promise<void> {
  try {
    const ask = engine.askFor(env, place);
    if (ask === undefined || !engine.config(place, env)["enrich.enabled"]) return;
    const folders = memoryFolders(place);
    const suggestions = engine.paths.triggers;
    const done = await engine.withIndex((index) =>
      enrich({ index, folders, suggestions, ask, now, signal })
    );
    if (done.asked > 0) log("enrich", { ...done });
    if (done.applied > 0) await Promise.all(folders.map((folder) => engine.sync(folder)));
  } catch (error) {
    log("enrich", { failed: messageOf(error) });
  }
}
