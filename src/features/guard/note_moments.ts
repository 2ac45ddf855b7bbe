import type { Moment } from "../../../hooks/events.ts";
import type { JobContext } from "../../core/engine/jobs.ts";
import { projectAt } from "../../core/memory/project.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { anchoredFiles } from "./anchors.ts";
import { NEVER_AT_ERRORS } from "./at_error.ts";
import { isGuarded } from "./check.ts";
import { mark } from "./markers.ts";

/** Notes for the hook which moments a project has something for: at others it asks nobody. */
export async function noteMoments(context: JobContext): Promise<void> {
  const { engine: { paths }, place, now } = context;
  const { claude, cwd, projectDir = cwd } = place;
  mark({ ...paths, claude, projectDir }, await presentMoments(context), now);
}

async function presentMoments(
  { engine, place, env }: JobContext,
): Promise<Record<Moment, boolean>> {
  const { paths } = engine, folders = memoryFolders(place);
  const wanted = engine.config(place, env)["recall.moments"];
  const top = projectAt(place)?.top;
  return await engine.withIndex(async (index) => {
    const corpus = (await index.corpus(folders)).of(NEVER_AT_ERRORS);
    const isFile = wanted === "all" && top !== undefined &&
      (await anchoredFiles.follow(index, top, folders)).size > 0;
    const isError = wanted !== "off" && await corpus.size() > 0;
    return {
      file: isFile,
      error: isError,
      guard: isGuarded(paths.guards, folders),
    };
  });
}
