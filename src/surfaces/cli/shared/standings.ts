import { existsSync } from "node:fs";
import { memoryFolders } from "../../../core/memory/scopes.ts";
import { type Standing, topsOf } from "../../../core/relation/standing.ts";
import type { CliContext } from "./command.ts";

/**
 * How the memories of a place stand to the code, by path, as the index last knew it; none where it cannot tell. With a
 * time those alone that a person is to decide about.
 */
export async function standingsHere(
  { paths, place }: Pick<CliContext, "paths" | "place">,
  now?: Date,
): Promise<ReadonlyMap<string, Standing>> {
  if (!existsSync(paths.db)) return new Map();
  const { Index } = await import("../../../core/index/mod.ts"); // its library loads slowly
  try {
    const index = await Index.open(paths.db);
    try {
      return await index.standings.byPath(topsOf(memoryFolders(place)), now);
    } finally {
      index.close();
    }
  } catch {
    return new Map(); // `memo doctor` says what is wrong with it
  }
}
