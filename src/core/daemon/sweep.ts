// Removes in the background what killed processes and deleted projects leave behind.

import { dirname } from "node:path";
import type { Engine } from "../engine/engine.ts";
import { sweepTemporaries } from "../files/atomic.ts";
import type { Log } from "../files/log.ts";
import { statsOf } from "../files/there.ts";
import type { Index } from "../index/mod.ts";

/** After this long, a missing folder is not just on an unmounted disk, and its memories are forgotten. */
const MISSING_MS = 7 * 86_400_000;

/** Deletes abandoned temporary files, index entries of folders that have long been gone, and what features sweep. */
export async function sweep(
  engine: Engine,
  { log, now }: { readonly log: Log; readonly now: Date },
): Promise<void> {
  const index = await engine.index();
  const folders = await index.files.folders();
  const { state, config } = engine.paths;
  const places = new Set([state, dirname(config), ...folders.map(({ path }) => path)]);
  const temporaries = [...places].reduce((sum, path) => sum + sweepTemporaries(path, now), 0);
  const forgotten = await forgetMissing(index, now.getTime());
  const swept = Object.entries(engine.features.sweeps ?? {})
    .map(([what, sweep]) => [what, sweep(engine, now)] as const);
  const done = { temporaries, forgotten, ...Object.fromEntries(swept) };
  if (Object.values(done).some((count) => count > 0)) log("sweep", done);
}

/** Number of forgotten memories. */
async function forgetMissing(index: Index, now: number): Promise<number> {
  const noted = await index.files.missing();
  const missing = (await index.files.folders()).filter(({ path }) => statsOf(path) === undefined);
  const since = new Map(missing.map(({ path }) => [path, noted.get(path) ?? now]));
  const gone = missing.filter(({ path }) => now - since.get(path)! > MISSING_MS);
  for (const { path } of gone) since.delete(path);
  if (since.size + noted.size > 0) await index.files.noteMissing(since);
  return gone.length === 0 ? 0 : await index.forget(gone);
}
