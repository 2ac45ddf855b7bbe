// What the hook may answer by itself at a file, an error or a guarded tool: it asks only where there is something.

import type { Moment } from "../../hooks/events.ts";
import { mark } from "../moments/markers.ts";
import type { EventContext } from "./event.ts";

/** Notes for the hook, once the answer is out, which moments the project has something for. */
export function noteMoments(context: EventContext): void {
  const { paths, projectDir, afterwards } = context;
  afterwards(async () => mark({ ...paths, projectDir }, await presentMoments(context)));
}

async function presentMoments(
  { config, folders, withIndex }: EventContext,
): Promise<Record<Moment, boolean>> {
  const wanted = config["recall.moments"];
  const isAny = wanted !== "off" &&
    await withIndex(async (index) => await (await index.corpus(folders)).size()) > 0;
  return { file: isAny && wanted === "all", error: isAny, guard: false };
}
