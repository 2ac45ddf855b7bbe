import { memoryFolders } from "../memory/scopes.ts";
import { enrich } from "../upkeep/enrich.ts";
import type { UpkeepContext } from "./upkeep.ts";

/** Adds triggers to the memories that count in a place, if LLM calls are allowed there; the rest is asked next time. */
export async function enrichStore(
  { engine, place, env, log, now, signal }: UpkeepContext,
): Promise<void> {
  const ask = engine.askFor(env, place);
  if (ask === undefined) return;
  const folders = memoryFolders(place).filter(({ scope }) => scope !== "team");
  const suggestions = engine.paths.triggers;
  const done = await engine.withIndex((index) =>
    enrich({ index, folders, suggestions, ask, now, signal })
  );
  if (done.asked > 0) log("enrich", { ...done });
  if (done.applied > 0) await Promise.all(folders.map((folder) => engine.sync(folder)));
}
