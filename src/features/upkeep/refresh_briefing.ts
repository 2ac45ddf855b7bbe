import { briefProject } from "./brief_project.ts";
import { writeBriefing } from "./briefing_file.ts";
import type { JobContext } from "../../core/engine/jobs.ts";

/**
 * Updates the briefing of a project where there is one. Rejects at a section that was edited, or a file that cannot be
 * written, and leaves it as it is.
 */
export async function refreshBriefing(
  { engine, place, env, log, now }: JobContext,
): Promise<void> {
  const { paths } = engine, file = engine.config(place, env)["briefing.file"];
  const { path, root, briefing } = await briefProject({ place, paths, file, now });
  const done = writeBriefing(path, briefing.lines, { root, onlyUpdate: true });
  if (done === "written") log("briefing", { path });
}
