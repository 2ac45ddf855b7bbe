// What commands ask of the index about folders: to look at their files, or whether it has to.

import type { Engine } from "../engine/engine.ts";
import type { Caller } from "../events/conversation.ts";
import type { Log } from "../files/log.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";

interface FoldersContext {
  readonly engine: Engine;
  readonly log: Log;
}

interface FoldersParams extends Caller {
  readonly cwd: string;
  /** The folders in which a command has changed files, and which; none: any may have changed. */
  readonly changed?: readonly { readonly folder: string; readonly paths?: readonly string[] }[];
}

/**
 * Updates the index from the folders that apply to `cwd`, or follows up changes in some of them; waits for keywords, not
 * for vectors.
 */
export async function syncFolders(params: unknown, { engine, log }: FoldersContext) {
  const { changed = [] } = params as FoldersParams;
  const folders = foldersOf(params, engine);
  for (const folder of changed.length === 0 ? folders : []) await engine.sync(folder);
  const here = changed.flatMap(({ folder: path, paths }) => {
    const folder = folders.find((folder) => folder.path === path);
    return folder === undefined ? [] : [{ folder, paths }];
  });
  await engine.follow(here, (failed) => log("index file", { failed }));
  return { listed: here.map(({ folder }) => folder.path) };
}

/** The folders that apply to `cwd` and that the index has as they are at this moment. */
export async function currentFolders(params: unknown, { engine }: FoldersContext) {
  const folders = foldersOf(params, engine);
  const current = await engine.current(folders);
  engine.freshen(folders.filter((folder) => !current.includes(folder))).catch(() => {}); // logged
  return { folders: current.map(({ path }) => path) };
}

function foldersOf(params: unknown, { paths }: Engine) {
  const { cwd, claude, projectDir } = params as FoldersParams;
  return memoryFolders(placeIn({ ...paths, claude }, cwd, projectDir));
}
