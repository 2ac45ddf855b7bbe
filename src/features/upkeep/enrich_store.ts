import { memoryFolders } from "../../core/memory/scopes.ts";
import { enrich } from "./enrich.ts";
import type { JobContext } from "../../core/engine/jobs.ts";

/** Adds triggers to the memories that count in a place, if LLM calls are allowed there; the rest is asked next time. */
export async function enrichStore(
  { engine, place, env, log, now, signal }: JobContext,
): Promise<void> {
  const ask = env && engine.askFor(env, place, "enrich");
  if (ask === undefined) return;
  const folders = memoryFolders(place).filter(({ scope }) => scope !== "team");
  const suggestions = engine.paths.triggers;
  const done = await engine.withIndex((index) =>
    enrich({ index, folders, suggestions, ask, now, signal })
  );
  if (done.asked > 0) log("enrich", { ...done });
  if (done.applied > 0) await Promise.all(folders.map((folder) => engine.sync(folder)));
}

/** Places that are being looked through, and when those whose language model has failed may be asked about again. */
const restsUntil = new Map<string, number>();
const REST_MS = 3_600_000;

/**
 * The same at the start of a session, for what was typed since the last capture: a note without triggers is found by its
 * own words alone. One at a time for each place, and after a failure not again for an hour.
 */
export async function enrichAtStart(context: JobContext): Promise<void> {
  const { place, now } = context;
  if ((restsUntil.get(place.cwd) ?? 0) > now.getTime()) return;
  restsUntil.set(place.cwd, Infinity);
  try {
    await enrichStore(context);
    restsUntil.delete(place.cwd);
  } catch (error) {
    restsUntil.set(place.cwd, now.getTime() + REST_MS);
    throw error;
  }
}
