import { messageOf } from "../errors.ts";
import type { Log } from "../files/log.ts";
import type { Place } from "../memory/scopes.ts";
import type { Env } from "../paths.ts";
import { briefProject } from "../upkeep/brief_project.ts";
import { writeBriefing } from "../upkeep/briefing_file.ts";
import type { Engine } from "./engine.ts";

/**
 * Updates the briefing of a project where there is one, if the settings say so. A section that was edited, or a file
 * that cannot be written, stays as it is; nobody waits for it, so that is only logged.
 */
export async function refreshBriefing(
  engine: Engine,
  place: Place,
  { env, log, now }: { readonly env: Env; readonly log: Log; readonly now: Date },
): Promise<void> {
  const config = engine.config(place, env);
  if (!config["briefing.refresh"]) return;
  try {
    const { paths } = engine, file = config["briefing.file"];
    const { path, root, briefing } = await briefProject({ place, paths, file, now });
    const done = writeBriefing(path, briefing.lines, { root, onlyUpdate: true });
    if (done === "written") log("briefing", { path });
  } catch (error) {
    log("briefing", { failed: messageOf(error) });
  }
}
